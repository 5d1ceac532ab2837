//! `mixed-content`: something loaded by http.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::host_name::{has_scheme, host, is_local};
use crate::index::view::FileView;
use crate::parse::Role;
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "mixed-content",
    category: Category::Security,
    default: Severity::Warn,
    summary: "a page loads something by http:",
    why: "On a page that came by https, browsers block scripts, styles and frames that come by http, \
          and ask for pictures and media by https instead. On a page that came by http, anyone on the \
          way can change them. (Mixed Content, 5.)",
    bad: r#"<script src="http://cdn.test/app.js"></script>"#,
    good: r#"<script src="https://cdn.test/app.js"></script>"#,
};

pub(super) static RULE: Registered = Registered::of::<MixedContent>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MixedContent {}

impl Rule for MixedContent {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<Diagnostic>) {
        for (_, reference, target) in view.notable().filter(|(_, loaded, _)| loaded.kind.role == Role::Load) {
            let Some(value) = reference.value else { continue };
            let text = view.text(value);
            let leads = matches!(target, Target::External | Target::File { .. } | Target::Missing(_));
            // Browsers trust the reader's own machine; local-address reports those.
            if !leads
                || !has_scheme(text, "http")
                || reference.kind.is_for_machines()
                || host(text).is_none_or(is_local)
            {
                continue;
            }
            let outcome = match reference.kind.element {
                "img" | "image" | "video" | "audio" | "source" | "body" => {
                    "browsers ask for it by https instead"
                }
                "css" | "link rel=icon" | "input" => "browsers may refuse it",
                _ => "browsers block it on https pages",
            };
            let location = Location::in_file(view.file, reference.span.clone());
            let message = format!("{} loads by http: {outcome}", reference.kind.describe());
            found.push(Diagnostic::reference(&INFO, location, message));
        }
    }
}
