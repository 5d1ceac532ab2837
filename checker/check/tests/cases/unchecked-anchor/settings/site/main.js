import "./deck.js"
