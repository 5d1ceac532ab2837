//! `broken-idref`: an attribute that names an element which is not there.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-idref",
    category: Category::Content,
    default: Severity::Warn,
    summary: "an attribute names the id of an element that the page does not have",
    why: "A label without its field, a control without its name, a button that opens nothing, a shape without its \
          paint. Checked are for, headers, list, form, popovertarget, commandfor, aria-labelledby, and url(#id) in \
          SVG and in style attributes. Ids that scripts or templates of the page name are left out. `scripted` adds \
          aria-controls, aria-describedby and others, whose elements are often added by scripts. (HTML 3.2.6.)",
    bad: r#"<label for="emial">Mail</label> <input id="email">"#,
    good: r#"<label for="email">Mail</label> <input id="email">"#,
};

pub(super) static RULE: Registered = Registered::of::<BrokenIdref>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BrokenIdref {
    /// Whether attributes count whose elements scripts often add: aria-controls, aria-describedby and others.
    scripted: bool,
}

impl Rule for BrokenIdref {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for dangling in &view.facts.missing_ids {
            if dangling.attribute.is_scripted() && !self.scripted {
                continue;
            }
            let (attribute, id) = (dangling.attribute.name(), shown(view.text(dangling.id)));
            let location = Location::in_file(view.file, dangling.span.clone());
            let message = format!("`{attribute}` names the id `{id}`, which no element here has");
            let finding = RawFinding::new(&INFO, location, message);
            found.push(match dangling.suggestion.map(|near| shown(view.text(near))) {
                Some(near) if near == id => {
                    finding.help("it stands in another tree: each shadow root has ids of its own")
                }
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding,
            });
        }
    }
}
