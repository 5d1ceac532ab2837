//! `invalid-srcset`: a `srcset` with candidates that browsers drop, or duplicates.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-srcset",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a srcset has invalid or duplicate descriptors",
    why: "Browsers drop a candidate with an invalid descriptor. Of two candidates for the same width or density they \
          use only the first. A list cannot mix widths and densities. (HTML 4.8.4.3.10.)",
    bad: r#"<img srcset="/images/team-small.webp 1x, /images/team.webp 640w" src="/images/team.webp" alt="">"#,
    good: r#"<img srcset="/images/team-small.webp 320w, /images/team.webp 640w" sizes="50vw" src="/images/team.webp" alt="">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::Srcset(problem) = &note.kind else { continue };
        found.push(RawFinding::new(&INFO, (view.file, &note.span), format!("srcset: {}", shorten(problem))));
    }
}
