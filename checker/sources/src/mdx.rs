//! MDX: Markdown with JSX, expressions and imports. These are found first, and replaced by text of the same length, so
//! that the rest is read as Markdown. In MDX, indented text is no code.

mod jsx;
mod syntax;

use std::ops::Range;

use crate::markdown::{body_of, read_mdx, remove_inert};
use crate::reference::{Manner, SourceReference, SourceScan, SourceTag};

use syntax::{MdxPart, Syntax};

/// Finds the references of MDX in a range of the text. Front matter is read if the range is the whole text. A text that
/// is no MDX has none.
pub(crate) fn scan<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    let body = body_of(text, range, scan);
    let Some(parts) = syntax::parts(text, body.clone()) else {
        scan.inert.push(body);
        return;
    };
    let markdown = without(text, &parts);
    let read = read_mdx(&markdown, body);
    let mut found = SourceScan { inert: read.inert, ..SourceScan::default() };
    // A destination with an expression is not known.
    let is_literal =
        |reference: &&SourceReference<'_>| text[reference.range.clone()] == markdown[reference.range.clone()];
    let literal = read.references.iter().filter(is_literal);
    found.references.extend(literal.map(|reference| reference.at(text, reference.range.clone())));
    for part in parts {
        match part.syntax {
            Syntax::Tag(tag) => add_tag(text, tag, &mut found),
            Syntax::EndTag | Syntax::Destination => {}
            Syntax::Module => add_module(text, part.range, &mut found),
            Syntax::Expression | Syntax::Comment | Syntax::Code => found.inert.push(part.range),
        }
    }
    found.sort();
    remove_inert(&mut found);
    scan.append(found);
}

/// Replaces everything that is no Markdown: by spaces if it fills a line, or else by text.
fn without(text: &str, parts: &[MdxPart]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for part in parts.iter().filter(|part| !matches!(part.syntax, Syntax::Code)) {
        let shown = bytes[part.range.clone()].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r'));
        shown.for_each(|byte| *byte = 0);
    }
    for line in bytes.split_mut(|byte| *byte == b'\n') {
        let is_filled = line.iter().all(|byte| matches!(byte, 0 | b' ' | b'\t' | b'\r'));
        let filler = if is_filled { b' ' } else { b'x' };
        line.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = filler);
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn add_tag<'t>(text: &'t str, tag: jsx::JsxTag, scan: &mut SourceScan<'t>) {
    for attribute in tag.attributes {
        match attribute {
            jsx::JsxAttribute::Reference { range, target } => {
                scan.add_decoded(text, range, &target, Manner::Attribute);
            }
            jsx::JsxAttribute::Module(range) => scan.add(text, range, Manner::File),
            jsx::JsxAttribute::Expression(range) => scan.inert.push(range),
        }
    }
    scan.tags.push(SourceTag { range: tag.range, name: tag.name });
}

/// Adds imports and exports: only the names of modules are references.
fn add_module<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    let mut start = range.start;
    for source in syntax::module_sources(text, range.clone()) {
        scan.inert.push(start..source.start);
        start = source.end;
        scan.add(text, source, Manner::File);
    }
    scan.inert.push(start..range.end);
}
