//! Rewords the messages of serde about a contract: names the key, the expected value and how to write it.

use sitegate_base::nearest::nearest;

use super::error::{unknown, unknown_key};

/// Rewords a message of serde about the value of a key.
pub(crate) fn readable_message(message: &str, key: Option<&str>) -> String {
    let first = message.lines().next().unwrap_or(message);
    let reworded = unknown_key(first)
        .map(|(name, known)| unknown(name, known))
        .or_else(|| unknown_variant(first, key))
        .or_else(|| wrong_type(first, key))
        .or_else(|| missing_key(first));
    reworded.unwrap_or_else(|| message.to_owned())
}

/// Returns the key of a value, by the text before the value on its line.
pub(super) fn key_before_value(line: &str) -> Option<&str> {
    let before = line.trim_end().strip_suffix('=')?.trim_end();
    let key = before.rsplit([' ', '\t', '{', ',', '.']).next()?.trim_matches(['"', '\'']);
    (!key.is_empty()).then_some(key)
}

/// Rewords the message about an unknown name, with similar ones.
fn unknown_variant(message: &str, key: Option<&str>) -> Option<String> {
    let (found, expected) = message.strip_prefix("unknown variant `")?.split_once('`')?;
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let subject =
        key.map_or_else(|| format!("unknown value `{found}`"), |key| format!("unknown `{key}`: `{found}`"));
    let similar = || known.iter().copied().filter(|name| !found.is_empty() && name.starts_with(found));
    let near: Vec<&str> = match nearest(found, known.iter().copied()) {
        Some(near) => vec![near],
        None => similar().collect(),
    };
    Some(match near.as_slice() {
        [] => format!("{subject}; known values: `{}`", known.join("`, `")),
        near => format!("{subject}; did you mean `{}`?", near.join("` or `")),
    })
}

/// Rewords the message about a value of the wrong type, with an example if the value shows the intention.
fn wrong_type(message: &str, key: Option<&str>) -> Option<String> {
    let wrong = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, expected) = wrong.rsplit_once(", expected ")?;
    let text = found.strip_prefix("string \"").and_then(|text| text.strip_suffix('"'));
    let plain = || found.split('`').nth(1);
    let (words, example) = match expected {
        "usize" | "u64" | "u32" | "u16" | "u8" => {
            let number = text.filter(|text| text.parse::<u64>().is_ok());
            (
                if number.is_some() { "a whole number without quotes" } else { "a whole number" },
                number.map(str::to_owned),
            )
        }
        "i64" | "i32" => {
            ("a whole number", text.filter(|text| text.parse::<i64>().is_ok()).map(str::to_owned))
        }
        "f64" | "f32" => ("a number", text.filter(|text| text.parse::<f64>().is_ok()).map(str::to_owned)),
        "a boolean" => {
            ("`true` or `false`", text.filter(|text| matches!(*text, "true" | "false")).map(str::to_owned))
        }
        "a string" | "path string" => ("text in quotes", plain().map(|value| format!("\"{value}\""))),
        "a sequence" => ("a list", text.map(|text| format!("[\"{text}\"]"))),
        "a map" => ("a table", None),
        _ if expected.starts_with("struct ") => ("a table", None),
        other => (other, None),
    };
    let subject = key.map_or_else(|| "this value".to_owned(), |key| format!("`{key}`"));
    let found = match found {
        "sequence" => "a list".to_owned(),
        "map" => "a table".to_owned(),
        _ => text.map_or_else(|| format!("`{}`", plain().unwrap_or(found)), |text| format!("`\"{text}\"`")),
    };
    let verb = if key.is_some() { "takes" } else { "must be" };
    Some(match (key, example) {
        (Some(key), Some(example)) => format!("{subject} {verb} {words}: `{key} = {example}`"),
        _ => format!("{subject} {verb} {words}, not {found}"),
    })
}

/// Rewords the message about a missing key.
fn missing_key(message: &str) -> Option<String> {
    match message.strip_prefix("missing field `")?.split('`').next()? {
        "reason" => Some("add a `reason`: it is shown in reports and in the seal".to_owned()),
        key => Some(format!("missing key `{key}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::{key_before_value, readable_message};

    #[test]
    fn names_the_key_and_an_example() {
        for (message, line, expected) in [
            (
                "invalid type: string \"3\", expected usize",
                "count = ",
                "`count` takes a whole number without quotes: `count = 3`",
            ),
            (
                "invalid type: string \"a\", expected usize",
                "count = ",
                "`count` takes a whole number, not `\"a\"`",
            ),
            (
                "invalid value: integer `-1`, expected usize",
                "x = { count = ",
                "`count` takes a whole number, not `-1`",
            ),
            (
                "invalid type: integer `3`, expected a string",
                "root = ",
                "`root` takes text in quotes: `root = \"3\"`",
            ),
            (
                "invalid type: integer `3`, expected a string",
                "required = [",
                "this value must be text in quotes, not `3`",
            ),
            (
                "invalid type: string \"/\", expected a sequence",
                "required = ",
                "`required` takes a list: `required = [\"/\"]`",
            ),
            ("invalid type: map, expected a sequence", "required = ", "`required` takes a list, not a table"),
            (
                "unknown variant `s3`, expected one of `s3-website`, `s3-rest`, `nginx`",
                "host = ",
                "unknown `host`: `s3`; did you mean `s3-website` or `s3-rest`?",
            ),
            (
                "unknown variant `x`, expected `redirect` or `never`",
                "a.b = ",
                "unknown `b`: `x`; known values: `redirect`, `never`",
            ),
            ("missing field `from`", "", "missing key `from`"),
            ("invalid length 3", "x = ", "invalid length 3"),
        ] {
            assert_eq!(readable_message(message, key_before_value(line)), expected);
        }
    }
}
