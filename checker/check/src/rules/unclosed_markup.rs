//! `unclosed-markup`: a tag, comment or element that is not closed before the page ends.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::parse::{Unclosed, UnclosedPart};
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unclosed-markup",
    category: Category::Content,
    default: Severity::Error,
    summary: "a page ends inside a tag, a comment, a script, a style or the like",
    why: "The file was cut off, or an end is missing: a comment without --> hides the rest of the page, a \
          script without </script> never runs, a title, textarea, style or iframe takes all that follows for its \
          own text. `/>` closes none of them. (HTML 13.2.5; .xhtml is left out, where it does.)",
    bad: "<p>Prices</p>\n<!-- offers, until May\n<p>Our offers</p>",
    good: "<p>Prices</p>\n<!-- offers, until May -->\n<p>Our offers</p>",
};

pub(super) static RULE: Registered = Registered::of::<UnclosedMarkup>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnclosedMarkup {}

impl Rule for UnclosedMarkup {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let Some(Unclosed { part, span, lost }) = &view.facts.unclosed else { return };
        let path = view.site.tree.path(view.file);
        if path.len() > 6 && path[path.len() - 6..].eq_ignore_ascii_case(b".xhtml") {
            return;
        }
        let (message, help) = match part {
            UnclosedPart::Tag => (
                "the page ends in the middle of this tag".to_owned(),
                "the file was cut off, or a quote or `>` is missing".to_owned(),
            ),
            UnclosedPart::Comment => (
                format!("this comment is never closed, and hides the {lost} bytes to the end of the page"),
                "end it with `-->`".to_owned(),
            ),
            UnclosedPart::Element(name) => (
                format!(
                    "this <{name}> is never closed, and takes in the {lost} bytes to the end of the page"
                ),
                format!("end it with `</{name}>`"),
            ),
        };
        let location = Location::in_file(view.file, span.clone());
        found.push(RawFinding::new(&INFO, location, message).cause(Cause::Marked).help(help));
    }
}
