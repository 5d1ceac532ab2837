// Styles of all stories.
import '../src/site.css';

export const tags = ['autodocs'];
