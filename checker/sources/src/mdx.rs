//! MDX: Markdown with JSX, expressions and imports. These are found first, and replaced by text of the same length, so
//! that the rest is read as Markdown. In MDX, indented text is no code.

mod jsx;
mod syntax;

use std::ops::Range;

use crate::markdown::{body_of, read_mdx, remove_inert};
use crate::reference::{SourceReference, SourceScan};

/// Finds the references of MDX in a range of the text. Front matter is read if the range is the whole text. A text that
/// is no MDX has none.
pub(crate) fn scan<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    let body = body_of(text, range, scan);
    let mut found = SourceScan::default();
    let Some(parts) = syntax::scan_parts(text, body.clone(), &mut found) else {
        scan.inert.push(body);
        return;
    };
    let markdown = without(text, &parts);
    let mut read = read_mdx(&markdown, body);
    found.inert.append(&mut read.inert);
    // A destination with an expression is not known.
    let is_literal =
        |reference: &&SourceReference<'_>| text[reference.range.clone()] == markdown[reference.range.clone()];
    let literal = read.references.iter().filter(is_literal);
    found.references.extend(literal.map(|reference| reference.at(text, reference.range.clone())));
    found.sort();
    remove_inert(&mut found);
    scan.append(found);
}

/// Replaces everything that is no Markdown: by spaces if it fills a line, or else by text.
fn without(text: &str, parts: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for part in parts {
        let shown = bytes[part.clone()].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r'));
        shown.for_each(|byte| *byte = 0);
    }
    for line in bytes.split_mut(|byte| *byte == b'\n') {
        let is_filled = line.iter().all(|byte| matches!(byte, 0 | b' ' | b'\t' | b'\r'));
        let filler = if is_filled { b' ' } else { b'x' };
        line.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = filler);
    }
    String::from_utf8(bytes).unwrap_or_default()
}
