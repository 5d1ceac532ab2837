//! `unpublishable-name`: a file whose name keeps it from being published.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};
use sitegate_base::file_name::{MAX_KEY_LENGTH, STATE_FOLDER, Unpublishable, unpublishable};
use sitegate_base::plural::count;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unpublishable-name",
    category: Category::Files,
    default: Severity::Error,
    summary: "a file's name keeps it from being published: control characters, `.sitegate/`, too long for a bucket",
    why: "`.sitegate/` is where `sitegate publish` keeps its memory of a target: files of an export there would take \
          the place of that memory. Control characters and the noncharacters U+FFFE and U+FFFF have no place in the \
          listings of buckets (XML 1.0, 2.2), and a bucket's key has at most 1,024 bytes. Whatever this rule is set \
          to, no seal is written for the first two, and `publish` refuses all three.",
    bad: "$ mkdir .sitegate\n$ echo {} > .sitegate/run.json",
    good: "$ mkdir .well-known\n$ echo {} > .well-known/run.json",
};

pub(super) static RULE: Registered = Registered::of::<UnpublishableName>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnpublishableName {}

impl Rule for UnpublishableName {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let tree = &index.site.tree;
        let mut memory = Vec::new();
        for file in tree.ids() {
            // A name that is not UTF-8 cannot be sealed, and that says so.
            let Ok(path) = std::str::from_utf8(tree.path(file)) else { continue };
            let message = match unpublishable(path) {
                Some(Unpublishable::StateFolder) => {
                    memory.push(file);
                    continue;
                }
                Some(why) => why.to_string(),
                None if path.len() > MAX_KEY_LENGTH => {
                    format!("this path has {} bytes, and a bucket's key at most 1,024", path.len())
                }
                None => continue,
            };
            let finding = RawFinding::new(&INFO, Location::in_file(file, 0..0), message);
            found.push(finding.cause(Cause::kind("name")).help("give it another name"));
        }
        let Some(&first) = memory.first() else { return };
        let message = format!(
            "`{STATE_FOLDER}` is where `sitegate publish` keeps its memory of a target, and holds {} here",
            count(memory.len(), "file")
        );
        let help = "check and publish the folder that the build made, not one that was published; if this is the \
                    build's, leave that folder out of it";
        found.push(RawFinding::new(&INFO, Location::in_file(first, 0..0), message).help(help));
    }
}
