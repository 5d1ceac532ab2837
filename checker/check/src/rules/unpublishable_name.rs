//! `unpublishable-name`: a file whose name cannot be published.

use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use sitegate_base::file_name::{MAX_KEY_LENGTH, STATE_FOLDER, Unpublishable, unpublishable};
use sitegate_base::plural::count;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unpublishable-name",
    category: Category::Files,
    default: Severity::Error,
    summary: "a file's name cannot be published: control characters, `.sitegate/`, too long for a bucket",
    why: "`sitegate publish` keeps its target state in `.sitegate/`; files of an export would overwrite it. Listings \
          of buckets cannot contain control characters or the noncharacters U+FFFE and U+FFFF (XML 1.0, 2.2). A \
          bucket's key has at most 1,024 bytes. No seal is written for the first two at any level of this rule, and \
          `publish` refuses all three.",
    bad: "$ mkdir .sitegate\n$ echo {} > .sitegate/run.json",
    good: "$ mkdir .well-known\n$ echo {} > .well-known/run.json",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let tree = &index.site.tree;
    let mut memory = Vec::new();
    for file in tree.ids() {
        // A name that is not UTF-8 cannot be sealed, which is reported then.
        let Ok(path) = std::str::from_utf8(tree.path(file)) else { continue };
        let message = match unpublishable(path) {
            Some(Unpublishable::StateFolder) => {
                memory.push(file);
                continue;
            }
            Some(why) => why.to_string(),
            None if path.len() > MAX_KEY_LENGTH => {
                format!("path too long: it has {} bytes, and a bucket's key has at most 1,024", path.len())
            }
            None => continue,
        };
        let finding = RawFinding::new(&INFO, file, message);
        found.push(finding.cause(Cause::kind("name")).help("rename the file"));
    }
    let Some(&first) = memory.first() else { return };
    let message = format!(
        "reserved folder: `sitegate publish` keeps its target state in `{STATE_FOLDER}`, which contains {} here",
        count(memory.len(), "file")
    );
    let help = "publish the build's own folder, not a copy of a published one; if the build itself writes this \
                folder, exclude it";
    found.push(RawFinding::new(&INFO, first, message).help(help));
}
