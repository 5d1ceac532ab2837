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

/// An event with the number of its line.
type YamlEvent<'t> = (Event<'t>, usize);

/// Reads the first document of a text.
///
/// # Errors
/// If it is malformed, has aliases, or a key that is not a string.
pub(super) fn read(text: &str) -> Result<YamlDocument, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut comments = BTreeMap::new();
    let mut events = Parser::new_from_str(text).map(|event| {
        let (event, span) = event.map_err(|error| error.to_string())?;
        let line = span.start.line();
        if let Event::Scalar(value, ..) = &event
            && let Some(comment) = lines.get(line.saturating_sub(1)).and_then(|line| comment(line, value))
        {
            comments.insert(value.clone().into_owned(), comment.to_owned());
        }
        Ok((event, line))
    });
    let value = loop {
        match next(&mut events)? {
            (Event::StreamStart | Event::DocumentStart(_), _) => {}
            (Event::StreamEnd, _) => break Value::Object(Map::new()),
            first => break node(first, 0, &mut events)?,
        }
    };
    drop(events);
    Ok(YamlDocument { value, comments })
}

type YamlEvents<'e, 't> = &'e mut dyn Iterator<Item = Result<YamlEvent<'t>, String>>;

fn next<'t>(events: YamlEvents<'_, 't>) -> Result<YamlEvent<'t>, String> {
    events.next().unwrap_or_else(|| Err("it ends in the middle of a value".to_owned()))
}

/// Reads the value that begins with an event.
fn node<'t>((event, line): YamlEvent<'t>, depth: usize, events: YamlEvents<'_, 't>) -> Result<Value, String> {
    let fail = |at: usize, reason: &str| Err(format!("line {at}: {reason}"));
    match event {
        Event::Scalar(value, style, ..) => Ok(scalar(&value, style)),
        Event::SequenceStart(..) | Event::MappingStart(..) if depth == MAX_DEPTH => {
            fail(line, "too many nested lists")
        }
        Event::SequenceStart(..) => {
            let mut list = Vec::new();
            loop {
                match next(events)? {
                    (Event::SequenceEnd, _) => return Ok(Value::Array(list)),
                    entry => list.push(node(entry, depth + 1, events)?),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut mapping = Map::new();
            loop {
                let key = match next(events)? {
                    (Event::MappingEnd, _) => return Ok(Value::Object(mapping)),
                    (Event::Scalar(key, ..), _) => key.into_owned(),
                    (_, at) => return fail(at, "a key must be a string"),
                };
                let value = next(events)?;
                mapping.insert(key, node(value, depth + 1, events)?);
            }
        }
        Event::Alias(_) => fail(line, "aliases are not supported; write the value"),
        _ => fail(line, "a value is missing"),
    }
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
