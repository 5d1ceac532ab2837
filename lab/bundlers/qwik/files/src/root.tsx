// The document of all pages.
import { component$ } from '@builder.io/qwik';
import { QwikCityProvider, RouterOutlet } from '@builder.io/qwik-city';
import './global.css';

export default component$(() => (
  <QwikCityProvider>
    <head>
      <meta charset="utf-8" />
      <title>The harbour</title>
      <link rel="icon" href={`${import.meta.env.BASE_URL}icon.svg`} />
    </head>
    <body>
      <RouterOutlet />
    </body>
  </QwikCityProvider>
));
