// A counter button.
import { Component, Prop, State, h } from '@stencil/core';

@Component({ tag: 'harbour-counter', shadow: true, styles: 'p { border-top: 1px solid teal }' })
export class Counter {
  @Prop() start = 0;
  @State() more = 0;

  render() {
    return (
      <p>
        <button type="button" onClick={() => (this.more += 1)}>Count</button> {Number(this.start) + this.more} ships
      </p>
    );
  }
}
