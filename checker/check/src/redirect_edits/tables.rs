//! Reads and writes the `[[redirects]]` of a contract and of `netlify.toml`.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::entry::RedirectEntry;
use sitegate_host::redirects::Redirect;

/// The header of an entry.
const HEADER: &str = "[[redirects]]";

/// The keys of a plain entry.
const KEYS: [&str; 4] = ["from", "to", "status", "force"];

/// Returns the redirects of a text that are tables of their own.
pub(super) fn entries(text: &str) -> Vec<RedirectEntry> {
    // The contract was valid, with its byte order mark or without.
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let Ok(document) = DeTable::parse(&text[start..]) else { return Vec::new() };
    let list = document.get_ref().get("redirects").and_then(|list| list.get_ref().as_array());
    let mut entries = Vec::new();
    for item in list.into_iter().flat_map(|list| list.iter()) {
        let Some(table) = item.get_ref().as_table() else { continue };
        entries.extend(entry(text, start, table));
    }
    entries
}

fn entry(text: &str, offset: usize, table: &DeTable<'_>) -> Option<RedirectEntry> {
    let value_of = |key: &str| table.get(key);
    let string = |key: &str| value_of(key)?.get_ref().as_str().map(str::to_owned);
    let number = value_of("status").and_then(|status| status.get_ref().as_integer()?.as_str().parse().ok());
    let is_forced = value_of("force").is_some_and(|force| force.get_ref().as_bool() == Some(true));
    let spans = table.iter().map(|(key, value)| key.span().start + offset..value.span().end + offset);
    let all = spans.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))?;
    let quoted = value_of("to")?.span();
    let quote = text[quoted.start + offset..].chars().take_while(|c| matches!(c, '"' | '\'')).count();
    let to = quoted.start + offset + quote..quoted.end + offset - quote;
    let redirect = Redirect::of_entry(&string("from")?, string("to")?, number.unwrap_or(301), is_forced);
    let block = block(text, &all)?;
    let is_plain = table.iter().all(|(key, value)| is_plain_key(key.get_ref(), value)) && quote == 1;
    Some(RedirectEntry { redirect, block, to, is_plain })
}

fn is_plain_key(key: &str, value: &Spanned<DeValue<'_>>) -> bool {
    KEYS.contains(&key) && value.get_ref().as_table().is_none()
}

/// Whether a text has redirects that are no tables of their own: no `[[redirects]]` can be added to them.
pub(super) fn has_inline_list(text: &str) -> bool {
    let document = DeTable::parse(text.trim_start_matches('\u{feff}'));
    let list = document.as_ref().ok().and_then(|document| document.get_ref().get("redirects"));
    let list = list.and_then(|list| list.get_ref().as_array());
    list.is_some_and(|list| list.iter().count() > entries(text).len())
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
