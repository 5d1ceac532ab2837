// Imports the tide table on request.
import Component from '@glimmer/component';
import { tracked } from '@glimmer/tracking';
import { on } from '@ember/modifier';

export default class Tides extends Component {
  @tracked tides = [];
  load = async () => (this.tides = (await import('../table')).table());
  <template>
    <button type="button" {{on "click" this.load}}>Show tides</button>
    <ul>{{#each this.tides as |tide|}}<li>{{tide}}</li>{{/each}}</ul>
  </template>
}
