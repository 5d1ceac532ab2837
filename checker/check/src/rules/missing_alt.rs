//! `missing-alt`: an image without alternative text.

use std::ops::Range;

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-alt",
    category: Category::Content,
    default: Severity::Warn,
    summary: "an image has no alt text",
    why: "Readers who cannot see the image hear its file name, or nothing. Use an empty alt for a decorative image; \
          an image button needs words. role=\"presentation\", aria-hidden=\"true\", aria-label and aria-labelledby \
          are recognized. (HTML 4.8.4.4, WCAG 1.1.1.)",
    bad: r#"<img src="/images/team.webp">"#,
    good: r#"<img src="/images/team.webp" alt="Our team in the garden">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::NoAlt(element) = note.kind else { continue };
        let message = match element {
            "input" => "this <input type=image> has no alt text that names it".to_owned(),
            _ => format!("this <{element}> has no alt text"),
        };
        let mut finding = RawFinding::new(&INFO, (view.file, &note.span), message);
        if element == "img" {
            finding = finding.help("describe the image, or write alt=\"\" if it is decorative");
        }
        found.push(match image_source(view, &note.span) {
            Some(source) => finding.cause(source),
            None => finding.cause(Cause::Marked),
        });
    }
}

/// Returns the path or URL of the image that an element shows.
fn image_source(view: &FileView<'_>, element: &Range<u32>) -> Option<String> {
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
