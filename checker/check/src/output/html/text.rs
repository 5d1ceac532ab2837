//! Text of strangers on its way into a page: as HTML, and as JSON in a script.

use std::io::{self, Write};

use serde::Serialize;

use crate::output::{markup, words};
use sitegate_base::sanitize::visible;

/// JSON in a script element: no `<` in it can end the element or begin a comment.
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

/// Text whose backticks mark code, as messages are written.
pub(super) fn prose(text: &str) -> String {
    words::with_code(text, escaped, |part| format!("<code>{}</code>", escaped(part)))
}

/// Text for HTML, which allows most control characters nowhere.
pub(super) fn escaped(text: &str) -> String {
    markup::escaped(&visible(text), |c, safe| safe.push(c))
}
