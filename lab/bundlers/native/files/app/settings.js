// Reached by a whole name in the import map; brings a JSON module.
import settings from './settings.json' with { type: 'json' };

export default settings;
