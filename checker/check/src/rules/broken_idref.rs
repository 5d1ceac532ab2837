//! `broken-idref`: an attribute that refers to an id that the page does not have.

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-idref",
    category: Category::Content,
    default: Severity::Warn,
    summary: "an attribute refers to an id that no element on the page has",
    why: "A label loses its field, a control its name, a button its popover, a shape its paint. Checked: for, \
          headers, list, form, popovertarget, commandfor, aria-labelledby, and url(#id) in SVG and in style \
          attributes. Ids that scripts or templates of the page mention are not reported. `scripted` adds \
          aria-controls, aria-describedby and others, because scripts often add their elements. (HTML 3.2.6.)",
    bad: r#"<label for="emial">Mail</label> <input id="email">"#,
    good: r#"<label for="email">Mail</label> <input id="email">"#,
};

pub(super) static RULE: Registered = Registered::new::<BrokenIdref>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BrokenIdref {
    /// Whether to check attributes whose elements scripts often add: aria-controls, aria-describedby and others.
    scripted: bool,
}

impl Rule for BrokenIdref {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for dangling in &view.facts.missing_ids {
            if dangling.attribute.is_scripted && !self.scripted {
                continue;
            }
            let (attribute, id) = (dangling.attribute.name, shorten(view.text(dangling.id)));
            let message = format!(
                "broken reference: `{attribute}` refers to the id `{id}`, which no element on the page has"
            );
            let finding = RawFinding::new(&INFO, (view.file, &dangling.span), message);
            found.push(match dangling.suggestion.map(|near| shorten(view.text(near))) {
                Some(near) if near == id => {
                    finding.help("the id exists in another tree: each shadow root has its own ids")
                }
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding,
            });
        }
    }
}
