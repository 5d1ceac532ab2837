//! `empty-reference`: an element that loads something, with nothing to load.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "empty-reference",
    category: Category::Links,
    default: Severity::Error,
    summary: "an element that must load something has an empty or no address",
    why: "The HTML standard asks for a non-empty URL there. Browsers show a broken image, or load the page \
          itself once more. On <a> and <area> an empty href means this page, and is fine.",
    bad: r#"<img src="" alt="Our team">"#,
    good: r#"<img src="/images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of::<EmptyReference>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EmptyReference {}

impl Rule for EmptyReference {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (_, reference, _) in view.unusual().filter(|(.., target)| *target == Target::Empty) {
            let location = Location::in_file(view.file, reference.span.clone());
            let place = reference.kind.description();
            found.push(match reference.value {
                Some(_) => RawFinding::reference(&INFO, location, format!("{place} is empty")),
                None => RawFinding::new(&INFO, location, format!("{place} is missing")),
            });
        }
    }
}
