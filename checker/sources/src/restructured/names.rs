//! Names of link targets and of substitutions: how often a text uses each definition.

use std::collections::HashMap;
use std::rc::Rc;

/// The substitution definition around a use, if there is one. Its content is shown once for each use of its own.
pub(super) type SubstitutionScope = Option<Rc<str>>;

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Meaning {
    /// The reference with this number.
    Url(usize),
    /// Another name.
    Alias(String),
    /// A place in the text.
    Internal,
    /// Two definitions of it differ, so that it cannot be used.
    Ambiguous,
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

    /// Defines a name, or the next anonymous target, as the reference with a number.
    pub fn define_url(&mut self, name: Option<&str>, number: usize, is_same: impl Fn(usize) -> bool) {
        self.define(name, &Meaning::Url(number), is_same);
    }

    /// Defines a name, or the next anonymous target, as another name.
    pub fn define_alias(&mut self, name: Option<&str>, other: &str) {
        self.define(name, &Meaning::Alias(normalize(other)), |_| false);
    }

    /// Defines the text of a link as a name of its URL.
    pub fn define_in_text(&mut self, name: &str, number: usize, is_same: impl Fn(usize) -> bool) {
        set(&mut self.implicit, normalize(name), Meaning::Url(number), is_same);
    }

    /// Defines the text of a link as another name.
    pub fn define_alias_in_text(&mut self, name: &str, other: &str) {
        set(&mut self.implicit, normalize(name), Meaning::Alias(normalize(other)), |_| false);
    }

    /// Defines a title as a name.
    pub fn define_title(&mut self, title: &str) {
        set(&mut self.implicit, normalize(title), Meaning::Internal, |_| false);
    }

    /// Defines a name as a place in the text.
    pub fn define_internal(&mut self, name: &str) {
        set(&mut self.explicit, normalize(name), Meaning::Internal, |_| false);
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
        self.give_chained(&Meaning::Internal, |_| false);
    }

    fn define(&mut self, name: Option<&str>, meaning: &Meaning, is_same: impl Fn(usize) -> bool) {
        self.give_chained(meaning, &is_same);
        match name {
            Some(name) => set(&mut self.explicit, normalize(name), meaning.clone(), is_same),
            None => self.anonymous.push(meaning.clone()),
        }
    }

    fn give_chained(&mut self, meaning: &Meaning, is_same: impl Fn(usize) -> bool) {
        let first = self.anonymous.len() - std::mem::take(&mut self.chained_anonymous);
        self.anonymous[first..].fill(meaning.clone());
        for name in std::mem::take(&mut self.chained) {
            set(&mut self.explicit, name, meaning.clone(), &is_same);
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
                Meaning::Url(number) => return Some(*number),
                Meaning::Alias(name) => meaning = self.meaning(name)?,
                Meaning::Internal | Meaning::Ambiguous => return None,
            }
        }
        None
    }
}

/// Sets the meaning of a name. Two definitions with the same URL or name are one; `is_same` compares with an earlier URL.
fn set(
    meanings: &mut HashMap<String, Meaning>,
    name: String,
    meaning: Meaning,
    is_same: impl Fn(usize) -> bool,
) {
    match (meanings.get(&name), &meaning) {
        (Some(Meaning::Url(earlier)), Meaning::Url(_)) if is_same(*earlier) => {}
        (Some(Meaning::Alias(earlier)), Meaning::Alias(other)) if earlier == other => {}
        (Some(_), _) => {
            meanings.insert(name, Meaning::Ambiguous);
        }
        (None, _) => {
            meanings.insert(name, meaning);
        }
    }
}

/// Normalizes the case and the white space of a name.
pub(super) fn normalize(name: &str) -> String {
    let mut normalized = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !normalized.is_empty() {
            normalized.push(' ');
        }
        normalized.extend(word.chars().flat_map(char::to_lowercase));
    }
    normalized
}
