//! What a configuration says, as far as that can be told by reading it.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// What is said of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ConfigValue {
    /// A text.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// What a function of this module makes.
    Made(String),
    /// Something that only running it would tell.
    Computed,
}

/// A configuration: what is said, by keys such as `build.outDir`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Configuration(BTreeMap<String, ConfigValue>);

impl Configuration {
    /// What is said of a key.
    pub fn get(&self, key: &str) -> Option<&ConfigValue> {
        self.0.get(key)
    }

    /// Whether a key, or anything below it, is said.
    pub fn has(&self, key: &str) -> bool {
        self.0
            .keys()
            .any(|known| known.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    }

    /// Says something of a key; what comes later counts.
    pub fn set(&mut self, key: String, setting: ConfigValue) {
        self.0.insert(key, setting);
    }

    /// Takes it that anything said below a key may be something else.
    pub fn doubt(&mut self, prefix: &str) {
        let below = self.0.iter_mut().filter(|(key, _)| key.starts_with(prefix));
        below.for_each(|(_, setting)| *setting = ConfigValue::Computed);
    }

    /// What a JSON document says, or one that was read as such.
    pub fn of_json(json: &Json) -> Configuration {
        let mut settings = Configuration::default();
        settings.add(json, String::new());
        settings
    }

    fn add(&mut self, json: &Json, key: String) {
        match json {
            Json::Object(table) => {
                for (name, held) in table {
                    let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                    self.add(held, key);
                }
            }
            Json::String(text) => self.set(key, ConfigValue::Text(text.clone())),
            Json::Bool(flag) => self.set(key, ConfigValue::Flag(*flag)),
            _ => self.set(key, ConfigValue::Computed),
        }
    }
}
