// What the browser loads of the interactive pages. In an export start.js stands before it, and waits for the visitor.
import './hydrate.tsx';
