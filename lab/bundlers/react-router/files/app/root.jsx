// Shared by all pages.
import { Link, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import './site.css';

export const links = () => [{ rel: 'icon', href: '/icon.svg' }];

export function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export const HydrateFallback = () => <p>Coming alongside</p>;

export default function Root() {
  return (
    <>
      <nav>
        <Link to="/">Home</Link> <Link to="/second">Second</Link>
      </nav>
      <main>
        <Outlet />
      </main>
    </>
  );
}
