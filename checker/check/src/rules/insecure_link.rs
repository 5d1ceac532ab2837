//! `insecure-link`: a link uses http.

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::parse::{ReferenceKind, Role};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::host_name::{has_scheme, host_matches, is_local};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "insecure-link",
    category: Category::Urls,
    default: Severity::Warn,
    summary: "a link uses http: instead of https:",
    why: "Anyone between reader and server can read and change the traffic, and browsers warn readers. Almost all \
          hosts support https. List hosts that do not in `except`. Files that a page loads by http are reported as \
          mixed-content.",
    bad: r#"<a href="http://www.w3.org/">Web standards</a>"#,
    good: r#"<a href="https://www.w3.org/">Web standards</a>"#,
};

pub(super) static RULE: Registered = Registered::new::<InsecureLink>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct InsecureLink {
    /// Hosts that do not support https; `*.` matches any subdomain.
    except: Vec<String>,
}

impl Rule for InsecureLink {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (_, reference, target) in view.unusual() {
            let goes_there = reference.kind.role() == Role::Navigate
                || matches!(reference.kind, ReferenceKind::Form | ReferenceKind::FormPost);
            if !goes_there || target != Target::External {
                continue;
            }
            let Some(value) = reference.value else { continue };
            let text = view.text(value);
            if !has_scheme(text, "http") {
                continue;
            }
            let Some(host) = view.base.host(text) else { continue };
            if is_local(&host) || self.except.iter().any(|pattern| host_matches(&host, pattern)) {
                continue;
            }
            let message = format!("insecure link: `{}` uses http", shorten(text.trim()));
            found.push(RawFinding::reference(&INFO, (view.file, &reference.span), message).cause(&*host));
        }
    }
}
