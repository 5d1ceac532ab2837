// Browser code of all pages.
import './src/site.css';
