// Imports the tide table on request.
import { Component, State, h } from '@stencil/core';

@Component({ tag: 'harbour-tides' })
export class Tides {
  @State() tides: string[] = [];

  async load() {
    const { table } = await import('./table');
    this.tides = table();
  }

  render() {
    return (
      <section>
        <button type="button" onClick={() => this.load()}>Show tides</button>
        <ul>
          {this.tides.map((tide) => (
            <li key={tide}>{tide}</li>
          ))}
        </ul>
      </section>
    );
  }
}
