//! Resolves the references of a file against the site.

use std::collections::{BTreeMap, HashMap};

use sitegate_address::{SitePath, UrlReference};

use crate::index::site::Site;
use crate::index::view::Links;
use crate::parse::{Facts, ReferenceKind, Role};
use crate::resolve::suggestion::Suggestion;
use crate::resolve::{Base, Memo, Reason, Route, Target};
use crate::walk::FileId;

/// Maximum number of missing paths whose suggestions a worker keeps.
const MAX_SUGGESTIONS: usize = 10_000;

/// Resolves every reference of a file, and suggests existing paths for broken ones.
pub(super) fn resolve_references(
    site: &Site<'_>,
    (file, facts): (FileId, &Facts),
    base: &Base,
    links: &mut Links,
    memo: &mut Memo,
    suggestions: &mut HashMap<Vec<u8>, Option<Suggestion>>,
) {
    links.targets.clear();
    links.unusual.clear();
    links.suggestions = BTreeMap::new();
    links.resolved = 0;
    memo.start_document(base);
    let is_error_page = site.is_error_page(file);
    for (index, reference) in facts.references.iter().enumerate() {
        let text = reference.value.map_or("", |value| facts.text(value));
        let target = match reference.value {
            _ if reference.kind.role() == Role::Connect => Target::Unchecked,
            None => Target::Empty,
            Some(_) => {
                links.resolved += 1;
                match resolve_reference(site, reference.kind, text, (base, file), memo) {
                    // An error page has no URL of its own, so its canonical URL need not exist.
                    Target::Missing(_) if is_error_page && reference.kind.role() == Role::Relate => {
                        Target::Unchecked
                    }
                    target => target,
                }
            }
        };
        if let Target::Missing(Reason::NoFile | Reason::NoIndex) = target {
            let wanted = site.resolver.local_path(base, text).unwrap_or_default();
            if suggestions.len() >= MAX_SUGGESTIONS {
                suggestions.clear();
            }
            let near = suggestions.entry(wanted).or_insert_with_key(|wanted| site.suggest(wanted));
            // A page that says where it moved to does not mean itself.
            let is_itself = |moved: &Suggestion| matches!(moved, Suggestion::Moved(path) if path.as_bytes() == site.tree.path(file));
            links.suggestions.extend(near.clone().filter(|near| !is_itself(near)).map(|near| (index, near)));
        }
        if !is_plain_path(target, text, site) {
            links.unusual.push(index as u32);
        }
        links.targets.push(target);
    }
}

/// Whether a reference is just the path of an existing file: no scheme, host, space or backslash, no query on a
/// folder's page, and no redirect.
fn is_plain_path(target: Target, text: &str, site: &Site<'_>) -> bool {
    let bytes = text.as_bytes();
    let is_direct = match target {
        Target::File { route: Route::Exact, .. } => true,
        Target::File { route: Route::Index, .. } => {
            site.resolver.host().keeps_slash() && UrlReference::new(text).query().is_none()
        }
        _ => false,
    };
    is_direct
        && bytes.first().is_some_and(|first| *first > b' ')
        && !matches!(bytes, [b'/', b'/', ..])
        && memchr::memchr3(b' ', b':', b'\\', bytes).is_none()
}

/// Resolves a reference by its kind and text.
fn resolve_reference(
    site: &Site<'_>,
    kind: ReferenceKind,
    text: &str,
    (base, file): (&Base, FileId),
    memo: &mut Memo,
) -> Target {
    match text.bytes().find(|byte| *byte > b' ') {
        None if kind.role().needs_value() => return Target::Empty,
        // In a style sheet, `url(#id)` refers to an element of the document that uses the style sheet.
        Some(b'#') if kind.is_css() => return Target::Unchecked,
        // In SVG, such a reference is always to the same document, independently of its base (SVG 2, 16.1.4).
        Some(b'#') if matches!(kind, ReferenceKind::SvgUse | ReferenceKind::SvgImage) => {
            return Target::File { file, route: Route::Exact };
        }
        _ => {}
    }
    // On a live site, the targets of forms that post are not requested.
    if kind.is_posted() && site.live().is_some() {
        return Target::Unchecked;
    }
    match memo.resolve(text, |paths| site.resolver.resolve(base, text, paths)) {
        Target::Missing(_) if kind.may_be_program() && !names_page(text) => Target::Unchecked,
        target => site.reject_fallback_page(target, kind, base, text),
    }
}

/// Whether a URL is that of a page, not of a program.
fn names_page(text: &str) -> bool {
    let path = UrlReference::new(text).path().trim();
    path.ends_with('/') || SitePath::new(path).is_page()
}

#[cfg(test)]
mod tests {
    use super::names_page;

    #[test]
    fn recognizes_pages_by_their_names() {
        assert!(["/a/", "a.html?b", "A.HTM#c", "a.xhtml", " a.html "].iter().all(|text| names_page(text)));
        assert!(["/a", "a.php", "a?b.html", "a#/", "ahtml"].iter().all(|text| !names_page(text)));
    }
}
