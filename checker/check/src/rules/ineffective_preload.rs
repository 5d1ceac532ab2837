//! `ineffective-preload`: a preload that browsers ignore or do not use.

use std::collections::HashSet;

use super::rule::Registered;
use crate::index::Index;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "ineffective-preload",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a preload has no effect, or makes browsers load a file twice",
    why: "Browsers ignore a preload whose `as` is missing or no known destination. They load fonts with CORS, so a \
          preload of a font needs `crossorigin`, also on the same host; else the font is loaded twice. On pages \
          without scripts, a preload that neither the page nor a style sheet uses only delays other files. \
          (HTML 4.6.8.20.)",
    bad: r#"<link rel="preload" href="/images/team.webp">
<img src="/images/team.webp" alt="">"#,
    good: r#"<link rel="preload" href="/images/team.webp" as="image">
<img src="/images/team.webp" alt="">"#,
};

pub(super) static RULE: Registered = Registered::of_both(&INFO, check_file, check_site);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::Preload(_, Some(fault)) = &note.kind else { continue };
        let location = Location::in_file(view.file, note.span.clone());
        let message = format!("this preload has no effect: {fault}");
        found.push(RawFinding::new(&INFO, location, message).cause(Cause::Message));
    }
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let styled: HashSet<_> = index.pages.styled.iter().map(|(_, target)| target).collect();
    for preload in &index.pages.preloads {
        if !styled.contains(&preload.target) {
            let location = Location::in_file(preload.file, preload.span.clone());
            let message = "this preload has no effect: neither the page nor a style sheet uses the file";
            found.push(RawFinding::reference(&INFO, location, message));
        }
    }
}
