//! The state of a scan of reStructuredText: references, and the names of link targets and substitutions.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::lines::{self, JoinedLines, SourceLine, mark_escapes, url_of};
use crate::positions::trimmed;
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
        let span = trimmed(&joined.text, span);
        let target = url_of(&joined.text[span.clone()]);
        self.add(joined, span, manner, &target)
    }

    /// Adds a reference whose span has a target; `None` if the source has other text between its lines, as in a table.
    pub fn add(
        &mut self,
        joined: &JoinedLines,
        span: Range<usize>,
        manner: Manner,
        target: &str,
    ) -> Option<usize> {
        let range = joined.origins.range(span.clone());
        let written = self.text.get(range.clone())?;
        let is_target =
            written == target || url_of(&mark_escapes(written.to_owned())) == url_of(&joined.text[span]);
        if target.is_empty() || !is_target {
            return None;
        }
        let reference = SourceReference::new(self.text, range, target, manner);
        let reference = SourceReference { is_shown_elsewhere: self.scope.is_some(), ..reference };
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
    fn add_target_notes(&mut self) {
        let mut noted = HashSet::new();
        for Found { reference, is_definition, .. } in &mut self.found {
            if *is_definition && reference.uses > 0 && noted.insert(reference.target.clone()) {
                reference.uses += 1;
            }
        }
    }
}

/// The substitution definition around a use, if there is one. Its content is shown once for each use of its own.
pub(super) type SubstitutionScope = Option<Rc<str>>;

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The reference with this number, and its target.
    Url(usize, String),
    /// Another name, normalized.
    Alias(String),
    /// A place in the text.
    Internal,
    /// Two definitions of it differ, so that it cannot be used.
    Ambiguous,
}

impl Meaning {
    /// The meaning of another name.
    pub fn alias(name: &str) -> Meaning {
        Meaning::Alias(normalize(name))
    }

    /// Whether two definitions of a name are one.
    fn is_same(&self, other: &Meaning) -> bool {
        match (self, other) {
            (Meaning::Url(_, one), Meaning::Url(_, two)) | (Meaning::Alias(one), Meaning::Alias(two)) => {
                one == two
            }
            _ => false,
        }
    }
}

/// The names of a text.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Names of targets.
    explicit: HashMap<String, Meaning>,
    /// Titles, and texts of links with a destination. Targets have precedence.
    implicit: HashMap<String, Meaning>,
    uses: Vec<(String, SubstitutionScope)>,
    anonymous: Vec<Meaning>,
    anonymous_uses: Vec<SubstitutionScope>,
    substitution_uses: HashMap<String, u32>,
    /// Names of targets without content, which point to the same as the next target.
    chained: Vec<String>,
    /// Number of the last anonymous targets that have no content either.
    chained_anonymous: usize,
}

impl Names {
    pub fn add_use(&mut self, name: &str, scope: &SubstitutionScope) {
        self.uses.push((normalize(name), scope.clone()));
    }

    pub fn add_anonymous_use(&mut self, scope: &SubstitutionScope) {
        self.anonymous_uses.push(scope.clone());
    }

    pub fn add_substitution_use(&mut self, name: &str) {
        *self.substitution_uses.entry(normalize(name)).or_default() += 1;
    }

    /// Defines the name of a target, or the next anonymous target, and those before it without content.
    pub fn define_target(&mut self, name: Option<&str>, meaning: Meaning) {
        self.give_chained(&meaning);
        match name {
            Some(name) => set(&mut self.explicit, normalize(name), meaning),
            None => self.anonymous.push(meaning),
        }
    }

    /// Defines a name as a place in the text.
    pub fn define_internal(&mut self, name: &str) {
        set(&mut self.explicit, normalize(name), Meaning::Internal);
    }

    /// Defines a title, or the text of a link, as a name.
    pub fn define_implicit(&mut self, name: &str, meaning: Meaning) {
        set(&mut self.implicit, normalize(name), meaning);
    }

    /// Defines a name, or the next anonymous target, as what the next block is.
    pub fn define_chained(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.chained.push(normalize(name));
        } else {
            self.anonymous.push(Meaning::Internal);
            self.chained_anonymous += 1;
        }
    }

    /// Ends a chain of targets: the next block is no target.
    pub fn end_chain(&mut self) {
        self.give_chained(&Meaning::Internal);
    }

    fn give_chained(&mut self, meaning: &Meaning) {
        let first = self.anonymous.len() - std::mem::take(&mut self.chained_anonymous);
        self.anonymous[first..].fill(meaning.clone());
        for name in std::mem::take(&mut self.chained) {
            set(&mut self.explicit, name, meaning.clone());
        }
    }

    /// Returns how often the text shows the content of a substitution.
    pub fn substitution_uses(&self, scope: &SubstitutionScope) -> u32 {
        match scope {
            None => 1,
            Some(name) => self.substitution_uses.get(&normalize(name)).copied().unwrap_or_default(),
        }
    }

    /// Returns the numbers of references that names mean, with the number of uses.
    pub fn counts(&self) -> Vec<(usize, u32)> {
        let named = self.uses.iter().filter_map(|(name, scope)| {
            Some((self.resolve(self.meaning(name)?)?, self.substitution_uses(scope)))
        });
        // If their numbers differ, none of them is resolved.
        let is_complete = self.anonymous_uses.len() == self.anonymous.len();
        let anonymous = self.anonymous_uses.iter().zip(&self.anonymous).filter(|_| is_complete);
        let anonymous = anonymous
            .filter_map(|(scope, meaning)| Some((self.resolve(meaning)?, self.substitution_uses(scope))));
        named.chain(anonymous).collect()
    }

    fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.explicit.get(name).or_else(|| self.implicit.get(name))
    }

    fn resolve(&self, meaning: &Meaning) -> Option<usize> {
        /// Maximum number of names that mean each other; more are probably a cycle.
        const MAX_ALIASES: usize = 32;
        let mut meaning = meaning;
        for _ in 0..MAX_ALIASES {
            match meaning {
                Meaning::Url(number, _) => return Some(*number),
                Meaning::Alias(name) => meaning = self.meaning(name)?,
                Meaning::Internal | Meaning::Ambiguous => return None,
            }
        }
        None
    }
}

/// Sets the meaning of a name. Of two definitions that are the same, the first counts.
fn set(meanings: &mut HashMap<String, Meaning>, name: String, meaning: Meaning) {
    match meanings.entry(name) {
        Entry::Vacant(entry) => drop(entry.insert(meaning)),
        Entry::Occupied(entry) if entry.get().is_same(&meaning) => {}
        Entry::Occupied(mut entry) => drop(entry.insert(Meaning::Ambiguous)),
    }
}

/// Normalizes the case and the white space of a name.
fn normalize(name: &str) -> String {
    let mut normalized = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !normalized.is_empty() {
            normalized.push(' ');
        }
        normalized.extend(word.chars().flat_map(char::to_lowercase));
    }
    normalized
}
