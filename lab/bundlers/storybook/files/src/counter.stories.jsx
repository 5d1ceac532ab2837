// Stories of the counter.
import { Counter } from './counter.jsx';

export default { title: 'Counter', component: Counter };

export const One = { args: { start: 1 } };
