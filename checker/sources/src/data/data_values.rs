//! Decides which values of data are references.

use std::ops::Range;

use crate::reference::{Manner, SourceScan};
use crate::values::{is_address, is_literal, may_refer};

/// The purpose of a text of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataKind {
    /// Data or settings.
    Data,
    /// The front matter of a page.
    FrontMatter,
    /// A table of contents of Jupyter Book and `sphinx-external-toc`, which names documents.
    Contents,
    /// The sidebars of Docusaurus, which name documents.
    Sidebar,
}

/// Adds a value if it is a reference by its keys, the outermost first, and by its text.
pub(super) fn add_value<'t, 'k>(
    text: &'t str,
    range: Range<usize>,
    value: &str,
    keys: impl ExactSizeIterator<Item = &'k str> + Clone,
    kind: DataKind,
    scan: &mut SourceScan<'t>,
) {
    let key = keys.clone().last().unwrap_or_default();
    if kind == DataKind::Contents && matches!(key, "file" | "root") {
        if is_literal(value) && !is_other_type(value) {
            scan.add_decoded(text, range, value, Manner::Document);
        }
        return;
    }
    // Astro imports a layout. For others, it is a name.
    let is_layout = kind == DataKind::FrontMatter && key == "layout" && is_relative(value);
    if is_layout || may_refer(keys, kind == DataKind::FrontMatter) && is_address(value, key) {
        scan.add_decoded(text, range, value, Manner::Value);
    }
}

fn is_relative(value: &str) -> bool {
    is_literal(value) && (value.starts_with("./") || value.starts_with("../"))
}

/// Whether YAML reads a plain word as a number, a date, a truth value or nothing.
fn is_other_type(value: &str) -> bool {
    let is_number = value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'))
        && value.chars().all(|c| c.is_ascii_hexdigit() || "+-.:_xo".contains(c));
    let words = ["true", "false", "yes", "no", "on", "off", "null", "~"];
    is_number || words.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Adds the comments that begin with `#` at the start of a line or after a space, in the gaps between tokens.
pub(super) fn add_hash_comments(
    text: &str,
    whole: Range<usize>,
    mut tokens: Vec<Range<usize>>,
    scan: &mut SourceScan<'_>,
) {
    let bytes = text.as_bytes();
    tokens.push(whole.end..whole.end);
    tokens.sort_unstable_by_key(|token| token.start);
    let mut at = whole.start;
    for token in tokens {
        while let Some(found) = bytes.get(at..token.start).and_then(|gap| memchr::memchr(b'#', gap)) {
            let start = at + found;
            at = start + 1;
            if start == whole.start || bytes[start - 1].is_ascii_whitespace() {
                at = memchr::memchr(b'\n', &bytes[start..whole.end]).map_or(whole.end, |end| start + end);
                scan.inert.push(start..at);
            }
        }
        at = at.max(token.end);
    }
}
