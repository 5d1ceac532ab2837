//! `unencoded-space`: a space in a path that is written as it is.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unencoded-space",
    category: Category::Urls,
    default: Severity::Warn,
    summary: "a path holds a space that is not written as %20",
    why: "Browsers put %20 in its place, but the value is not a valid URL: mail programs, chats, crawlers \
          and srcset cut it off at the space. (HTML: a valid URL potentially surrounded by spaces.)",
    bad: r#"<a href="/files/price list.txt">Price list</a>"#,
    good: r#"<a href="/files/price%20list.txt">Price list</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<UnencodedSpace>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnencodedSpace {}

impl Rule for UnencodedSpace {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (_, reference, target) in view.unusual() {
            let is_path = matches!(target, Target::File { .. } | Target::Missing(_) | Target::External);
            let Some(value) = reference.value.filter(|_| is_path) else { continue };
            // Most values hold no space at all.
            let text = view.text(value);
            if !text.contains(' ') {
                continue;
            }
            let path = text.trim_ascii().split(['?', '#']).next().unwrap_or_default();
            if path.contains(' ') {
                let shown = shown(text.trim());
                let location = Location::in_file(view.file, reference.span.clone());
                let message = format!("the path of `{shown}` holds a space");
                found.push(RawFinding::reference(&INFO, location, message).help("write it as %20"));
            }
        }
    }
}
