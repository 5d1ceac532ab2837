//! The address that a finding's reference leads to, so that findings which share one can be told as one.

use std::collections::HashMap;

use super::sources::Sources;
use crate::diagnostic::{Cause, Diagnostic, Place};
use crate::parse::{self, Format};
use crate::report::Report;
use crate::resolve::{Base, Resolver, Target, fragment};
use crate::walk::Tree;

/// Resolves the references of findings once more, in the order of the report.
pub struct Targets<'r> {
    tree: &'r Tree,
    resolver: Resolver<'r>,
    base: Option<(Place, Base)>,
    buffer: Vec<u8>,
}

impl<'r> Targets<'r> {
    /// The targets of a report's findings.
    pub fn new(report: &'r Report) -> Self {
        let resolver = Resolver::new(&report.tree, &report.whereabouts.settings, report.redirects.clone());
        Targets { tree: &report.tree, resolver, base: None, buffer: Vec::new() }
    }

    /// The thing that a finding's rule names as its cause; or else the path, the fragment with it where its page
    /// exists, or the URL that its reference means. `None` where it is about neither.
    pub fn of(&mut self, diagnostic: &Diagnostic, sources: &mut Sources<'_>) -> Option<String> {
        match &diagnostic.cause {
            Cause::Thing(thing) => return Some(thing.to_string()),
            Cause::Marked => return sources.marked(diagnostic),
            Cause::Message | Cause::Kind(_) => return None,
            Cause::Target => {}
        }
        let text = sources.reference(diagnostic)?;
        let Place::File(file) = diagnostic.location.place else { return None };
        let format = Format::of(self.tree.path(file));
        let text = match format {
            Format::Css => text,
            _ => parse::decode_references(&text).into_owned(),
        };
        if text.trim().is_empty() {
            return None;
        }
        if self.base.as_ref().is_none_or(|(place, _)| *place != diagnostic.location.place) {
            let source = sources.text(&diagnostic.location.place);
            let href = (format == Format::Html).then(|| parse::base_href(source)).flatten();
            let base = self.resolver.base(file, href.as_deref());
            self.base = Some((diagnostic.location.place.clone(), base));
        }
        let (_, base) = self.base.as_ref()?;
        match self.resolver.resolve(base, &text, &mut self.buffer) {
            Target::File { file, .. } => {
                let path = self.resolver.served_path(&self.tree.display(file));
                let fragment = fragment(&text).map(|fragment| format!("#{}", fragment.decoded));
                Some(format!("{path}{}", fragment.unwrap_or_default()))
            }
            Target::Missing(_) => {
                let path = self.resolver.local_path(base, &text)?;
                Some(self.resolver.served_path(&String::from_utf8_lossy(&path)))
            }
            _ => Some(text),
        }
    }
}

/// Which targets are shared by how many documents.
#[derive(Default)]
pub struct SharedTargets {
    by_target: HashMap<(&'static str, String), Sharers>,
}

struct Sharers {
    last: Place,
    pages: usize,
}

/// A target that findings share.
pub struct SharedTarget {
    /// The rule that they broke.
    pub rule: &'static str,
    /// The target.
    pub name: String,
    /// The documents they are in.
    pub pages: usize,
}

impl SharedTargets {
    /// Counts a finding; they come in the order of places.
    pub fn add(&mut self, diagnostic: &Diagnostic, target: Option<String>) {
        let Some(target) = target else { return };
        let place = &diagnostic.location.place;
        let sharers = self
            .by_target
            .entry((diagnostic.rule.id, target))
            .or_insert_with(|| Sharers { last: place.clone(), pages: 1 });
        if sharers.last != *place {
            sharers.last = place.clone();
            sharers.pages += 1;
        }
    }

    /// How many targets are shared by at least `pages` documents.
    pub fn len(&self, pages: usize) -> usize {
        self.by_target.values().filter(|sharers| sharers.pages >= pages).count()
    }

    /// The `limit` targets that most documents share, but at least `pages`.
    pub fn most(&self, limit: usize, pages: usize) -> Vec<SharedTarget> {
        let mut all: Vec<_> = self.by_target.iter().filter(|(_, sharers)| sharers.pages >= pages).collect();
        all.sort_by(|(a, x), (b, y)| y.pages.cmp(&x.pages).then_with(|| a.cmp(b)));
        all.truncate(limit);
        all.into_iter()
            .map(|((rule, name), sharers)| SharedTarget { rule, name: name.clone(), pages: sharers.pages })
            .collect()
    }
}
