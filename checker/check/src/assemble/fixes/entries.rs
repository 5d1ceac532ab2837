//! Removes entries of arrays of tables, such as `[[ignore]]`, from the text of a contract.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Returns the range of each entry that has a header of its own, with the blank lines before it. Entries with more tables
/// are left out, because other tables may be between them.
pub(super) fn entries(text: &str) -> Vec<Range<usize>> {
    let Ok(table) = DeTable::parse(text) else { return Vec::new() };
    let arrays = table.get_ref().values().filter_map(|value| value.get_ref().as_array());
    let all = arrays.flat_map(|array| array.iter());
    all.filter_map(|entry| entry_range(text, entry)).collect()
}

fn entry_range(text: &str, entry: &Spanned<DeValue<'_>>) -> Option<Range<usize>> {
    let header = entry.span();
    let table = entry.get_ref().as_table().filter(|_| text[header.clone()].starts_with("[["))?;
    let end = last_end(text, table, header.end)?;
    let is_blank = |line: &&str| line.trim().is_empty();
    let line = text[..header.start].trim_end_matches([' ', '\t']).len();
    let blank: usize = text[..line].split_inclusive('\n').rev().take_while(is_blank).map(str::len).sum();
    let rest = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    Some(line - blank..rest)
}

/// Returns the end of the last value in a table; `None` if it contains a table with a header.
fn last_end(text: &str, table: &DeTable<'_>, start: usize) -> Option<usize> {
    let has_header =
        |value: &Spanned<DeValue<'_>>| value.get_ref().is_table() && text[value.span()].starts_with('[');
    table.values().try_fold(start, |end, value| {
        let end = end.max(value.span().end);
        match value.get_ref() {
            DeValue::Array(array) if array.iter().any(has_header) => None,
            DeValue::Table(_) if has_header(value) => None,
            // The span of a dotted key is that of its first part.
            DeValue::Table(inner) => last_end(text, inner, end),
            _ => Some(end),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn removes_an_entry_with_the_blank_lines_before_it() {
        let text = "a = 1\r\n\r\n# one\r\n[[ignore]] # x\r\nrule = \"r1\"\r\nreason = \"x\"\r\n\r\n# two\r\n\r\n[[ignore]]\r\nrule = \"r2\"\r\n";
        let without = |rule: &str| {
            let at = text.find(rule)?;
            let range = entries(text).into_iter().find(|entry| entry.contains(&at))?;
            Some([&text[..range.start], &text[range.end..]].concat())
        };
        assert_eq!(
            without("r1").as_deref(),
            Some("a = 1\r\n\r\n# one\r\n\r\n# two\r\n\r\n[[ignore]]\r\nrule = \"r2\"\r\n")
        );
        assert_eq!(
            without("r2").as_deref(),
            Some("a = 1\r\n\r\n# one\r\n[[ignore]] # x\r\nrule = \"r1\"\r\nreason = \"x\"\r\n\r\n# two\r\n")
        );
    }

    #[test]
    fn other_forms_are_left() {
        for text in [
            "ignore = [{ rule = \"r\" }]\n",
            "[[ignore]]\nrule = \"r\"\n[ignore.more]\nx = 1\n",
            "[[ignore]]\nrule = \"r\"\n[[ignore.more]]\nx = 1\n",
            "[ignore]\nrule = \"r\"\n",
            "[[ignore]\n",
        ] {
            assert!(entries(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn values_may_look_like_headers_and_comments() {
        let entry = "[[a]]\nx = [\n[1],\n]\ny.z = \"\"\"\n[[b]]\n# c\n\"\"\" # [d]\n";
        for text in [format!("{entry}# e\n[[a]]"), format!("{entry}[f]\ng = 1\n")] {
            assert_eq!(entries(&text)[0], 0..entry.len(), "{text}");
        }
    }
}
