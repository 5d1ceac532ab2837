//! `empty-export`: an export without pages.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "empty-export",
    category: Category::Files,
    default: Severity::Error,
    summary: "the export contains no pages",
    why: "The build failed, wrote to another folder, or lost its only page. Nothing was checked, so the exit code is \
          2, as for unreadable files. If an export is meant to have no pages, turn the rule off, or ignore it with \
          `[[ignore]]` and a reason.",
    bad: "$ find . -name '*.html' -delete",
    good: "$ find . -name '*.tmp' -delete",
};

pub(super) static RULE: Registered = Registered::new::<EmptyExport>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EmptyExport {}

impl Rule for EmptyExport {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        if index.site.pages().next().is_none() {
            let help = "check that this is the folder that the build writes to. If it is meant to have no pages, set \
                        `empty-export = \"off\"` below `[rules]`";
            found.push(
                RawFinding::new(&INFO, Location::in_contract(0..0), "the export contains no pages")
                    .help(help),
            );
        }
    }
}
