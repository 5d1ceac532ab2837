// A lazy module of the second page only, without a style sheet.
import { line } from './page';

export const say = (): void => void line('Nobody else loads this');
