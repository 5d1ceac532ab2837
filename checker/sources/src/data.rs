//! JSON, TOML, `_redirects` files and front matter; YAML has a file of its own.

mod data_values;
mod yaml;

use std::ops::Range;

use sitegate_address::SitePath;
use sitegate_script::{LiteralPlace, LiteralSyntax, ScriptPart, read_literals};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::positions::{range_of, shifted};
use crate::reference::{Manner, SourceScan};
use crate::values::{add_sidebar_id, is_sidebar, without_mark};

pub(crate) use self::data_values::DataKind;
use self::data_values::{add_hash_comments, add_value};
use self::yaml::yaml;

/// Finds the references of a file of YAML.
pub(crate) fn yaml_file<'t>(path: &str, text: &'t str, scan: &mut SourceScan<'t>) {
    let is_contents = matches!(SitePath::new(path).name(), "_toc.yml" | "_toc.yaml");
    yaml(text, without_mark(text), if is_contents { DataKind::Contents } else { DataKind::Data }, scan);
}

/// Finds the references of a file of JSON.
pub(crate) fn json_file<'t>(path: &str, text: &'t str, scan: &mut SourceScan<'t>) {
    json(text, without_mark(text), if is_sidebar(path) { DataKind::Sidebar } else { DataKind::Data }, scan);
}

/// Finds the references of JSON in a range of the text, also with comments and trailing commas. JSON that cannot be parsed
/// is inert.
pub(crate) fn json<'t>(text: &'t str, range: Range<usize>, kind: DataKind, scan: &mut SourceScan<'t>) {
    let is_read = read_literals(&text[range.clone()], LiteralSyntax::Json, |part| match part {
        ScriptPart::Literal { range: inside, value, place, keys } => {
            let literal = shifted(inside, range.start);
            let is_id =
                kind == DataKind::Sidebar && add_sidebar_id(text, literal.clone(), value, place, keys, scan);
            if !is_id && matches!(place, LiteralPlace::Property | LiteralPlace::Item) {
                add_value(text, literal, value, keys.iter().map(String::as_str), kind, scan);
            }
        }
        ScriptPart::Comment(comment) => scan.inert.push(shifted(comment, range.start)),
        ScriptPart::Tag { .. } => {}
    });
    if !is_read {
        scan.inert.push(range);
    }
}

/// Finds the references of TOML in a range of the text. TOML that cannot be parsed is inert.
pub(crate) fn toml<'t>(text: &'t str, range: Range<usize>, kind: DataKind, scan: &mut SourceScan<'t>) {
    let Ok(document) = DeTable::parse(&text[range.clone()]) else {
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
    fn table(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.tokens.push(shifted(key.span(), self.start));
            self.keys.push(key.get_ref().to_string());
            self.value(value);
            self.keys.pop();
        }
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::String(string) => self.string(string, shifted(value.span(), self.start)),
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

/// Finds the destinations of a `_redirects` file of Netlify, Cloudflare and others. Placeholders and splats are left as
/// they are.
pub(crate) fn redirects_file<'t>(text: &'t str, scan: &mut SourceScan<'t>) {
    for line in text.lines() {
        let content = line.trim_start_matches('\u{feff}').trim();
        if content.starts_with('#') {
            scan.inert.push(range_of(content, text));
        } else if let Some(destination) = destination(content) {
            scan.add(text, range_of(destination, text), Manner::Value);
        }
    }
}

/// Returns the destination of a rule: the second field, or a later one after parameters such as `id=:id`.
fn destination(rule: &str) -> Option<&str> {
    let mut fields = rule.split_whitespace().skip(1);
    let is_url = |field: &str| field.starts_with('/') || field.contains("://");
    fields.find(|field| is_url(field) || !field.contains('=')).filter(|field| is_url(field))
}

/// Finds the references of front matter (YAML, TOML or JSON), and returns the offset after it; 0 if the text has none.
pub(crate) fn front_matter<'t>(text: &'t str, scan: &mut SourceScan<'t>) -> usize {
    type DataScanner<'t> = fn(&'t str, Range<usize>, DataKind, &mut SourceScan<'t>);
    let (read, (range, body)): (DataScanner<'t>, _) = if let Some(found) = fenced(text, "---", "---") {
        (yaml, found)
    } else if let Some(found) = fenced(text, "+++", "+++") {
        (toml, found)
    // `---json` is Eleventy's.
    } else if let Some(found) = fenced(text, "---json", "---").or_else(|| bare_json(text)) {
        (json, found)
    } else {
        return 0;
    };
    read(text, range, DataKind::FrontMatter, scan);
    body
}

/// Returns the range between two lines of a fence, of which the first is that of the text, and the offset after them.
pub(crate) fn fenced(text: &str, open: &str, close: &str) -> Option<(Range<usize>, usize)> {
    let mut end = without_mark(text).start;
    let mut lines = text[end..].split_inclusive('\n').map(|line| {
        let start = end;
        end += line.len();
        (line.trim_end(), start..end)
    });
    let (_, first) = lines.next().filter(|(line, _)| *line == open)?;
    let (_, last) = lines.find(|(line, _)| *line == close)?;
    Some((first.end..last.start, last.end))
}

/// JSON of Hugo: an object at the start of the text, which ends with a line of its own.
fn bare_json(text: &str) -> Option<(Range<usize>, usize)> {
    let first = without_mark(text).start;
    if !text[first..].starts_with('{') || text[first..].starts_with("{{") || text[first..].starts_with("{%") {
        return None;
    }
    let last = text[first..].split_inclusive('\n').find(|line| line.trim_end() == "}")?;
    let last = range_of(last, text);
    let json = first..last.start + 1;
    sitegate_base::json::parse(text[json.clone()].as_bytes()).is_ok().then_some((json, last.end))
}
