//! Markdown: `CommonMark` with the extensions of GitHub, `MyST`, Hugo, Jekyll and mdBook. A text that is a link in one
//! dialect, and code or a comment in another, is no reference.

mod autolink;
mod definitions;
mod destination;
mod directives;
mod fragment;
mod raw_html;
mod reader;
mod shortcodes;

use std::ops::Range;

use crate::{ScanOptions, SourceScan, data, templates};

use fragment::Fragment;
use reader::Reader;

/// Finds the references of Markdown in a range of the text. Front matter is read if the range is the whole text.
pub(crate) fn scan<'t>(text: &'t str, range: Range<usize>, options: ScanOptions, scan: &mut SourceScan<'t>) {
    let mut body = range;
    if body == (0..text.len()) {
        body.start = data::front_matter(text, scan);
        if body.start == 0 {
            body.start = unread_matter_end(text);
            scan.inert.push(0..body.start);
        }
    }
    let mut reader = Reader::new(text, options);
    reader.read(&Fragment::new(text, &[body.clone()]), 0);
    let mut found = reader.finish(body.end);
    found.sort();
    let hidden = templates::hidden_outside(text, body.clone(), &found.inert);
    found.inert.extend(hidden);
    found.sort();
    add_shortcodes(text, body, &mut found);
    remove_inert(&mut found);
    scan.references.append(&mut found.references);
    scan.inert.append(&mut found.inert);
    scan.tags.append(&mut found.tags);
}

/// Removes the references that are in inert text.
fn remove_inert(found: &mut SourceScan<'_>) {
    let mut references = std::mem::take(&mut found.references);
    references.retain(|reference| !found.is_inert(reference.range.start));
    found.references = references;
}

/// Adds the references in shortcodes. Includes are replaced in code, too, so that they are cut out of it.
fn add_shortcodes<'t>(text: &'t str, body: Range<usize>, found: &mut SourceScan<'t>) {
    for shortcode in shortcodes::references(text, body) {
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
}

/// Returns the offset after front matter that cannot be read: generators do not show it, or it is no front matter.
fn unread_matter_end(text: &str) -> usize {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let fence = match text.get(start..start + 3) {
        Some(fence @ ("---" | "+++")) => fence,
        _ => return 0,
    };
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        let content = line.trim_end();
        at += line.len();
        if at > start + line.len() && content == fence {
            return at;
        }
        if at == start + line.len() && content != fence {
            return 0;
        }
    }
    0
}
