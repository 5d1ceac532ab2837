// Reached by an inline module alone, from the document's address.
import { line } from './page.js';

export const say = () => line('Brought by an inline module');
