// Imported with a template literal without expressions.
import { line } from './page.js';

export const say = () => line('From a template');
