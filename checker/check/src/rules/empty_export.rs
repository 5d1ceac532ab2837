//! `empty-export`: an export without pages.

use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, DocumentId, Location, RawFinding, RuleInfo, Severity};

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

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    if site.pages().next().is_some() {
        return;
    }
    let root = site.tree.root().display();
    let (location, folder) = match (&site.contract.file, site.live()) {
        (None, None) => (DocumentId::Path(".".into()).into(), "this".to_owned()),
        _ => (Location::in_contract(0..0), format!("`{root}`")),
    };
    let help = format!(
        "check that {folder} is the folder that the build writes to. If it is meant to have no pages, set \
         `empty-export = \"off\"` below `[rules]`"
    );
    found.push(RawFinding::new(&INFO, location, "the export contains no pages").help(help));
}
