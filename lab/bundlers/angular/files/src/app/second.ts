// The second page: a counter, and a module that a click imports.
import { Component, signal } from '@angular/core';
import { Counter } from './counter';

@Component({
  selector: 'app-second',
  imports: [Counter],
  template: `
    <h1>The second page</h1>
    <app-counter [start]="10" />
    <section>
      <button type="button" (click)="load()">Show tides</button>
      <ul>
        @for (tide of tides(); track tide) {
          <li>{{ tide }}</li>
        }
      </ul>
    </section>
    <p><button type="button" (click)="darken()">Night</button></p>
  `,
})
export class Second {
  readonly tides = signal<string[]>([]);

  async load() {
    const { table } = await import('./tides');
    this.tides.set(table());
  }

  darken() {
    const sheet = document.createElement('link');
    sheet.rel = 'stylesheet';
    sheet.href = 'night.css';
    document.head.append(sheet);
  }
}
