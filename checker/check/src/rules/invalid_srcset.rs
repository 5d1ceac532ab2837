//! `invalid-srcset`: candidates of a `srcset` that browsers drop, or that mean the same.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-srcset",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a srcset has descriptors that browsers do not understand",
    why: "A candidate whose descriptor is wrong is dropped, and of two for the same width or density \
          only the first is used. Widths and densities cannot be mixed in one list. (HTML 4.8.4.3.10.)",
    bad: r#"<img srcset="/images/team-small.webp 1x, /images/team.webp 640w" src="/images/team.webp" alt="">"#,
    good: r#"<img srcset="/images/team-small.webp 320w, /images/team.webp 640w" sizes="50vw" src="/images/team.webp" alt="">"#,
};

pub(super) static RULE: Registered = Registered::of::<InvalidSrcset>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InvalidSrcset {}

impl Rule for InvalidSrcset {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for note in &view.facts.metadata.notes {
            let NoteKind::Srcset(problem) = &note.kind else { continue };
            let location = Location::in_file(view.file, note.span.clone());
            found.push(RawFinding::new(&INFO, location, format!("srcset: {}", shown(problem))));
        }
    }
}
