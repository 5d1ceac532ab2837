// Shared by all pages.
import './layout.css';

const base = import.meta.env.BASE_URL.replace(/\/?$/, '/');

export const Layout = ({ children }) => (
  <>
    <nav>
      <a href={base}>Home</a> <a href={`${base}second/`}>Second</a>
    </nav>
    <main>{children}</main>
  </>
);
