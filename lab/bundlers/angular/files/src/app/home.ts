// The first page: a counter, a panel that a click loads, a worker.
import { Component, signal } from '@angular/core';
import { Counter } from './counter';
import { Panel } from './panel';

@Component({
  selector: 'app-home',
  imports: [Counter, Panel],
  template: `
    <h1>The harbour</h1>
    <app-counter [start]="1" />
    <section>
      <button type="button" (click)="open.set(true)">Open the panel</button>
      @defer (when open()) {
        <app-panel />
      }
    </section>
    <p><button type="button" (click)="add()">Add</button> {{ sum() }}</p>
  `,
})
export class Home {
  readonly open = signal(false);
  readonly sum = signal('');

  add() {
    const worker = new Worker(new URL('./sum.worker', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }) => this.sum.set(`The sum is ${data}`));
    worker.postMessage(100);
  }
}
