// Shared by all pages.
import Link from 'next/link';
import './globals.css';

export const metadata = { title: { default: 'Harbour', template: '%s | Harbour' }, description: 'A small site about a harbour.' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <nav>
          <Link href="/">Home</Link> <Link href="/second">Second</Link>
        </nav>
        <main>{children}</main>
      </body>
    </html>
  );
}
