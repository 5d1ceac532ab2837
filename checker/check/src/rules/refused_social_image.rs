//! `refused-social-image`: a preview image in a format that social networks do not show.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "refused-social-image",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a preview image in SVG, which social networks do not show",
    why: "A shared link has no image then. X takes JPG, PNG, WebP and GIF (\"Cards markup\"); Facebook, LinkedIn and \
          Slack show no SVG, either.",
    bad: r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Prices</title>
<meta property="og:image" content="https://www.example.com/logo.svg">"#,
    good: r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Prices</title>
<meta property="og:image" content="https://www.example.com/card.png">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::SvgProperty(name) = &note.kind else { continue };
        let message = format!("social networks do not show the SVG image of `{name}`");
        let location = Location::in_file(view.file, note.span.clone());
        let finding = RawFinding::new(&INFO, location, message).cause(Cause::kind(name.as_str()));
        found.push(finding.help("name a PNG or JPEG image of about 1200 × 630 pixels"));
    }
}
