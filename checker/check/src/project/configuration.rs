//! What a configuration says, as far as that can be told by reading it.

use std::collections::BTreeMap;

use serde_json::Value as Json;
pub(super) use sitegate_script::ConfigValue;

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

    /// What a script says, by keys.
    pub fn of_script(values: BTreeMap<String, ConfigValue>) -> Configuration {
        Configuration(values)
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
