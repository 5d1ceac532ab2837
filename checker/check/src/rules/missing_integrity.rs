//! `missing-integrity`: an external script or style sheet without an integrity hash.

use std::collections::HashSet;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::{NoteKind, ReferenceKind};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-integrity",
    category: Category::Security,
    default: Severity::Off,
    summary: "an external script or style sheet has no integrity attribute",
    why: "Anyone who can change the file on its host can change this site. With the file's hash in the page, \
          browsers refuse any other content. The host must allow this by CORS. (Subresource Integrity, 3.)",
    bad: r#"<script src="https://cdn.test/app.js" crossorigin="anonymous"></script>"#,
    good: r#"<script src="https://cdn.test/app.js" crossorigin="anonymous"
        integrity="sha256-+ESjkQmxkyaPhtk6WP6rFWnP8sPoTyr8tWvBcXcvP/s="></script>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    if !view.is_page() {
        return;
    }
    let claimed = view.facts.metadata.notes.iter().filter_map(|note| match &note.kind {
        NoteKind::Integrity(claimed, _) => Some(*claimed),
        _ => None,
    });
    let claimed: HashSet<usize> = claimed.collect();
    for (index, reference, target) in view.unusual() {
        let is_code =
            reference.kind == ReferenceKind::Script || reference.kind == ReferenceKind::LinkStylesheet;
        if is_code && target == Target::External && !claimed.contains(&index) {
            let text = view.text_of(reference);
            let message = format!("`{}` has no integrity attribute", shorten(text.trim()));
            found.push(RawFinding::reference(&INFO, (view.file, &reference.span), message));
        }
    }
}
