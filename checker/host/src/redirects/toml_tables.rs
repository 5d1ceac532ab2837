//! Reads `[[redirects]]` in TOML: the entries of a contract and of `netlify.toml`.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::redirect::{Redirect, RedirectOrigin};

/// The keys of a plain entry.
const KEYS: [&str; 4] = ["from", "to", "status", "force"];

/// An entry of `[[redirects]]`.
#[derive(Debug)]
pub struct TomlRedirect {
    /// The redirect. Its location is that of the destination, without quotes.
    pub redirect: Redirect,
    /// The location of the entry without its header: from the first key to the end of the last value.
    pub values: Range<usize>,
    /// Whether it has only a source, a destination, a status and `force`, and a destination that is not a multi-line
    /// string.
    pub is_plain: bool,
}

/// Returns the items of `redirects`: `None` for one without a source or a destination. Returns `None` if the text is no
/// TOML. A byte order mark is skipped.
pub fn toml_redirects(text: &str, origin: &RedirectOrigin) -> Option<Vec<Option<TomlRedirect>>> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let document = DeTable::parse(&text[start..]).ok()?;
    let list = document.get_ref().get("redirects").and_then(|list| list.get_ref().as_array());
    let items = list.into_iter().flat_map(|list| list.iter());
    Some(items.map(|item| toml_redirect(item.get_ref().as_table()?, text, start, origin)).collect())
}

fn toml_redirect(
    table: &DeTable<'_>,
    text: &str,
    start: usize,
    origin: &RedirectOrigin,
) -> Option<TomlRedirect> {
    let value = |key: &str| Some(table.get(key)?.get_ref());
    let string = |key: &str| value(key)?.as_str();
    let status = value("status").and_then(|status| status.as_integer()?.as_str().parse().ok());
    let is_forced = value("force").and_then(DeValue::as_bool) == Some(true);
    let quoted = table.get("to")?.span();
    let quote = text[start + quoted.start..].chars().take_while(|c| matches!(c, '"' | '\'')).count();
    let span = (start + quoted.start + quote) as u32..(start + quoted.end - quote) as u32;
    let redirect = Redirect::new(
        (string("from")?, string("to")?.to_owned()),
        (status.unwrap_or(301), is_forced),
        span,
        origin.clone(),
    );
    // They depend on the reader, or on the query.
    let is_condition = |key: &str| {
        value(key).is_some_and(|found| found.as_table().is_none_or(|conditions| !conditions.is_empty()))
    };
    let is_conditional = ["conditions", "query"].into_iter().any(is_condition);
    let values = table.iter().map(|(key, of_key)| start + key.span().start..start + of_key.span().end);
    let values = values.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))?;
    let is_plain = table.iter().all(|(key, of_key)| is_plain_key(key.get_ref(), of_key)) && quote == 1;
    let redirect = Redirect { has_conditions: is_conditional, ..redirect };
    Some(TomlRedirect { redirect, values, is_plain })
}

fn is_plain_key(key: &str, value: &Spanned<DeValue<'_>>) -> bool {
    KEYS.contains(&key) && value.get_ref().as_table().is_none()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{RedirectOrigin, toml_redirects};

    #[test]
    fn locates_destinations_without_their_quotes() {
        let text = "\u{feff}[[redirects]]\nfrom = '/a%20b'\nto = \"\"\"/c\"\"\"\nstatus = 302\n\
            [[redirects]]\nto = '/d'\nfrom = \"/e\"\nquery = { id = \":id\" }\n[[redirects]]\nfrom = \"/f\"\n";
        let tables = toml_redirects(text, &RedirectOrigin::Contract).unwrap();
        let shown: Vec<_> = tables
            .iter()
            .flatten()
            .map(|table| {
                let redirect = &table.redirect;
                let to = &text[redirect.span.start as usize..redirect.span.end as usize];
                let values = &text[table.values.clone()];
                let flags = (table.is_plain, redirect.is_conditional());
                (redirect.from.as_str(), to, redirect.status, values.lines().count(), flags)
            })
            .collect();
        assert_eq!(shown, [("/a b", "/c", 302, 3, (false, false)), ("/e", "/d", 301, 3, (false, true))]);
        assert_eq!(tables.len(), 3);
        assert!(toml_redirects("redirects = [", &RedirectOrigin::Contract).is_none());
    }
}
