//! `refused-social-image`: a preview image that social networks do not show, by its format or its size.

use super::rule::Registered;
use crate::index::Index;
use crate::index::file_claims::{ImageNeed, MAX_PREVIEW, MIN_PREVIEW};
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "refused-social-image",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a preview image that social networks do not show: in SVG, too small or too large",
    why: "A shared link has no image then. X takes JPG, PNG, WebP and GIF (\"Cards markup\"); Facebook, LinkedIn and \
          Slack show no SVG, either. Facebook shows images of at least 200 × 200 pixels and at most 8 MB \
          (\"Images in link shares\").",
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

pub(super) static RULE: Registered = Registered::of_both(&INFO, check_file, check_site);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::SvgProperty(name) = &note.kind else { continue };
        let message = format!("social networks do not show the SVG image of `{name}`");
        let finding =
            RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::kind(name.as_str()));
        found.push(finding.help("name a PNG or JPEG image of about 1200 × 630 pixels"));
    }
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for wrong in index.wrong_images.iter().filter(|wrong| wrong.claim.need == ImageNeed::Preview) {
        let name = index.site.tree.display(wrong.claim.target);
        let (width, height) = wrong.pixels;
        let message = if wrong.bytes > MAX_PREVIEW {
            format!("Facebook does not show `{name}`: it has {} MB, and 8 are the most", wrong.bytes >> 20)
        } else {
            let least = MIN_PREVIEW;
            format!(
                "Facebook does not show `{name}`: it has {width} × {height} pixels, and {least} × {least} are the least"
            )
        };
        let finding = RawFinding::reference(&INFO, (wrong.claim.file, &wrong.claim.span), message)
            .cause(Cause::Message);
        found.push(finding.help("name a PNG or JPEG image of about 1200 × 630 pixels"));
    }
}
