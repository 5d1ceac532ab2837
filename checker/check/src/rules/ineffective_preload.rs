//! `ineffective-preload`: a preload that browsers ignore or do not use.

use std::collections::HashSet;

use super::rule::Registered;
use crate::index::Index;
use crate::index::view::FileView;
use crate::parse::{NoteKind, RequestMode};
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "ineffective-preload",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a preload has no effect, or makes browsers load a file twice",
    why: "Browsers ignore a preload whose `as` is missing or no known destination. They load fonts with CORS, so a \
          preload of a font needs `crossorigin`, also on the same host; else the font is loaded twice. So is a file of \
          `fetch`, and a style sheet or a script whose element has another `crossorigin`, or is a module. On pages \
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
        let message = format!("this preload has no effect: {fault}");
        found.push(RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::Message));
    }
    check_modes(view, found);
}

/// Returns why browsers do not use a preload for a style sheet or a script that is requested in another mode.
fn mode_fault(preloaded: RequestMode, used: RequestMode) -> Option<&'static str> {
    Some(match (preloaded, used) {
        // A module is requested with CORS, as is a preload with `crossorigin`.
        (preloaded, RequestMode::Module) if preloaded != RequestMode::Plain => return None,
        (_, RequestMode::Module) => {
            "the file is a module, so that browsers load it twice; write `rel=\"modulepreload\"`"
        }
        (preloaded, used) if preloaded == used => return None,
        (_, RequestMode::Plain) => {
            "it has `crossorigin`, but the element for the file has none, so that browsers load it twice"
        }
        (RequestMode::Plain, _) => {
            "it has no `crossorigin`, but the element for the file has, so that browsers load it twice"
        }
        _ => {
            "its `crossorigin` differs from that of the element for the file, so that browsers load it twice"
        }
    })
}

/// Reports preloads in another mode than that of the element for which they are (HTML, 2.4.4: "consume a preloaded
/// resource"; lodash/lodash.com#304).
fn check_modes(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let notes = &view.facts.metadata.notes;
    let target = |index: usize| {
        let text =
            view.facts.references.get(index).and_then(|one| one.value).map_or("", |value| view.text(value));
        (view.links.targets.get(index).copied(), text)
    };
    for note in notes {
        let NoteKind::PreloadMode(index, preloaded) = note.kind else { continue };
        let (file, url) = target(index);
        let is_same = |other: usize| {
            let (other_file, other_url) = target(other);
            match file {
                Some(Target::File { .. }) => other_file == file,
                _ => other_url == url,
            }
        };
        let uses = notes.iter().filter_map(|used| match used.kind {
            NoteKind::RequestMode(other, mode) if is_same(other) => Some(mode_fault(preloaded, mode)),
            _ => None,
        });
        let faults: Option<Vec<_>> = uses.collect();
        let Some(fault) = faults.as_ref().and_then(|faults| faults.first()) else { continue };
        let message = format!("this preload has no effect: {fault}");
        found.push(RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::Message));
    }
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let styled: HashSet<_> = index.pages.styled.iter().map(|(_, target)| target).collect();
    for preload in &index.pages.preloads {
        if !styled.contains(&preload.target) {
            let message = "this preload has no effect: neither the page nor a style sheet uses the file";
            found.push(RawFinding::reference(&INFO, (preload.file, &preload.span), message));
        }
    }
}
