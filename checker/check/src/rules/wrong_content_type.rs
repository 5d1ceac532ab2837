//! `wrong-content-type`: a server sends a file with the wrong `Content-Type`.

use sitegate_address::{SitePath, extension};

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

/// File extensions, the expected media type, and the parts of media types that are accepted.
const TYPES: [(&[&str], &str, &[&str]); 9] = [
    (&["html", "htm"], "text/html", &["text/html", "application/xhtml+xml"]),
    (&["css"], "text/css", &["text/css"]),
    (&["js", "mjs"], "text/javascript", &["javascript"]),
    (&["svg"], "image/svg+xml", &["image/svg+xml"]),
    (&["json", "webmanifest", "map"], "application/json", &["json"]),
    (&["xml", "rss", "atom"], "application/xml", &["xml"]),
    (&["png", "jpg", "jpeg", "gif", "webp", "avif"], "image/…", &["image/"]),
    (&["wasm"], "application/wasm", &["application/wasm"]),
    (&["pdf"], "application/pdf", &["application/pdf"]),
];

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "wrong-content-type",
    category: Category::Live,
    default: Severity::Error,
    summary: "the server sends a file with the wrong Content-Type",
    why: "Browsers rely on `Content-Type`: they refuse style sheets and modules with another type, show a page's \
          source, or offer to save it. Checked on live sites only. A type that `[[headers]]` sets is checked by \
          wrong-header instead.",
    bad: r#"live:
  /style.css content-type: text/plain
index.html:
  <link rel="stylesheet" href="/style.css">
style.css:
  p { color: red }"#,
    good: r#"live:
  /style.css content-type: text/css
index.html:
  <link rel="stylesheet" href="/style.css">
style.css:
  p { color: red }"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

/// Returns whether a path has one of these extensions, in any case.
fn has_extension(path: &[u8], extensions: &[&str]) -> bool {
    SitePath::new(path).extension().is_some_and(|found| extension::is_one_of(found, extensions))
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let Some(live) = index.site.live() else { return };
    for file in index.site.tree.ids() {
        let path = index.site.tree.path(file);
        // Only the URL's own extension counts, not a file name that was derived from the type.
        let Some(answer) = live.files.get(path).filter(|answer| *answer.address == *path) else {
            continue;
        };
        let Some((wanted, fits)) = TYPES
            .iter()
            .find(|(extensions, ..)| has_extension(path, extensions))
            .map(|(_, wanted, fits)| (wanted, fits))
        else {
            continue;
        };
        let media_type = answer.media_type();
        let set = index.site.headers_for(file);
        if fits.iter().any(|part| media_type.contains(part))
            || set.keys().any(|name| name.eq_ignore_ascii_case("content-type"))
        {
            continue;
        }
        let message = match media_type.as_str() {
            "" => format!("missing `Content-Type`: it should be `{wanted}`"),
            other => format!("wrong `Content-Type`: `{}` instead of `{wanted}`", shorten(other)),
        };
        let cause = Cause::kind(format!("{wanted} {media_type}"));
        found.push(RawFinding::new(&INFO, file, message).cause(cause));
    }
}
