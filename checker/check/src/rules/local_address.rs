//! `local-address`: an address that only its author can reach.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{after_scheme, shown};
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::host_name::{host, host_matches, is_local};
use crate::index::view::FileView;
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "local-address",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "a reference leads to the author's own machine or network",
    why: "file: URLs, paths on a drive, localhost, *.local, *.localhost and private IP addresses work for those \
          who make the site, and for nobody else. They are mostly left over from a development server.",
    bad: r#"<img src="http://localhost:3000/images/team.webp" alt="Our team">"#,
    good: r#"<img src="/images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of::<LocalAddress>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct LocalAddress {
    /// Hosts that are meant, such as `localhost` in a manual.
    except: Vec<String>,
}

/// Whether a path begins with the letter of a drive: `C:\\`.
fn is_on_a_drive(text: &str) -> bool {
    matches!(text.trim_start().as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

impl Rule for LocalAddress {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<Diagnostic>) {
        for (_, reference, target) in view.notable() {
            let Some(value) = reference.value else { continue };
            let text = view.text(value);
            let is_bad = match target {
                Target::External | Target::Unchecked => host(text)
                    .is_some_and(|host| is_local(host) && !self.except.iter().any(|p| host_matches(host, p))),
                Target::Scheme => after_scheme(text, "file:").is_some() || is_on_a_drive(text),
                _ => false,
            };
            if is_bad {
                let location = Location::in_file(view.file, reference.span.clone());
                let message =
                    format!("`{}` is an address that only its author can reach", shown(text.trim()));
                let diagnostic = Diagnostic::reference(&INFO, location, message);
                found.push(diagnostic.cause(host(text).filter(|host| !host.is_empty()).unwrap_or("file:")));
            }
        }
    }
}
