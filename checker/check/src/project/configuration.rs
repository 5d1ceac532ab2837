//! Represents the settings of a configuration file that can be read without running it, and reads those with one
//! setting per line: the top level of YAML, and plain assignments of Python.
//!
//! A value that is not plain, or not on one line, counts as computed.

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

/// Reads the top level of a YAML file.
pub(super) fn read_yaml(text: &str) -> Configuration {
    let mut settings = Configuration::default();
    for line in text.lines() {
        let Some((key, value)) = line.split_once(':') else { continue };
        let is_value = value.is_empty() || value.starts_with([' ', '\t']);
        if is_value && is_name(key) {
            settings.set(key.to_owned(), yaml(value.trim()));
        }
    }
    settings
}

/// Parses a YAML value on one line.
fn yaml(value: &str) -> ConfigValue {
    if let Some(quoted) = quoted(value) {
        return quoted;
    }
    let plain = value.split(" #").next().unwrap_or_default().trim_end();
    match plain {
        "true" | "True" | "yes" | "on" => ConfigValue::Flag(true),
        "false" | "False" | "no" | "off" => ConfigValue::Flag(false),
        _ if plain.starts_with(|c: char| "!&*|>{[#%@`".contains(c)) || plain.is_empty() => {
            ConfigValue::Computed
        }
        _ => ConfigValue::Text(plain.to_owned()),
    }
}

/// Reads the top-level assignments of a Python file.
pub(super) fn read_python(text: &str) -> Configuration {
    let mut settings = Configuration::default();
    for line in text.lines() {
        let Some((name, value)) = line.split_once('=') else { continue };
        let name = name.trim_end();
        if is_name(name) && !value.starts_with('=') {
            settings.set(name.to_owned(), quoted(value.trim()).unwrap_or(ConfigValue::Computed));
        }
    }
    settings
}

/// Parses a quoted string without escapes. Only a comment may follow it.
fn quoted(value: &str) -> Option<ConfigValue> {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (text, rest) = value[1..].split_once(quote)?;
    let rest = rest.trim_start();
    let is_plain = !text.contains('\\') && (rest.is_empty() || rest.starts_with('#'));
    Some(if is_plain { ConfigValue::Text(text.to_owned()) } else { ConfigValue::Computed })
}

fn is_name(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::{ConfigValue, read_python, read_yaml};

    fn text(text: &str) -> ConfigValue {
        ConfigValue::Text(text.to_owned())
    }

    #[test]
    fn reads_plain_yaml() {
        let settings = read_yaml(
            "site_url: https://a.test/docs/ # live\nsite_dir: 'out'\nuse_directory_urls: false\nextra:\n  site_url: x\n\
             url: !ENV [URL, x]\nbaseurl: \"\" # none\ndestination: \"a\\tb\"\nhttp://x: y\n",
        );
        assert_eq!(settings.get("site_url"), Some(&text("https://a.test/docs/")));
        assert_eq!(settings.get("site_dir"), Some(&text("out")));
        assert_eq!(settings.get("use_directory_urls"), Some(&ConfigValue::Flag(false)));
        assert_eq!(settings.get("url"), Some(&ConfigValue::Computed));
        assert_eq!(settings.get("baseurl"), Some(&text("")));
        assert_eq!(settings.get("destination"), Some(&ConfigValue::Computed));
    }

    #[test]
    fn reads_plain_python() {
        let settings = read_python(
            "html_baseurl = \"https://a.test/\"  # live\nproject = \"a\" + \"b\"\nif x:\n    html_theme = 'y'\na == 'b'\n\
             html_title = os.environ.get('X', 'y')\n",
        );
        assert_eq!(settings.get("html_baseurl"), Some(&text("https://a.test/")));
        assert_eq!(settings.get("project"), Some(&ConfigValue::Computed));
        assert_eq!(settings.get("html_theme"), None);
        assert_eq!(settings.get("html_title"), Some(&ConfigValue::Computed));
    }
}
