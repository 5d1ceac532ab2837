//! Reads and writes the lines of a `_redirects` file.

use super::entry::RedirectEntry;
use sitegate_host::Host;
use sitegate_host::redirects::Redirects;

/// The parts of a plain line: source, destination, status.
const PARTS: usize = 3;

/// Returns the redirects of a text.
pub(super) fn entries(text: &str, host: Option<Host>) -> Vec<RedirectEntry> {
    let entry = |redirect: sitegate_host::redirects::Redirect| {
        let to = redirect.span.start as usize..redirect.span.end as usize;
        let start = text[..to.start].rfind('\n').map_or(0, |at| at + 1);
        let start = if text[start..].starts_with('\u{feff}') { start + '\u{feff}'.len_utf8() } else { start };
        let end = text[to.end..].find('\n').map_or(text.len(), |at| to.end + at + 1);
        let words = text[start..end].split_whitespace().take_while(|word| !word.starts_with('#')).count();
        let is_plain = words <= PARTS && !redirect.is_conditional();
        RedirectEntry { redirect, block: start..end, to, is_plain }
    };
    Redirects::parse(text, host).all.into_iter().map(entry).collect()
}

/// Returns a new line, without its end.
pub(super) fn line(from: &str, to: &str) -> String {
    format!("{from}  {to}  301")
}
