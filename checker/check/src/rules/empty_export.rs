//! `empty-export`: an export without a single page.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "empty-export",
    category: Category::Files,
    default: Severity::Error,
    summary: "the export has no page",
    why: "Nothing can be wrong in it, and nobody can read it: the build failed, wrote to another folder, or its only \
          page was lost. Nothing can be promised of it, so the check ends with 2, as where files cannot be read. Where an \
          export has no pages on purpose, turn the rule off, or excuse it by `[[ignore]]` with a reason.",
    bad: "$ find . -name '*.html' -delete",
    good: "$ find . -name '*.tmp' -delete",
};

pub(super) static RULE: Registered = Registered::of::<EmptyExport>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EmptyExport {}

impl Rule for EmptyExport {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        if index.site.pages().next().is_none() {
            let help = "check that this is the folder that the build writes to; where no page is meant to be in it, say \n                        `empty-export = \"off\"` below `[rules]`";
            found.push(
                RawFinding::new(&INFO, Location::in_contract(0..0), "there is no page in this export")
                    .help(help),
            );
        }
    }
}
