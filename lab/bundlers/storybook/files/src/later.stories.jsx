// A story that imports a component on request, and one with a worker.
import { Later } from './later.jsx';
import { Sum } from './sum.jsx';

export default { title: 'Later', component: Later };

export const Lazy = {};
export const Worker = { render: () => <Sum /> };
