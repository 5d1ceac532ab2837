//! Markdown: `CommonMark` with the extensions of GitHub, `MyST`, Hugo, Jekyll and mdBook. A text that is a link in one
//! dialect, and code or a comment in another, is no reference.

mod blocks;
mod destination;
pub(crate) mod directives;
pub(crate) mod fragment;
mod not_shown;
mod reader;
pub(crate) mod shortcodes;

use std::ops::Range;

use crate::reference::{SourceOptions, SourceReference, SourceScan};
use crate::{data, templates};

use fragment::SourcePieces;
use reader::MarkdownReader;

/// Returns the range of a page after its front matter, which it adds to the scan. A range that is not the whole text has
/// none.
pub(crate) fn body_of<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) -> Range<usize> {
    if range != (0..text.len()) {
        return range;
    }
    data::front_matter(text, scan)..range.end
}

/// Finds the references of Markdown in a range of the text. Front matter is read if the range is the whole text.
pub(crate) fn scan<'t>(
    text: &'t str,
    range: Range<usize>,
    options: SourceOptions,
    scan: &mut SourceScan<'t>,
) {
    let body = body_of(text, range, scan);
    let mut found = scan_body(text, body.clone(), &[], options);
    let hidden = templates::hidden_outside(text, body.clone(), &found.inert);
    if !hidden.is_empty() {
        // Generators remove comments before they read Markdown, or after it. What is a link both ways is one.
        let mut shown = scan_body(text, body, &hidden, options);
        shown.references.retain(|reference| {
            let is_same = |other: &SourceReference<'_>| other.range == reference.range;
            found.reference_at(reference.range.start).is_some_and(is_same)
        });
        shown.inert.append(&mut found.inert);
        found = shown;
    }
    scan.append(found);
}

/// Finds the references of MDX, whose tags and expressions are replaced by text.
pub(crate) fn read_mdx(markdown: &str, body: Range<usize>) -> SourceScan<'_> {
    let mut reader = MarkdownReader::new(markdown, SourceOptions::default());
    reader.is_mdx = true;
    reader.read(&SourcePieces::new(markdown, std::slice::from_ref(&body)), 0);
    let mut found = reader.finish(body, &[]);
    remove_inert(&mut found);
    found
}

/// Removes the references in inert text.
pub(crate) fn remove_inert(found: &mut SourceScan<'_>) {
    let mut references = std::mem::take(&mut found.references);
    references.retain(|reference| !found.is_inert(reference.range.start));
    found.references = references;
}

/// Finds the references of Markdown without front matter, as if hidden ranges were not there.
fn scan_body<'t>(
    text: &'t str,
    body: Range<usize>,
    hidden: &[Range<usize>],
    options: SourceOptions,
) -> SourceScan<'t> {
    let mut reader = MarkdownReader::new(text, options);
    reader.read(&SourcePieces::new(text, &without(body.clone(), hidden)), 0);
    let mut found = reader.finish(body.clone(), hidden);
    add_shortcodes(text, body, &mut found);
    remove_inert(&mut found);
    found
}

/// Returns the parts of a range that are not in sorted ranges of it.
fn without(range: Range<usize>, removed: &[Range<usize>]) -> Vec<Range<usize>> {
    let starts = std::iter::once(range.start).chain(removed.iter().map(|removed| removed.end));
    let ends = removed.iter().map(|removed| removed.start).chain([range.end]);
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

/// Adds the references in shortcodes. Includes are replaced in code, too, so that they are cut out of it.
fn add_shortcodes<'t>(text: &'t str, body: Range<usize>, found: &mut SourceScan<'t>) {
    let shortcodes = shortcodes::references(text, body);
    // A destination that contains a shortcode is not what it seems.
    found.references.retain(|reference| {
        let next = shortcodes.partition_point(|shortcode| shortcode.range.end <= reference.range.start);
        shortcodes.get(next).is_none_or(|shortcode| reference.range.end <= shortcode.range.start)
    });
    for shortcode in shortcodes {
        if shortcode.is_in_code {
            let next = found.inert.partition_point(|range| range.end <= shortcode.range.start);
            if let Some(code) = found.inert.get_mut(next).filter(|code| code.start < shortcode.range.start) {
                let rest = shortcode.range.end..code.end.max(shortcode.range.end);
                code.end = shortcode.range.start;
                found.inert.insert(next + 1, rest);
            }
        }
        found.add(text, shortcode.range, shortcode.manner);
    }
    found.sort();
}
