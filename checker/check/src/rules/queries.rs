//! Queries that several rules share: broken references, redirect locations, scheme prefixes.

use crate::index::view::FileView;
use crate::parse::Reference;
use crate::raw_finding::{DocumentId, Location};
use crate::resolve::live::LiveSite;
use crate::resolve::parts::PartAnswer;
use crate::resolve::redirects::Redirect;
use crate::resolve::{Reason, Target};
use crate::walk::{FileId, Tree};

/// Returns the broken references of a page or style sheet, with their indexes.
pub(super) fn broken_references<'v>(
    view: &FileView<'v>,
) -> impl Iterator<Item = (usize, &'v Reference, Reason)> + 'v {
    let (site, base, facts) = (view.site, view.base, view.facts);
    let has_parts = !site.resolver.parts().is_empty();
    view.unusual().filter_map(move |(index, reference, target)| match target {
        Target::Missing(reason) => Some((index, reference, reason)),
        Target::External if has_parts => {
            let (_, answer, _) = site.part_answer(base, facts.text(reference.value?))?;
            (answer == PartAnswer::Missing).then_some((index, reference, Reason::NotInPart))
        }
        _ => None,
    })
}

/// Returns the location of a redirect's destination: in the redirects file, or in the contract.
pub(super) fn redirect_location(file: Option<FileId>, redirect: &Redirect) -> Location {
    match file {
        Some(file) if !redirect.in_contract => Location::in_file(file, redirect.span.clone()),
        _ => Location { document: DocumentId::Contract, span: redirect.span.clone() },
    }
}

/// Returns the location for findings about a live site as a whole: its start page.
pub(super) fn start_page_location(live: &LiveSite, tree: &Tree) -> Location {
    match live.start_file(tree) {
        Some(file) => Location::in_file(file, 0..0),
        None => Location { document: DocumentId::Path("index.html".into()), span: 0..0 },
    }
}

/// Returns the text after a scheme, which matches in any case.
pub(super) fn strip_scheme<'t>(text: &'t str, scheme: &str) -> Option<&'t str> {
    let text = text.trim_matches(|c: char| c <= ' ');
    let start = text.get(..scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
}
