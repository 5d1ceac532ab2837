//! `local-address`: a reference to the author's machine or network.

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::queries::strip_scheme;
use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::host_name::{host_matches, is_local};
use sitegate_script::Grade;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "local-address",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "a reference points to the author's own machine or network",
    why: "file: URLs, drive paths, localhost, *.local, *.localhost and private IP addresses work only for the \
          authors of the site. They are usually left over from a development server.",
    bad: r#"<img src="http://localhost:3000/images/team.webp" alt="Our team">"#,
    good: r#"<img src="/images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::new::<LocalAddress>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct LocalAddress {
    /// Hosts that are intended, such as `localhost` in a manual.
    except: Vec<String>,
}

/// Returns whether a path starts with a drive letter: `C:\\`.
fn is_on_a_drive(text: &str) -> bool {
    matches!(text.trim_start().as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// Returns whether a reference means a file on the reader's computer.
fn is_file_url(text: &str) -> bool {
    let is_file = || url::Url::parse(text).is_ok_and(|url| url.scheme() == "file");
    strip_scheme(text, "file:").is_some()
        || is_on_a_drive(text)
        || (text.contains(['\t', '\n', '\r']) && is_file())
}

/// Returns whether the scheme is one whose host the URL standard parses as for http.
fn has_server_scheme(text: &str) -> bool {
    ["ws:", "wss:", "ftp:"].iter().any(|scheme| strip_scheme(text, scheme).is_some())
}

fn message(text: &str) -> String {
    format!("local address: only its author can reach `{}`", shorten(text.trim()))
}

impl LocalAddress {
    fn is_bad(&self, host: &str) -> bool {
        is_local(host) && !self.except.iter().any(|pattern| host_matches(host, pattern))
    }
}

impl Rule for LocalAddress {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (_, reference, target) in view.unusual() {
            let Some(value) = reference.value else { continue };
            let text = view.text(value);
            let cause = match target {
                Target::External | Target::Unchecked => view.base.host(text).filter(|host| self.is_bad(host)),
                Target::Scheme if is_file_url(text) => Some("file:".into()),
                Target::Scheme if has_server_scheme(text) => {
                    view.base.named_host(text).filter(|host| self.is_bad(host))
                }
                _ => None,
            };
            let Some(cause) = cause else { continue };
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message(text));
            found.push(finding.cause(&*cause));
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let foreign = index.scripts.external.iter().filter(|load| load.grade != Grade::Uncertain);
        for load in foreign.filter(|load| self.is_bad(&load.host)) {
            let finding = RawFinding::new(&INFO, (load.file, &load.span), message(&load.address));
            found.push(finding.cause(&*load.host));
        }
    }
}
