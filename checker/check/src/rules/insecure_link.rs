//! `insecure-link`: a link by http.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::view::FileView;
use crate::parse::{ReferenceKind, Role};
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::host_name::{has_scheme, host_matches, is_local};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "insecure-link",
    category: Category::Urls,
    default: Severity::Warn,
    summary: "a link uses http: where https: may work",
    why: "Anyone between reader and server can read and change what is sent, and browsers warn \
          of it. Almost every host answers by https today. Hosts that do not are named in `except`. \
          What a page loads by http is reported as mixed-content.",
    bad: r#"<a href="http://www.w3.org/">Web standards</a>"#,
    good: r#"<a href="https://www.w3.org/">Web standards</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<InsecureLink>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct InsecureLink {
    /// Hosts that do not answer by https; `*.` stands for any subdomain.
    except: Vec<String>,
}

impl Rule for InsecureLink {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (_, reference, target) in view.unusual() {
            let goes_there = reference.kind.role() == Role::Navigate
                || matches!(reference.kind, ReferenceKind::Form | ReferenceKind::FormPost);
            let Some(value) = reference.value.filter(|_| goes_there && target == Target::External) else {
                continue;
            };
            let text = view.text(value);
            if !has_scheme(text, "http") {
                continue;
            }
            let Some(host) = view.base.host(text) else { continue };
            if is_local(&host) || self.except.iter().any(|pattern| host_matches(&host, pattern)) {
                continue;
            }
            let location = Location::in_file(view.file, reference.span.clone());
            let message = format!("`{}` uses http", shown(text.trim()));
            found.push(RawFinding::reference(&INFO, location, message).cause(&*host));
        }
    }
}
