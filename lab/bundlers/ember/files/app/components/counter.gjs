// A counter button.
import Component from '@glimmer/component';
import { tracked } from '@glimmer/tracking';
import { on } from '@ember/modifier';

export default class Counter extends Component {
  @tracked count = 1;
  more = () => (this.count += 1);
  <template><p class="counter"><button type="button" {{on "click" this.more}}>Count</button> {{this.count}} ships</p></template>
}
