// Imported through a scope of the import map.
export default ['one', 'two'];
