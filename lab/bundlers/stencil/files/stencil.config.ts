// Builds a site of lazy components.
import type { Config } from '@stencil/core';

export const config: Config = {
  namespace: 'harbour',
  globalStyle: 'src/site.css',
  outputTargets: [{ type: 'www', serviceWorker: null, copy: [{ src: 'second.html' }] }],
};
