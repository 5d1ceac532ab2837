//! Escapes untrusted text for the page: as HTML, and as JSON in a script element.

use std::io::{self, Write};

use serde::Serialize;

use crate::output::{markup, phrases};
use sitegate_base::sanitize::visible;

/// Writes JSON for a script element. Escapes `<`, which could end the element or start a comment.
pub(super) fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    for (index, part) in text.split('<').enumerate() {
        if index > 0 {
            out.write_all(b"\\u003c")?;
        }
        out.write_all(part.as_bytes())?;
    }
    Ok(())
}

/// Converts a message, in which backticks mark code, to HTML.
pub(super) fn prose(text: &str) -> String {
    phrases::with_code(text, escaped, |part| format!("<code>{}</code>", escaped(part)))
}

/// Escapes text for HTML, including control characters, which HTML does not allow.
pub(super) fn escaped(text: &str) -> String {
    markup::escaped(&visible(text), |c, safe| safe.push(c))
}
