//! `misspelled-scheme`: `htps:`, `http:/` and the like.

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::nearest::nearest;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "misspelled-scheme",
    category: Category::Links,
    default: Severity::Error,
    summary: "a reference has a misspelled scheme, or not two slashes after it",
    why: "No program handles `htps:`. After `http:` browsers accept one slash or three, but with different meanings: \
          on a page with the same scheme, one slash starts a path of this site. (WHATWG URL, 4.4.)",
    bad: r#"<a href="htps://www.w3.org/">Web standards</a>"#,
    good: r#"<a href="https://www.w3.org/">Web standards</a>"#,
};

pub(super) static RULE: Registered = Registered::new::<MisspelledScheme>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MisspelledScheme {}

impl Rule for MisspelledScheme {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (_, reference, target) in view.unusual() {
            let leads = matches!(target, Target::Scheme | Target::External | Target::File { .. });
            if !leads {
                continue;
            }
            let Some(value) = reference.value else { continue };
            let text = view.text(value).trim();
            if let Some((message, help)) = fault(text) {
                let location = Location::in_file(view.file, reference.span.clone());
                let message = format!("`{}` {message}", shorten(text));
                found.push(RawFinding::reference(&INFO, location, message).help(help));
            }
        }
    }
}

/// Returns what is wrong with the start of a reference, and what was most likely meant.
fn fault(text: &str) -> Option<(String, String)> {
    // Fast path: almost all external references.
    let usual = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    if usual.is_some_and(|rest| !rest.starts_with('/')) {
        return None;
    }
    let (scheme, rest) = text.split_once(':')?;
    if scheme.len() > 12 || !scheme.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    let bare = rest.trim_start_matches(['/', '\\']);
    if matches!(&*scheme, "http" | "https") {
        let slashes = rest.len() - bare.len();
        let number = match slashes {
            2 => return None,
            0 => "no slash",
            1 => "one slash",
            _ => "too many slashes",
        };
        let message = format!("has {number} after `{scheme}:` instead of two");
        return Some((message, format!("did you mean `{scheme}://{}`?", shorten(bare))));
    }
    let meant = suggest_scheme(&scheme)?;
    let slashes = if meant.starts_with("http") { "//" } else { "" };
    let message = format!("starts with `{scheme}:`, which is not a scheme");
    Some((message, format!("did you mean `{meant}:{slashes}{}`?", shorten(bare))))
}

/// Returns the scheme that a misspelled one most likely means.
fn suggest_scheme(scheme: &str) -> Option<&'static str> {
    const MEANT: [&str; 4] = ["http", "https", "javascript", "mailto"];
    // Schemes that exist, although they are similar.
    const OTHERS: [&str; 3] = ["httpx", "mail", "shttp"];
    if scheme.len() < 3 || MEANT.contains(&scheme) || OTHERS.contains(&scheme) {
        return None;
    }
    nearest(scheme, MEANT)
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn reports_misspelled_schemes() {
        for bad in [
            "htps://a.test/",
            "htttp://a.test/",
            "hhtps://a.test/",
            "ttp://a.test/",
            "maito:a@b.test",
            "javascipt:x()",
            "http:/a.test/",
            "https:a.test/",
            "http:///a.test/",
        ] {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn accepts_other_schemes() {
        for fine in [
            "https://a.test/",
            "HTTP://a.test/",
            "ftp://a.test/",
            "sftp://a.test/",
            "ftps://a.test/",
            "rtsp://a.test/",
            "ssh:a",
            "tel:1",
            "sms:1",
            "git+https://a.test/",
            "steam://x",
            "data:,x",
            "/a:b",
        ] {
            assert_eq!(fault(fine), None, "{fine}");
        }
    }
}
