//! Parses JSON with the position of each string, which `serde_json` does not report.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// A string, and its position between the quotes.
#[derive(Debug, PartialEq, Eq)]
pub struct JsonText {
    /// The unescaped text.
    pub text: String,
    /// The position in the source, in bytes.
    pub span: Range<u32>,
}

/// A JSON value. If a key occurs twice, the last one counts.
#[derive(Debug, PartialEq, Eq)]
pub enum Json {
    /// A string.
    Text(JsonText),
    /// A list.
    Array(Vec<Json>),
    /// Keys and values.
    Object(BTreeMap<String, Json>),
    /// A number, `true`, `false` or `null`.
    Other(Value),
}

impl Json {
    /// Returns the value of a key, if this is an object.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(entries) => entries.get(key),
            _ => None,
        }
    }

    /// Returns the string under a key, if this is an object.
    pub fn text(&self, key: &str) -> Option<&JsonText> {
        match self.get(key)? {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number, `true`, `false` or `null` under a key, if this is an object.
    pub fn other(&self, key: &str) -> Option<&Value> {
        match self.get(key)? {
            Json::Other(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the items of the list under a key, if this is an object.
    pub fn items(&self, key: &str) -> impl Iterator<Item = &Json> {
        let list = match self.get(key) {
            Some(Json::Array(items)) => items.as_slice(),
            _ => &[],
        };
        list.iter()
    }
}

/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct JsonError {
    /// The parser's message.
    pub reason: String,
    /// The position of the error, in bytes.
    pub offset: u32,
}

impl JsonError {
    /// Shifts the error's position, for JSON that begins at `start` of a document.
    #[must_use]
    pub fn after(self, start: u32) -> JsonError {
        JsonError { offset: start + self.offset, ..self }
    }
}

/// Parses JSON with at most 128 nested levels, the limit of `serde_json`.
///
/// # Errors
/// When the syntax is invalid.
pub fn parse(source: &[u8]) -> Result<Json, JsonError> {
    parse_from(source, 0)
}

/// Parses the JSON of a file, as [`parse`] does. A byte order mark is skipped, as browsers do when they decode a
/// file.
///
/// # Errors
/// When the syntax is invalid.
pub fn parse_file(source: &[u8]) -> Result<Json, JsonError> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    parse_from(source, if source.starts_with(MARK) { MARK.len() } else { 0 })
}

fn parse_from(source: &[u8], start: usize) -> Result<Json, JsonError> {
    let text = &source[start..];
    let mut positions = StringPositions { source, cursor: start };
    let mut reader = serde_json::Deserializer::from_slice(text);
    let json = positions.deserialize(&mut reader).and_then(|json| reader.end().map(|()| json));
    json.map_err(|error| JsonError { reason: error.to_string(), offset: start as u32 + offset(text, &error) })
}

/// Returns the position of an error.
fn offset(source: &[u8], error: &serde_json::Error) -> u32 {
    let line_start = match error.line() {
        0 | 1 => 0,
        line => memchr::memchr_iter(b'\n', source).nth(line - 2).map_or(0, |at| at + 1),
    };
    (line_start + error.column().saturating_sub(1)).min(source.len()) as u32
}

/// Tracks the position of strings while the parser runs. Strings and keys are visited in the order of the
/// source, and JSON has no quotes between them.
struct StringPositions<'s> {
    source: &'s [u8],
    cursor: usize,
}

impl StringPositions<'_> {
    /// Returns the position of the next string, without its quotes.
    fn next_string(&mut self) -> Range<u32> {
        let rest = |from: usize| self.source.get(from..).unwrap_or_default();
        let start = self.cursor + memchr::memchr(b'"', rest(self.cursor)).map_or(0, |at| at + 1);
        let mut end = start;
        while let Some(at) = memchr::memchr2(b'"', b'\\', rest(end)) {
            end += at;
            if self.source[end] == b'"' {
                break;
            }
            end += 2; // the backslash, and what it escapes
        }
        self.cursor = end + 1;
        start as u32..end as u32
    }
}

impl<'de> DeserializeSeed<'de> for &mut StringPositions<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Json, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut StringPositions<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(JsonText { text: text.to_owned(), span: self.next_string() }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(&mut *self)? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(key) = map.next_key::<String>()? {
            self.next_string();
            entries.insert(key, map.next_value_seed(&mut *self)?);
        }
        Ok(Json::Object(entries))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Other(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Other(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Other(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Other(value.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Other(Value::Null))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use serde_json::Value;

    use super::{Json, JsonError, parse};

    /// Returns the value without positions.
    fn without_positions(json: &Json) -> Value {
        match json {
            Json::Text(text) => Value::from(text.text.as_str()),
            Json::Array(items) => items.iter().map(without_positions).collect(),
            Json::Object(entries) => {
                entries.iter().map(|(key, value)| (key.clone(), without_positions(value))).collect()
            }
            Json::Other(value) => value.clone(),
        }
    }

    fn texts<'j>(json: &'j Json, found: &mut Vec<&'j super::JsonText>) {
        match json {
            Json::Text(text) => found.push(text),
            Json::Array(items) => items.iter().for_each(|item| texts(item, found)),
            Json::Object(entries) => entries.values().for_each(|value| texts(value, found)),
            Json::Other(_) => {}
        }
    }

    /// Any value.
    fn values() -> impl Strategy<Value = Value> {
        let text = prop_oneof!["[a\"\\\\/\u{e9}\n{},:]{0,6}", any::<String>()];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            text.clone().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(text.clone(), inner, 0..4)
                    .prop_map(|entries| entries.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn parses_like_serde_json_and_reports_the_position_of_strings(value in values(), pretty: bool) {
            let source = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let source = source.unwrap();
            let json = parse(source.as_bytes()).unwrap();
            prop_assert_eq!(without_positions(&json), value);
            let mut found = Vec::new();
            texts(&json, &mut found);
            for text in found {
                let raw = &source[text.span.start as usize - 1..=text.span.end as usize];
                prop_assert_eq!(&serde_json::from_str::<String>(raw).unwrap(), &text.text);
            }
        }

        #[test]
        fn rejects_what_serde_json_rejects_with_the_same_message(source in "[\\[\\]{}\":,a1\\\\ntrue \n.e-]{0,24}") {
            let wanted = serde_json::from_str::<Value>(&source).map_err(|error| error.to_string());
            let found = parse(source.as_bytes()).map_err(|error| error.reason);
            prop_assert_eq!(found.map(|_| ()), wanted.map(|_| ()));
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        for open in ["[", "{\"a\":"] {
            let JsonError { reason, offset } = parse(open.repeat(1_000_000).as_bytes()).unwrap_err();
            assert!(reason.contains("recursion limit"), "{reason}");
            assert!(offset < 1000, "{offset}");
        }
    }
}
