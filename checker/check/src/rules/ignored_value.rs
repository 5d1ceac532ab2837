//! `ignored-value`: a value that browsers or other readers do not know, so that it has no effect.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::{IgnoredValue, NoteKind, ReferenceKind};
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "ignored-value",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a value has no effect, because its readers do not know it",
    why: "No error says so. A font is never loaded (CSS Fonts 4, 4.3.1). A style or an image is never used, since its \
          media query matches nothing (Media Queries 4, 3.2). A connection is not opened early, a card of X not shown, \
          a title replaced by the one before it, an encoding guessed, a canonical link or a translation not seen. An \
          icon for home screens, captions, a shadow root or a symbol of another origin is not shown, and a word of \
          `sandbox` allows nothing. Only values that are wrong for all browsers are reported.",
    bad: r#"index.html:
  <link rel="stylesheet" href="/phone.css" media="max-width: 40em">
phone.css:
  p { margin: 0 }"#,
    good: r#"index.html:
  <link rel="stylesheet" href="/phone.css" media="(max-width: 40em)">
phone.css:
  p { margin: 0 }"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::IgnoredValue(kind, value) = &note.kind else { continue };
        let value = shorten(value);
        let (message, help) = match kind {
            IgnoredValue::FontFormat => (
                format!("browsers skip this font: they know no format `{value}`"),
                match &*value {
                    "ttf" => "write `truetype`",
                    "otf" => "write `opentype`",
                    "eot" => "write `embedded-opentype`",
                    _ => {
                        "use `woff2`, `woff`, `truetype`, `opentype` or `collection`, or leave `format()` out"
                    }
                },
            ),
            IgnoredValue::MediaQuery => (
                format!("the media query `{value}` matches nothing: browsers cannot read it"),
                "put each condition in parentheses, with spaces around `and`: `screen and (max-width: 40em)`",
            ),
            IgnoredValue::Host => (
                format!("browsers open no early connection: `{value}` is a relative path here"),
                "begin it with `https://`",
            ),
            IgnoredValue::Encoding => {
                (format!("browsers guess the encoding: none has the name `{value}`"), "write `utf-8`")
            }
            IgnoredValue::HrefLang => (
                "search engines ignore this translation: `href-lang` is no attribute".to_owned(),
                "write `hreflang`",
            ),
            IgnoredValue::LinkType => {
                (format!("search engines ignore this link: `{value}` is no link type"), "write `canonical`")
            }
            IgnoredValue::SpacedUrl => (
                format!("social networks do not load `{value}`: white space surrounds its URL"),
                "write the URL right after the quote; a template adds a line break",
            ),
            IgnoredValue::SocialCard => (
                format!("X ignores the card `{value}`"),
                "use `summary`, `summary_large_image`, `app` or `player`",
            ),
            IgnoredValue::SecondTitle => (
                format!("browsers and search engines ignore this second title: `{value}`"),
                "keep one: a layout and a page, or two plugins, write a title",
            ),
            IgnoredValue::SandboxWord => (
                format!("browsers know no word `{value}` of `sandbox`, so that it allows nothing"),
                "write words such as `allow-scripts allow-forms`, with spaces between them",
            ),
            IgnoredValue::TouchIcon => (
                format!("iOS shows no icon for the home screen: `{value}` is SVG"),
                "use a PNG of 180 × 180 pixels",
            ),
            IgnoredValue::Captions => {
                (format!("browsers show no captions of `{value}`: it is not WebVTT"), "convert it to `.vtt`")
            }
            IgnoredValue::ShadowRoot => (
                "browsers make no shadow root of this template: `shadowroot` is no attribute".to_owned(),
                "write `shadowrootmode`",
            ),
            IgnoredValue::ShadowRootMode => (
                format!("browsers make no shadow root of this template: there is no mode `{value}`"),
                "write `open` or `closed`",
            ),
            IgnoredValue::ReferrerPolicy => (
                format!("browsers know no referrer policy `{value}`"),
                "write one such as `strict-origin-when-cross-origin`",
            ),
        };
        found.push(RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::Message).help(help));
    }
    report_foreign_symbols(view, found);
}

/// Reports `<use>` of another origin, which no browser draws, even with CORS (SVG 2, 5.6; tried with Chromium 156).
/// Scripts such as svg4everybody and svgxuse fetch such files.
fn report_foreign_symbols(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let is_polyfill = |text: &str| text.contains("svg4everybody") || text.contains("svgxuse");
    let uses = view.unusual().filter(|(_, reference, target)| {
        reference.kind == ReferenceKind::SvgUse && *target == Target::External
    });
    for (_, reference, _) in uses {
        let mut texts = view.facts.references.iter().filter_map(|one| Some(view.text(one.value?)));
        if texts.any(is_polyfill) {
            return;
        }
        let text = shorten(view.text_of(reference));
        let message = format!("browsers draw nothing for this `<use>`: `{text}` is on another origin");
        let help = "publish the file with the site, or write the symbols into the page";
        found.push(RawFinding::reference(&INFO, (view.file, &reference.span), message).help(help));
    }
}
