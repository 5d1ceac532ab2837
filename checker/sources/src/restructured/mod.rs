//! reStructuredText, as docutils and Sphinx read it.
//!
//! The blocks are those of docutils' state machine, because only they decide what is a paragraph, code or a comment.

mod blocks;
mod characters;
mod directives;
mod explicit;
mod inline;
mod inline_marks;
mod lines;
mod scanner;
mod tables;
mod title_lines;
mod uris;

use std::ops::Range;

use self::scanner::{Names, RestructuredScanner, TextRole};
use crate::reference::{SourceOptions, SourceScan};
use crate::values::without_mark;

pub(crate) use self::directives::is_code_directive;
pub(crate) use self::lines::{SourceLine, line, split_lines};
pub(crate) use self::title_lines::with_title_lines;

/// Finds the references of a file. A `.txt` file is reStructuredText only if it has markup that plain text has not:
/// URLs in `robots.txt`, or in a license with underlined titles, are not rendered.
pub(crate) fn scan_file<'t>(path: &str, text: &'t str, options: SourceOptions, scan: &mut SourceScan<'t>) {
    let mut found = SourceScan::default();
    let has_markup = self::scan(text, 0..text.len(), options, &mut found);
    if has_markup || !path.to_ascii_lowercase().ends_with(".txt") {
        scan.append(found);
    }
}

/// Finds the references of reStructuredText in a range of the text: a document, or a docstring. Returns whether it has
/// markup that plain text has not.
pub(crate) fn scan<'t>(
    text: &'t str,
    range: Range<usize>,
    options: SourceOptions,
    scan: &mut SourceScan<'t>,
) -> bool {
    let mark = without_mark(&text[range.clone()]).start;
    let is_document = range.start == 0;
    scan_lines(text, &split_lines(text, range.start + mark..range.end), is_document, options, scan)
}

/// Finds the references in lines, of which the least indented ones have no indentation. `is_document`: whether fields at
/// the start are metadata. Returns whether they have markup that plain text has not.
pub(crate) fn scan_lines<'t>(
    text: &'t str,
    lines: &[SourceLine],
    is_document: bool,
    options: SourceOptions,
    scan: &mut SourceScan<'t>,
) -> bool {
    let default_role = if options.default_role { TextRole::Document } else { TextRole::Other };
    let mut scanner = RestructuredScanner {
        text,
        default_role,
        found: Vec::new(),
        inert: Vec::new(),
        names: Names::default(),
        scope: None,
        has_target_notes: false,
        is_at_metadata: is_document,
        has_markup: false,
    };
    scanner.blocks(lines, blocks::BlockPlace::DOCUMENT);
    let has_markup = scanner.has_markup;
    scanner.finish(scan);
    has_markup
}
