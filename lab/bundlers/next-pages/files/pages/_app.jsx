// Shared by all pages.
import Head from 'next/head';
import Link from 'next/link';
import { useRouter } from 'next/router';
import '../styles/globals.css';

export default function App({ Component, pageProps }) {
  const { basePath } = useRouter();
  return (
    <>
      <Head>
        <link rel="icon" href={`${basePath}/icon.svg`} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
      </Head>
      <nav>
        <Link href="/">Home</Link> <Link href="/second">Second</Link>
      </nav>
      <main>
        <Component {...pageProps} />
      </main>
    </>
  );
}
