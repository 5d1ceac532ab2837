//! Front matter: YAML, TOML or JSON at the start of a page.

use std::ops::Range;

use super::data_values::DataKind;
use super::json::json_of_kind;
use super::toml::toml_of_kind;
use super::yaml::yaml_of_kind;
use crate::reference::SourceScan;
use crate::values;

/// Finds the references of front matter (YAML, TOML or JSON), and returns the offset after it; 0 if the text has none.
pub(crate) fn front_matter<'t>(text: &'t str, scan: &mut SourceScan<'t>) -> usize {
    let kind = DataKind::FrontMatter;
    if let Some((yaml, body)) = fenced(text, "---") {
        yaml_of_kind(text, yaml, kind, scan);
        body
    } else if let Some((toml, body)) = fenced(text, "+++") {
        toml_of_kind(text, toml, kind, scan);
        body
    } else if let Some((json, body)) = fenced_json(text).or_else(|| bare_json(text)) {
        json_of_kind(text, json, kind, false, scan);
        body
    } else {
        0
    }
}

/// Returns the range between two lines of a fence, of which the first is that of the text, and the offset after them.
pub(crate) fn fenced(text: &str, fence: &str) -> Option<(Range<usize>, usize)> {
    between(text, fence, fence)
}

/// JSON of Eleventy: after a line `---json`.
fn fenced_json(text: &str) -> Option<(Range<usize>, usize)> {
    between(text, "---json", "---")
}

fn between(text: &str, open: &str, close: &str) -> Option<(Range<usize>, usize)> {
    let first = values::without_mark(text).start;
    let mut start = first;
    let mut content = None;
    for line in text[first..].split_inclusive('\n') {
        let end = start + line.len();
        match content {
            None if line.trim_end() == open => content = Some(end),
            None => return None,
            Some(content) if line.trim_end() == close => return Some((content..start, end)),
            Some(_) => {}
        }
        start = end;
    }
    None
}

/// JSON of Hugo: an object at the start of the text, which ends with a line of its own.
fn bare_json(text: &str) -> Option<(Range<usize>, usize)> {
    let first = values::without_mark(text).start;
    if !text[first..].starts_with('{') || text[first..].starts_with("{{") || text[first..].starts_with("{%") {
        return None;
    }
    let mut start = first;
    for line in text[first..].split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == "}" {
            let json = first..start + 1;
            let is_object = sitegate_base::json::parse(text[json.clone()].as_bytes()).is_ok();
            return is_object.then_some((json, end));
        }
        start = end;
    }
    None
}
