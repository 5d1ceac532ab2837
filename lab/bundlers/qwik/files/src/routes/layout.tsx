// Shared by all pages.
import { component$, Slot } from '@builder.io/qwik';
import { Link } from '@builder.io/qwik-city';

const base = import.meta.env.BASE_URL;

export default component$(() => (
  <>
    <nav>
      <a href={base}>Home</a> <Link href={`${base}second/`}>Second</Link>
    </nav>
    <main>
      <Slot />
    </main>
  </>
));
