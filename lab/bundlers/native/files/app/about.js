// The second page's module.
import { shade } from 'lib/shade.js';
import { button, line } from 'page';
import { called, caught, guarded, pattern, text } from './traps.js';

button('Shade', () => line(shade(1)));
button('Traps', async () => line([...called, text, pattern.source, await caught(), typeof (await guarded())].join(' ')));
