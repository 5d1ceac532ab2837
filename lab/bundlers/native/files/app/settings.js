// Imported through a full name in the import map. Imports a JSON module.
import settings from './settings.json' with { type: 'json' };

export default settings;
