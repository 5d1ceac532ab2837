//! `empty-reference`: an element that loads a file has no URL.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::ReferenceKind;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "empty-reference",
    category: Category::Links,
    default: Severity::Error,
    summary: "an element that loads a file has an empty URL, or none",
    why: "The HTML standard requires a non-empty URL here. Browsers show a broken image, or load the page itself \
          again. An empty href on <a> and <area> means this page, and is fine. An empty canonical link, og:url or \
          og:image is an `invalid-canonical`.",
    bad: r#"<img src="" alt="Our team">"#,
    good: r#"<img src="/images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let empty = view.unusual().filter(|(.., target)| *target == Target::Empty);
    // `invalid-canonical` reports the others.
    for (_, reference, _) in empty.filter(|(_, reference, _)| !is_optional(reference.kind)) {
        let location = Location::in_file(view.file, reference.span.clone());
        let place = reference.kind.description();
        found.push(match reference.value {
            Some(_) => RawFinding::reference(&INFO, location, format!("{place} is empty")),
            None => RawFinding::new(&INFO, location, format!("{place} is missing")),
        });
    }
}

/// Whether the page is complete without the reference: nothing loads it.
fn is_optional(kind: ReferenceKind) -> bool {
    kind == ReferenceKind::LinkCanonical || kind.is_property()
}
