//! Reads a YAML document as a value, with the comments after its strings: they say why an entry is there.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

/// Maximum depth of lists and mappings. Configurations have three levels.
const MAX_DEPTH: usize = 16;

/// A YAML document.
#[derive(Debug, Default)]
pub(super) struct YamlDocument {
    /// Its value.
    pub value: Value,
    /// The comment on the same line, by string.
    pub comments: BTreeMap<String, String>,
}

/// An open list, or an open mapping with its current key.
enum OpenYaml {
    List(Vec<Value>),
    Mapping(Map<String, Value>, Option<String>),
}

/// Reads the first document of a text.
///
/// # Errors
/// If it is malformed, has aliases, or a key that is not a string.
pub(super) fn read(text: &str) -> Result<YamlDocument, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut document = YamlDocument { value: Value::Object(Map::new()), ..YamlDocument::default() };
    let mut open: Vec<OpenYaml> = Vec::new();
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| error.to_string())?;
        let line = span.start.line();
        let done = match event {
            Event::Scalar(value, style, ..) => {
                if let Some(comment) =
                    lines.get(line.saturating_sub(1)).and_then(|line| comment(line, &value))
                {
                    document.comments.insert(value.clone().into_owned(), comment.to_owned());
                }
                if let Some(OpenYaml::Mapping(_, key @ None)) = open.last_mut() {
                    *key = Some(value.into_owned());
                    continue;
                }
                scalar(&value, style)
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() >= MAX_DEPTH => {
                return Err(format!("line {line}: too many nested lists"));
            }
            Event::SequenceStart(..) => {
                open.push(OpenYaml::List(Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                if let Some(OpenYaml::Mapping(_, None)) = open.last() {
                    return Err(format!("line {line}: a key must be a string"));
                }
                open.push(OpenYaml::Mapping(Map::new(), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(OpenYaml::List(list)) => Value::Array(list),
                Some(OpenYaml::Mapping(mapping, _)) => Value::Object(mapping),
                None => continue,
            },
            Event::Alias(_) => {
                return Err(format!("line {line}: aliases are not supported; write the value"));
            }
            Event::DocumentEnd => break,
            Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::Nothing => continue,
        };
        match open.last_mut() {
            None => document.value = done,
            Some(OpenYaml::List(list)) => list.push(done),
            Some(OpenYaml::Mapping(mapping, key)) => {
                let key = key.take().ok_or_else(|| format!("line {line}: a key must be a string"))?;
                mapping.insert(key, done);
            }
        }
    }
    Ok(document)
}

/// Returns the comment after a value on its line.
fn comment<'l>(line: &'l str, value: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(value)?;
    let rest = rest.trim_start_matches(['"', '\'']);
    let comment = rest.trim_start().strip_prefix('#').filter(|_| rest.starts_with([' ', '\t']))?;
    Some(comment.trim()).filter(|comment| !comment.is_empty())
}

/// Returns the value of a scalar by the rules of YAML 1.1, as Go and Ruby read it.
fn scalar(value: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::String(value.to_owned());
    }
    match value {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Value::Bool(true),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Value::Bool(false),
        _ => value.parse::<i64>().map_or_else(|_| Value::String(value.to_owned()), Value::from),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::read;

    #[test]
    fn reads_configurations() {
        let text = "%YAML 1.1\n---\nA: True # yes\nB: \"no\"\nC: no\nD:\n- ^a#b$ # why\n-  'x # y'\nE:\nF: { G: 16 }\n";
        let document = read(text).unwrap();
        let value =
            json!({"A": true, "B": "no", "C": false, "D": ["^a#b$", "x # y"], "E": null, "F": {"G": 16}});
        assert_eq!(document.value, value);
        assert_eq!(document.comments["^a#b$"], "why");
        assert!(!document.comments.contains_key("x # y"));
    }

    #[test]
    fn refuses_what_is_no_configuration() {
        let deep = "[".repeat(40) + &"]".repeat(40);
        for text in ["a: [", "a: &x b\nc: *x", "[a]: b\n", "{[a]: b}", "a: b: c", &deep] {
            assert!(read(text).is_err(), "{text}: {:?}", read(text));
        }
        assert_eq!(read("").unwrap().value, json!({}));
    }
}
