// Loads the panel on request.
import Component from '@glimmer/component';
import { tracked } from '@glimmer/tracking';
import { on } from '@ember/modifier';

export default class Later extends Component {
  @tracked Panel;
  open = async () => (this.Panel = (await import('./panel')).default);
  <template>
    <button type="button" {{on "click" this.open}}>Open the panel</button>
    {{#if this.Panel}}<this.Panel />{{/if}}
  </template>
}
