// Loads the styles of all pages.
import './src/site.css';
