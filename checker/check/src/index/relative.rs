//! Collects the relative references of pages that may be served at addresses in other folders.

use std::ops::Range;

use super::view::FileView;
use crate::parse::{Reference, ReferenceKind, Role};
use crate::resolve::{Base, Reason, Target};
use crate::walk::FileId;

use super::site::Site;

/// A relative reference of a page.
#[derive(Clone, Debug)]
pub struct RelativeReference {
    /// The page.
    pub file: FileId,
    /// The reference there.
    pub span: Range<u32>,
    /// Its text, without spaces around it.
    pub text: Box<str>,
    /// Its kind.
    pub kind: ReferenceKind,
}

impl RelativeReference {
    /// Whether a browser loads it for the page.
    pub fn is_load(&self) -> bool {
        self.kind.role() == Role::Load
    }

    /// Returns the reason why it has no answer if the page is at another address.
    pub fn missing_at(&self, base: &Base, site: &Site<'_>) -> Option<Reason> {
        let target = site.resolver.resolve(base, &self.text, &mut Vec::new());
        match site.reject_fallback_page(target, self.kind, base, &self.text) {
            Target::Missing(reason) => Some(reason),
            _ => None,
        }
    }
}

/// Returns the relative references of a page that links may open at an address in another folder. If only the host
/// decides about that address, returns only those that are missing there: the first load, and the first link.
pub(super) fn relative_references(view: &FileView<'_>) -> Vec<RelativeReference> {
    let FileView { file, facts, site, .. } = *view;
    let resolver = &site.resolver;
    if !resolver.may_shift() || facts.base.is_some() || site.is_served_anywhere(file) {
        return Vec::new();
    }
    let is_rewritten = resolver.may_be_rewritten_to(file);
    let of_host = resolver.address_with_other_slash(file);
    if !is_rewritten && of_host.is_none() {
        return Vec::new();
    }
    let relative = view.references().filter_map(|(reference, target)| as_relative(view, reference, target));
    match of_host.filter(|_| !is_rewritten) {
        None => relative.collect(),
        Some(address) => {
            let base = resolver.base_at(&address);
            let mut missing: Vec<_> =
                relative.filter(|reference| reference.missing_at(&base, site).is_some()).collect();
            let first_link = missing.iter().position(|reference| !reference.is_load());
            let first_load = missing.iter().position(RelativeReference::is_load);
            let mut at = 0;
            missing.retain(|_| {
                at += 1;
                [first_link, first_load].contains(&Some(at - 1))
            });
            missing
        }
    }
}

/// Returns a reference if it is relative and has an answer.
fn as_relative(view: &FileView<'_>, reference: &Reference, target: Target) -> Option<RelativeReference> {
    let kind = reference.kind;
    let is_used = matches!(kind.role(), Role::Navigate | Role::Load | Role::Deferred);
    let is_checked =
        is_used && !kind.is_property() && kind != ReferenceKind::JsonLd && !kind.may_be_program();
    let text = view.text(reference.value?).trim();
    let is_answered = matches!(target, Target::File { .. });
    (is_checked && is_answered && is_relative_path(text)).then(|| RelativeReference {
        file: view.file,
        span: reference.span.clone(),
        text: text.into(),
        kind,
    })
}

/// Whether a reference is a path that is relative to the folder of its document.
pub fn is_relative_path(text: &str) -> bool {
    let end = text.find([':', '/', '?', '#']).unwrap_or(text.len());
    let has_scheme = text[end..].starts_with(':');
    !text.starts_with(['/', '\\', '#', '?']) && !text.is_empty() && !has_scheme
}
