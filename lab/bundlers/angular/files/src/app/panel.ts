// The panel, loaded on request.
import { Component } from '@angular/core';

@Component({
  selector: 'app-panel',
  template: `
    <figure>
      <img src="photo.png" alt="Noise" width="64" height="64" />
      <figcaption>The panel has 2 cranes</figcaption>
    </figure>
  `,
  styles: 'figure { padding: 1rem; background: #cfe3d4; }',
})
export class Panel {}
