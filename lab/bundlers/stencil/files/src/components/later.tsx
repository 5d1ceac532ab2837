// Shows the panel on request.
import { Component, State, h } from '@stencil/core';

@Component({ tag: 'harbour-later' })
export class Later {
  @State() open = false;

  render() {
    return (
      <section>
        <button type="button" onClick={() => (this.open = true)}>Open the panel</button>
        {this.open && <harbour-panel />}
      </section>
    );
  }
}
