//! `relative-url`: a relative URL in a place where its readers need an absolute one.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::{NoteKind, Reference, ReferenceKind, is_relative};
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "relative-url",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a relative URL where crawlers and readers need an absolute one",
    why: "Programs that read the page or file do not resolve the URL. Search engines reject it in a sitemap, where a \
          relative `<loc>` is an error, and in the Sitemap line of robots.txt (sitemaps.org). Social networks show no \
          preview for a relative og:image or twitter:image. Google wants whole URLs in hreflang (\"Tell Google about \
          localized versions\"). Feed readers resolve it against their own address, or not at all (RSS 2.0), in the \
          content of items, too; in Atom, `xml:base` makes it absolute. One setting of the generator, its site URL, \
          usually causes all of them.",
    bad: r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Prices</title>
<meta property="og:image" content="/prices.png">"#,
    good: r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Prices</title>
<meta property="og:image" content="https://www.example.com/prices.png">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

/// A kind of URL that must be absolute.
struct AbsoluteUrl {
    kind: ReferenceKind,
    /// The place in messages.
    place: &'static str,
    /// The programs that do not resolve it, and what they do.
    effect: &'static str,
}

const SITEMAPS: &str = "search engines ignore it";
const FEEDS: &str = "feed readers do not resolve it, or against another address";

/// The kinds, each with the document that says so. All were read in November 2026.
const ABSOLUTE_URLS: [AbsoluteUrl; 7] = [
    // sitemaps.org, "Specifying the Sitemap location in your robots.txt file": "the complete URL".
    AbsoluteUrl { kind: ReferenceKind::RobotsSitemap, place: "Sitemap in robots.txt", effect: SITEMAPS },
    // sitemaps.org, "XML tag definitions": `loc` "must begin with the protocol".
    AbsoluteUrl { kind: ReferenceKind::SitemapLoc, place: "loc in a sitemap", effect: SITEMAPS },
    AbsoluteUrl { kind: ReferenceKind::SitemapMedia, place: "image or video in a sitemap", effect: SITEMAPS },
    // Google, "Tell Google about localized versions of your page": "fully-qualified URLs".
    AbsoluteUrl { kind: ReferenceKind::SitemapLink, place: "link in a sitemap", effect: SITEMAPS },
    // RSS 2.0, "Comments": the first characters of URLs must be a scheme. W3C Feed Validation, "link must be a full
    // and valid URL", warns in Atom, too.
    AbsoluteUrl { kind: ReferenceKind::FeedLink, place: "link in a feed", effect: FEEDS },
    AbsoluteUrl { kind: ReferenceKind::FeedEnclosure, place: "enclosure in a feed", effect: FEEDS },
    AbsoluteUrl { kind: ReferenceKind::FeedImage, place: "image in a feed", effect: FEEDS },
];

/// The beginning of the names of social properties (ogp.me, "Data types": a URL begins with http or https; X, "Cards
/// markup"). Tiles of Windows may be relative.
const SOCIAL: [&str; 2] = ["og:", "twitter:"];

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let (name, effect) = match &note.kind {
            NoteKind::RelativeProperty(name) if SOCIAL.iter().any(|start| name.starts_with(start)) => {
                (name.as_str(), "social networks do not resolve it; set the site's URL in the generator")
            }
            NoteKind::RelativeTranslation => {
                ("hreflang", "search engines want the whole URL, with its scheme and host")
            }
            NoteKind::RelativeContent => ("content of a feed", FEEDS),
            _ => continue,
        };
        let message = format!("relative URL: `{name}` must be absolute");
        let finding = RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::kind(name));
        found.push(finding.help(effect));
    }
    if view.is_page() {
        return;
    }
    for reference in &view.facts.references {
        let Some(row) = ABSOLUTE_URLS.iter().find(|row| row.kind == reference.kind) else { continue };
        if has_relative_text(view, reference) {
            let text = view.text_of(reference);
            let message =
                format!("relative URL: `{}`, {}, must be absolute", shorten(text.trim()), row.place);
            let finding =
                RawFinding::new(&INFO, (view.file, &reference.span), message).cause(Cause::kind(row.place));
            let is_certain = row.kind == ReferenceKind::SitemapLoc;
            let finding = if is_certain { finding.certain_error() } else { finding };
            found.push(finding.help(row.effect));
        }
    }
}

/// Whether a reference is relative. An empty one has its own rule.
fn has_relative_text(view: &FileView<'_>, reference: &Reference) -> bool {
    let text = view.text_of(reference).trim();
    !text.is_empty() && is_relative(text)
}
