//! The state of a scan of reStructuredText.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::escapes::{JoinedLines, mark_escapes, url_of};
use super::lines::{self, SourceLine};
use super::names::{Names, SubstitutionScope};
use crate::reference::{Manner, SourceReference, SourceScan};

/// The kind of interpreted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextRole {
    /// The name of a document: `:doc:`, `:any:`.
    Document,
    /// A file: `:download:`.
    File,
    /// Labels, code, mathematics, and roles of extensions.
    Other,
}

impl TextRole {
    /// Returns the role with a name, which may begin with a domain.
    pub fn of_name(name: &str) -> TextRole {
        match name.to_ascii_lowercase().as_str() {
            "doc" | "std:doc" | "any" => TextRole::Document,
            "download" => TextRole::File,
            _ => TextRole::Other,
        }
    }

    pub fn manner(self) -> Option<Manner> {
        match self {
            TextRole::Document => Some(Manner::Document),
            TextRole::File => Some(Manner::File),
            TextRole::Other => None,
        }
    }
}

/// A reference, and the substitution definition that it is in.
pub(super) struct Found<'t> {
    pub reference: SourceReference<'t>,
    pub scope: SubstitutionScope,
    /// Whether it is a definition, which is shown only if its name is used.
    pub is_definition: bool,
}

/// The state of a scan.
pub(super) struct RestructuredScanner<'t> {
    pub text: &'t str,
    /// The role of text in single backquotes.
    pub default_role: TextRole,
    pub found: Vec<Found<'t>>,
    pub inert: Vec<Range<usize>>,
    pub names: Names,
    /// The substitution whose definition is scanned.
    pub scope: SubstitutionScope,
    /// Whether a list of all targets that are used is shown.
    pub has_target_notes: bool,
    /// Whether nothing but comments, targets and substitutions is before the block, so that fields are metadata.
    pub is_at_metadata: bool,
    /// Whether the text has markup that plain text has not: roles, phrases, explicit markup.
    pub has_markup: bool,
}

impl<'t> RestructuredScanner<'t> {
    /// Adds a URL or path, from a span of joined lines, and returns its number.
    pub fn add_url(&mut self, joined: &JoinedLines, span: Range<usize>, manner: Manner) -> Option<usize> {
        let written = &joined.text[span.clone()];
        let start = span.start + written.len() - written.trim_start().len();
        let end = span.start + written.trim_end().len();
        if start >= end {
            return None;
        }
        self.add(joined, start..end, manner, url_of(&joined.text[start..end]))
    }

    /// Adds a reference whose span has a target; `None` if the source has other text between its lines, as in a table.
    pub fn add(
        &mut self,
        joined: &JoinedLines,
        span: Range<usize>,
        manner: Manner,
        target: String,
    ) -> Option<usize> {
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
    pub fn add_inert(&mut self, lines: &[SourceLine]) {
        self.inert.extend(lines::covered(lines));
    }

    /// Counts the uses of definitions, and hands all references over.
    pub fn finish(mut self, scan: &mut SourceScan<'t>) {
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
    pub fn add_target_notes(&mut self) {
        let mut noted = HashSet::new();
        for Found { reference, is_definition, .. } in &mut self.found {
            if *is_definition && reference.uses > 0 && noted.insert(reference.target.clone()) {
                reference.uses += 1;
            }
        }
    }
}
