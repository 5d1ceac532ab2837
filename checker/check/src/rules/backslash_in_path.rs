//! `backslash-in-path`: a `\` where a `/` belongs.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "backslash-in-path",
    category: Category::Urls,
    default: Severity::Warn,
    summary: "a path is written with `\\` in place of `/`",
    why: "Browsers read it as a slash; crawlers, feed readers and mail programs ask for a file with a backslash in its \
          name. (WHATWG URL, 4.4: invalid-reverse-solidus.)",
    bad: r#"<img src="images\team.webp" alt="Our team">"#,
    good: r#"<img src="images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of::<BackslashInPath>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BackslashInPath {}

impl Rule for BackslashInPath {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (_, reference, target) in view.unusual() {
            let is_path = matches!(target, Target::File { .. } | Target::Missing(_) | Target::External);
            let Some(value) = reference.value.filter(|_| is_path) else { continue };
            // Most values hold none at all.
            let text = view.text(value);
            if !text.contains('\\') {
                continue;
            }
            let text = text.trim_ascii();
            let path = text.split(['?', '#']).next().unwrap_or_default();
            // A `\` alone is left over from an escaped quote, and `\"` begins one: unrendered-reference.
            if path.contains('\\') && path != "\\" && !path.starts_with("\\\"") {
                let location = Location::in_file(view.file, reference.span.clone());
                let message = format!("`{}` is written with a backslash", shown(text));
                found.push(RawFinding::reference(&INFO, location, message).help("write `/`"));
            }
        }
    }
}
