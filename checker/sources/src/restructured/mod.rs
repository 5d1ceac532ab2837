//! reStructuredText, as docutils and Sphinx read it.
//!
//! The blocks are those of docutils' state machine, because only they decide what is a paragraph, code or a comment.

mod blocks;
mod characters;
mod directive_kinds;
mod directives;
mod escapes;
mod explicit;
mod grid_tables;
mod inline;
mod inline_marks;
mod lines;
mod markers;
mod names;
mod options;
mod roles;
mod rows;
mod simple_tables;
mod tables;
mod titles;
mod uris;

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

pub(crate) use self::directive_kinds::is_code_directive;
pub(crate) use self::lines::{Line, line, split_lines};

use self::escapes::{Joined, mark_escapes, url_of};
use self::names::{Names, Scope};
use self::roles::Role;
use crate::reference::{Manner, ScanOptions, SourceReference, SourceScan};

/// Finds the references of reStructuredText in a range of the text: a document, or a docstring.
pub(crate) fn scan<'t>(text: &'t str, range: Range<usize>, options: ScanOptions, scan: &mut SourceScan<'t>) {
    scan_text(text, range, options, scan);
}

/// Finds the references of a file. A `.txt` file is reStructuredText only if it has markup that plain text has not:
/// URLs in `robots.txt`, or in a license with underlined titles, are not rendered.
pub(crate) fn scan_file<'t>(path: &str, text: &'t str, options: ScanOptions, scan: &mut SourceScan<'t>) {
    let mut found = SourceScan::default();
    let has_markup = scan_text(text, 0..text.len(), options, &mut found);
    if has_markup || !path.to_ascii_lowercase().ends_with(".txt") {
        scan.references.append(&mut found.references);
        scan.inert.append(&mut found.inert);
    }
}

/// Finds the references in a range, and returns whether it has markup that plain text has not.
fn scan_text<'t>(
    text: &'t str,
    range: Range<usize>,
    options: ScanOptions,
    scan: &mut SourceScan<'t>,
) -> bool {
    // A byte order mark is no text.
    let bom = if text[range.clone()].starts_with('\u{feff}') { 3 } else { 0 };
    let is_document = range.start == 0;
    scan_lines(text, &split_lines(text, range.start + bom..range.end), is_document, options, scan)
}

/// Finds the references in lines, of which the least indented ones have no indentation. `is_document`: whether fields at
/// the start are metadata. Returns whether they have markup that plain text has not.
pub(crate) fn scan_lines<'t>(
    text: &'t str,
    lines: &[Line],
    is_document: bool,
    options: ScanOptions,
    scan: &mut SourceScan<'t>,
) -> bool {
    let default_role = if options.default_role { Role::Document } else { Role::Other };
    let mut scanner = Scanner {
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
    scanner.blocks(lines, blocks::Place::DOCUMENT);
    let has_markup = scanner.has_markup;
    scanner.finish(scan);
    has_markup
}

/// A reference, and the substitution definition that it is in.
struct Found<'t> {
    reference: SourceReference<'t>,
    scope: Scope,
    /// Whether it is a definition, which is shown only if its name is used.
    is_definition: bool,
}

/// The state of a scan.
struct Scanner<'t> {
    text: &'t str,
    /// The role of text in single backquotes.
    default_role: Role,
    found: Vec<Found<'t>>,
    inert: Vec<Range<usize>>,
    names: Names,
    /// The substitution whose definition is scanned.
    scope: Scope,
    /// Whether a list of all targets that are used is shown.
    has_target_notes: bool,
    /// Whether nothing but comments, targets and substitutions is before the block, so that fields are metadata.
    is_at_metadata: bool,
    /// Whether the text has markup that plain text has not: roles, phrases, explicit markup.
    has_markup: bool,
}

impl<'t> Scanner<'t> {
    /// Adds a URL or path, from a span of joined lines, and returns its number.
    fn add_url(&mut self, joined: &Joined, span: Range<usize>, manner: Manner) -> Option<usize> {
        let written = &joined.text[span.clone()];
        let start = span.start + written.len() - written.trim_start().len();
        let end = span.start + written.trim_end().len();
        if start >= end {
            return None;
        }
        self.add(joined, start..end, manner, url_of(&joined.text[start..end]))
    }

    /// Adds a reference whose span has a target; `None` if the source has other text between its lines, as in a table.
    fn add(&mut self, joined: &Joined, span: Range<usize>, manner: Manner, target: String) -> Option<usize> {
        let last = joined.text[span.clone()].chars().next_back()?.len_utf8();
        let range = joined.source(span.start)..joined.source(span.end - last) + last;
        let written = self.text.get(range.clone())?;
        let target = if written == target {
            Cow::Borrowed(written)
        } else if url_of(&mark_escapes(written.to_owned())) == url_of(&joined.text[span]) {
            Cow::Owned(target)
        } else {
            return None;
        };
        if target.is_empty() {
            return None;
        }
        let reference =
            SourceReference { range, manner, target, uses: 1, is_shown_elsewhere: self.scope.is_some() };
        self.found.push(Found { reference, scope: self.scope.clone(), is_definition: false });
        Some(self.found.len() - 1)
    }

    /// Marks lines as text that is not rendered as markup.
    fn add_inert(&mut self, lines: &[Line]) {
        self.inert.extend(lines::covered(lines));
    }

    /// Counts the uses of definitions, and hands all references over.
    fn finish(mut self, scan: &mut SourceScan<'t>) {
        self.names.end_chain();
        for found in &mut self.found {
            found.reference.uses = u32::from(!found.is_definition);
            found.reference.uses *= self.names.substitution_uses(&found.scope);
        }
        for (number, uses) in self.names.counts() {
            let reference = &mut self.found[number].reference;
            reference.uses = reference.uses.saturating_add(uses);
        }
        if self.has_target_notes {
            self.add_target_notes();
        }
        scan.references.extend(self.found.into_iter().map(|found| found.reference));
        scan.inert.extend(self.inert);
    }

    /// Counts the list of `target-notes`: once each URL of the definitions that are used.
    fn add_target_notes(&mut self) {
        let mut noted = HashSet::new();
        for Found { reference, is_definition, .. } in &mut self.found {
            if *is_definition && reference.uses > 0 && noted.insert(reference.target.clone()) {
                reference.uses += 1;
            }
        }
    }
}
