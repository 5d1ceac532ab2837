//! Writes untrusted text as JSON in a script element.

use std::io::{self, Write};

use serde::Serialize;

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
