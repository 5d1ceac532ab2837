// The lazy panel, with an image.
import { Component, getAssetPath, h } from '@stencil/core';

@Component({ tag: 'harbour-panel', assetsDirs: ['assets'], shadow: true, styles: 'img { border: 1px solid teal }' })
export class Panel {
  render() {
    return <img src={getAssetPath('./assets/photo.png')} alt="Noise" width="64" height="64" />;
  }
}
