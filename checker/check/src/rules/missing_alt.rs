//! `missing-alt`: a picture without a text that stands for it.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-alt",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a picture has no alt text",
    why: "Readers who do not see the picture hear its file name instead, or nothing. A picture that only \
          decorates has an empty alt, which says just that; a picture that is a button needs words. \
          (HTML 4.8.4.4, WCAG 1.1.1.) role=\"presentation\", aria-hidden=\"true\", aria-label and \
          aria-labelledby are understood.",
    bad: r#"<img src="/images/team.webp">"#,
    good: r#"<img src="/images/team.webp" alt="Our team in the garden">"#,
};

pub(super) static RULE: Registered = Registered::of::<MissingAlt>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingAlt {}

impl Rule for MissingAlt {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for note in &view.facts.metadata.notes {
            let NoteKind::NoAlt(element) = note.kind else { continue };
            let location = Location::in_file(view.file, note.span.clone());
            let message = match element {
                "input" => "this <input type=image> has no alt text that names it".to_owned(),
                _ => format!("this <{element}> has no alt text"),
            };
            let mut finding = RawFinding::new(&INFO, location, message);
            if element == "img" {
                finding = finding.help("say what it shows, or write alt=\"\" where it only decorates");
            }
            found.push(match picture(view, &note.span) {
                Some(picture) => finding.cause(picture),
                None => finding.cause(Cause::Marked),
            });
        }
    }
}

/// The picture that an element shows, wherever it is.
fn picture(view: &FileView<'_>, element: &Range<u32>) -> Option<String> {
    let references = &view.facts.references;
    let first = references.partition_point(|reference| reference.span.start < element.start);
    let source = references.get(first).filter(|reference| reference.span.end <= element.end)?;
    let text = view.text(source.value?).trim();
    let resolver = &view.site.resolver;
    match resolver.local_path(view.base, text) {
        Some(path) => Some(resolver.served_path(&String::from_utf8_lossy(&path))),
        None => Some(text.to_owned()),
    }
}
