//! `wrong-content-type`: a live answer says that it is something else than its address says.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::Index;
use crate::raw_finding::Cause;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

/// Endings of names, the media type that they promise, and a part that every type has which does as well.
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
    summary: "a live answer says that it is something else than its address says",
    why: "Browsers go by `Content-Type`: they refuse style sheets and modules of another type, show a page as its source, or offer to save \
          it. Asked of live sites only; where `[[headers]]` sets a type, that counts.",
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

pub(super) static RULE: Registered = Registered::of::<WrongContentType>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WrongContentType {}

/// Whether a path ends in a dot and one of these, in any case.
fn has_ending(path: &[u8], endings: &[&str]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let Some(dot) = name.iter().rposition(|byte| *byte == b'.') else { return false };
    endings.iter().any(|ending| name[dot + 1..].eq_ignore_ascii_case(ending.as_bytes()))
}

impl Rule for WrongContentType {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(live) = index.site.live() else { return };
        for file in index.site.tree.ids() {
            let path = index.site.tree.path(file);
            // What the address promises counts, and not a name that was made for the type.
            let Some(answer) = live.files.get(path).filter(|answer| *answer.address == *path) else {
                continue;
            };
            let Some((wanted, fits)) = TYPES
                .iter()
                .find(|(endings, ..)| has_ending(path, endings))
                .map(|(_, wanted, fits)| (wanted, fits))
            else {
                continue;
            };
            let media_type = answer.media_type();
            let set = index.site.contract.headers_for(&format!("/{}", index.site.tree.display(file)));
            if fits.iter().any(|part| media_type.contains(part))
                || set.keys().any(|name| name.eq_ignore_ascii_case("content-type"))
            {
                continue;
            }
            let message = match media_type.as_str() {
                "" => format!("there is no `Content-Type`; it should be `{wanted}`"),
                other => format!("its `Content-Type` is `{}` instead of `{wanted}`", shown(other)),
            };
            let cause = Cause::kind(format!("{wanted} {media_type}"));
            found.push(RawFinding::new(&INFO, Location::in_file(file, 0..0), message).cause(cause));
        }
    }
}
