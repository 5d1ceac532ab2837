// What the browser has on all pages.
import './src/site.css';
