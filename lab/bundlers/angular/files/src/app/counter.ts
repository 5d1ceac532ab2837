// A counter button, and a line that appears after hydration.
import { afterNextRender, Component, input, linkedSignal, signal } from '@angular/core';

@Component({
  selector: 'app-counter',
  template: `
    <p>
      <button type="button" (click)="count.set(count() + 1)">Count</button>
      {{ count() }} ships
      @if (alive()) {
        <em>alive</em>
      }
    </p>
  `,
  styles: 'p { color: #246; }',
})
export class Counter {
  readonly start = input(0);
  readonly count = linkedSignal(() => this.start());
  readonly alive = signal(false);

  constructor() {
    afterNextRender(() => this.alive.set(true));
  }
}
