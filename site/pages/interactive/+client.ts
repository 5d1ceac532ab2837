// The client entry of the interactive pages. In an export, start.js loads it when the visitor first interacts.
import './hydrate.tsx';
