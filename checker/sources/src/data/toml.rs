//! TOML.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::data_values::{DataKind, add_hash_comments, add_value};
use crate::reference::SourceScan;

/// Finds the references of TOML in a range of the text.
pub(crate) fn toml<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    toml_of_kind(text, range, DataKind::Data, scan);
}

/// Finds the references of TOML by its kind. TOML that cannot be parsed is inert.
pub(super) fn toml_of_kind<'t>(
    text: &'t str,
    range: Range<usize>,
    kind: DataKind,
    scan: &mut SourceScan<'t>,
) {
    let toml = &text[range.clone()];
    let Ok(document) = DeTable::parse(toml) else {
        scan.inert.push(range);
        return;
    };
    let mut reader =
        TomlReader { text, start: range.start, kind, keys: Vec::new(), tokens: Vec::new(), scan };
    reader.table(document.get_ref());
    let tokens = reader.tokens;
    add_hash_comments(text, range, tokens, scan);
}

struct TomlReader<'r, 't> {
    text: &'t str,
    start: usize,
    kind: DataKind,
    keys: Vec<String>,
    /// Keys and strings, which may contain `#`.
    tokens: Vec<Range<usize>>,
    scan: &'r mut SourceScan<'t>,
}

impl TomlReader<'_, '_> {
    fn in_text(&self, range: Range<usize>) -> Range<usize> {
        self.start + range.start..self.start + range.end
    }

    fn table(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.tokens.push(self.in_text(key.span()));
            self.keys.push(key.get_ref().to_string());
            self.value(value);
            self.keys.pop();
        }
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::String(string) => self.string(string, self.in_text(value.span())),
            DeValue::Array(items) => items.iter().for_each(|item| self.value(item)),
            DeValue::Table(table) => self.table(table),
            _ => {}
        }
    }

    /// Adds a string in quotes. In three quotes, it is a text of lines.
    fn string(&mut self, value: &str, quoted: Range<usize>) {
        self.tokens.push(quoted.clone());
        let written = self.text.get(quoted.clone()).unwrap_or_default();
        let is_lines = written.starts_with("\"\"\"") || written.starts_with("'''");
        if written.len() >= 2 && !is_lines {
            let range = quoted.start + 1..quoted.end - 1;
            let keys = self.keys.iter().map(String::as_str);
            add_value(self.text, range, value, keys, self.kind, self.scan);
        }
    }
}
