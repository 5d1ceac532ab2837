//! Represents the settings of a configuration file that can be read without running it.

use std::collections::BTreeMap;

use serde_json::Value as Json;
pub(super) use sitegate_script::ConfigValue;

/// A configuration: values by keys such as `build.outDir`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Configuration(BTreeMap<String, ConfigValue>);

impl Configuration {
    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&ConfigValue> {
        self.0.get(key)
    }

    /// Whether the configuration has a key, or any key below it.
    pub fn has(&self, key: &str) -> bool {
        self.0
            .keys()
            .any(|known| known.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    }

    /// Sets a key; later values replace earlier ones.
    pub fn set(&mut self, key: String, setting: ConfigValue) {
        self.0.insert(key, setting);
    }

    /// Creates a configuration from the values of a script.
    pub fn of_script(values: BTreeMap<String, ConfigValue>) -> Configuration {
        Configuration(values)
    }

    /// Creates a configuration from a JSON or TOML document.
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
