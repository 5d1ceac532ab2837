// Svelte's part of the build has nothing of its own to set.
export default {};
