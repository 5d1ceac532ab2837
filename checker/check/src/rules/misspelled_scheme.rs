//! `misspelled-scheme`: `htps:`, `http:/` and the like.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::nearest::nearest;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "misspelled-scheme",
    category: Category::Links,
    default: Severity::Error,
    summary: "a reference begins with a scheme that is misspelt, or has not two slashes after it",
    why: "No program answers to `htps:`. After `http:` browsers forgive one slash or three, but not alike: on a page \
          that came by the same scheme one slash begins a path of this site. (WHATWG URL, 4.4.)",
    bad: r#"<a href="htps://www.w3.org/">Web standards</a>"#,
    good: r#"<a href="https://www.w3.org/">Web standards</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<MisspelledScheme>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MisspelledScheme {}

impl Rule for MisspelledScheme {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (_, reference, target) in view.unusual() {
            let leads = matches!(target, Target::Scheme | Target::External | Target::File { .. });
            let Some(value) = reference.value.filter(|_| leads) else { continue };
            let text = view.text(value).trim();
            if let Some((message, help)) = fault(text) {
                let location = Location::in_file(view.file, reference.span.clone());
                let message = format!("`{}` {message}", shown(text));
                found.push(RawFinding::reference(&INFO, location, message).help(help));
            }
        }
    }
}

/// What is wrong with the beginning of a reference, and what is most likely meant.
fn fault(text: &str) -> Option<(String, String)> {
    // As nearly all are written.
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
        let message = format!("has {number} after `{scheme}:`, where two belong");
        return Some((message, format!("did you mean `{scheme}://{}`?", shown(bare))));
    }
    let meant = meant(&scheme)?;
    let slashes = if meant.starts_with("http") { "//" } else { "" };
    let message = format!("begins with `{scheme}:`, which is no scheme");
    Some((message, format!("did you mean `{meant}:{slashes}{}`?", shown(bare))))
}

/// The scheme that a misspelt one most likely means.
fn meant(scheme: &str) -> Option<&'static str> {
    const MEANT: [&str; 4] = ["http", "https", "javascript", "mailto"];
    // Schemes of their own that are as close.
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
    fn slips() {
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
    fn other_schemes() {
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
