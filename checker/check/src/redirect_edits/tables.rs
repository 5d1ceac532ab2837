//! Finds and writes the `[[redirects]]` in the text of a contract and of `netlify.toml`.

use std::ops::Range;

use super::entry::RedirectEntry;
use sitegate_host::redirects::{RedirectOrigin, TomlRedirect, toml_redirects};

/// The header of an entry.
const HEADER: &str = "[[redirects]]";

/// Returns the redirects of a text that are tables of their own.
pub(super) fn entries(text: &str) -> Vec<RedirectEntry> {
    let tables = toml_redirects(text, &RedirectOrigin::Contract).into_iter().flatten().flatten();
    let entry = |TomlRedirect { redirect, values, is_plain }| {
        let to = redirect.span.start as usize..redirect.span.end as usize;
        Some(RedirectEntry { block: block(text, &values)?, redirect, to, is_plain })
    };
    tables.filter_map(entry).collect()
}

/// Whether a text has redirects that are no tables of their own: no `[[redirects]]` can be added to them.
pub(super) fn has_inline_list(text: &str) -> bool {
    toml_redirects(text, &RedirectOrigin::Contract).is_some_and(|tables| tables.len() > entries(text).len())
}

/// Returns the lines of an entry, with its header and an empty line before it; `None` if it has no header of its own.
fn block(text: &str, values: &Range<usize>) -> Option<Range<usize>> {
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |at| at + 1);
    let mut start = line_start(values.start);
    loop {
        let line = text[start..values.start].lines().next().unwrap_or_default().trim();
        if line.starts_with(HEADER) {
            break;
        }
        if start == 0 || line.starts_with('[') {
            return None;
        }
        start = line_start(start - 1);
    }
    let before = line_start(start.saturating_sub(1));
    if start > 0 && text[before..start].trim().is_empty() {
        start = before;
    }
    let end = text[values.end..].find('\n').map_or(text.len(), |at| values.end + at + 1);
    Some(start..end)
}

/// Returns a new entry, without its end. Neither path has a character that a string of TOML must escape.
pub(super) fn table(from: &str, to: &str, newline: &str) -> String {
    ["", HEADER, &format!("from = \"{from}\""), &format!("to = \"{to}\"")].join(newline)
}
