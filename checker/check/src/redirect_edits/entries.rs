//! Reads and writes the redirects in the text of a file: the lines of `_redirects`, and the `[[redirects]]` of a
//! contract and of `netlify.toml`.

use std::ops::Range;

use sitegate_address::UrlReference;
use sitegate_address::percent::decode;
use sitegate_host::Host;
use sitegate_host::redirects::{
    Redirect, RedirectOrigin, Redirects, TomlRedirect, redirect_key, toml_redirects,
};

/// A redirect in a text.
#[derive(Debug)]
pub(super) struct RedirectEntry {
    /// The redirect.
    pub redirect: Redirect,
    /// The whole entry, with its last newline.
    pub block: Range<usize>,
    /// The destination, without quotes.
    pub to: Range<usize>,
    /// Whether it has only a source, a destination and a status.
    pub is_plain: bool,
}

impl RedirectEntry {
    /// Whether it may be changed or removed: a redirect of one address, without conditions.
    pub fn is_editable(&self) -> bool {
        self.is_plain
            && self.redirect.is_http_redirect()
            && !self.redirect.is_pattern()
            && !self.redirect.has_placeholders()
    }

    /// Returns the key of its source.
    pub fn key(&self) -> String {
        redirect_key(&self.redirect.from)
    }

    /// Returns the key of its destination below a base path, if it is on this site, and its query and fragment.
    pub fn destination(&self, base_path: &str) -> Option<(String, &str)> {
        let to = UrlReference::new(self.redirect.to.as_str());
        Some((destination_key(to.path(), base_path)?, to.query_and_fragment()))
    }
}

/// Returns the key of an encoded path below a base path; `None` for a URL.
pub(super) fn destination_key(path: &str, base_path: &str) -> Option<String> {
    let path = UrlReference::new(path).path();
    if !path.starts_with('/') || path.starts_with("//") {
        return None;
    }
    let path = decode(path)?;
    Some(redirect_key(path.strip_prefix(base_path).unwrap_or(&path)))
}

/// The parts of a plain line: source, destination, status.
const LINE_PARTS: usize = 3;

/// Returns the redirects of a `_redirects` file.
pub(super) fn line_entries(text: &str, host: Option<Host>) -> Vec<RedirectEntry> {
    let entry = |redirect: Redirect| {
        let to = redirect.span.start as usize..redirect.span.end as usize;
        let start = text[..to.start].rfind('\n').map_or(0, |at| at + 1);
        let start = if text[start..].starts_with('\u{feff}') { start + '\u{feff}'.len_utf8() } else { start };
        let end = text[to.end..].find('\n').map_or(text.len(), |at| to.end + at + 1);
        let words = text[start..end].split_whitespace().take_while(|word| !word.starts_with('#')).count();
        let is_plain = words <= LINE_PARTS && !redirect.is_conditional();
        RedirectEntry { redirect, block: start..end, to, is_plain }
    };
    Redirects::parse(text, host).all.into_iter().map(entry).collect()
}

/// Returns a new line of a `_redirects` file, without its end.
pub(super) fn line(from: &str, to: &str) -> String {
    format!("{from}  {to}  301")
}

/// The header of a table.
const TABLE_HEADER: &str = "[[redirects]]";

/// Returns the redirects of a contract or of `netlify.toml` that are tables of their own.
pub(super) fn table_entries(text: &str) -> Vec<RedirectEntry> {
    let tables = toml_redirects(text, &RedirectOrigin::Contract).into_iter().flatten().flatten();
    let entry = |TomlRedirect { redirect, values, is_plain }| {
        let to = redirect.span.start as usize..redirect.span.end as usize;
        Some(RedirectEntry { block: table_block(text, &values)?, redirect, to, is_plain })
    };
    tables.filter_map(entry).collect()
}

/// Whether a text has redirects that are no tables of their own: no `[[redirects]]` can be added to them.
pub(super) fn has_inline_list(text: &str) -> bool {
    toml_redirects(text, &RedirectOrigin::Contract)
        .is_some_and(|tables| tables.len() > table_entries(text).len())
}

/// Returns the lines of a table, with its header and an empty line before it; `None` if it has no header of its own.
fn table_block(text: &str, values: &Range<usize>) -> Option<Range<usize>> {
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |at| at + 1);
    let mut start = line_start(values.start);
    loop {
        let line = text[start..values.start].lines().next().unwrap_or_default().trim();
        if line.starts_with(TABLE_HEADER) {
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

/// Returns a new table, without its end. Neither path has a character that a string of TOML must escape.
pub(super) fn table(from: &str, to: &str, newline: &str) -> String {
    ["", TABLE_HEADER, &format!("from = \"{from}\""), &format!("to = \"{to}\"")].join(newline)
}
