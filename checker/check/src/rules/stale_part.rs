//! `stale-part`: an inventory that is missing or old.

use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, DocumentId, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "stale-part",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "the inventory of a part, or a list of addresses to keep, is missing or too old",
    why: "Links into that part are not checked without its inventory. Inventories at URLs are requested with `--parts` or \
          `--external`. `fallback` names a file that is used otherwise, and `max-age` the maximum age of a cached one. \
          Set the level to \"error\" if no check may pass without them.",
    bad: r#"sitegate.toml:
  [[parts]]
  at = "/blog/"
  inventory = "https://www.example.com/blog/inventory.txt""#,
    good: r#"sitegate.toml:
  [[parts]]
  at = "/blog/"
  inventory = "https://www.example.com/blog/inventory.txt"
  fallback = "blog.txt"
blog.txt:
  /blog/"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for stale in index.site.stale_inventories.iter() {
        let span = stale.span.start as u32..stale.span.end as u32;
        let location = Location { document: DocumentId::Contract, span };
        let consequence = match &stale.at {
            Some(at) => format!("links to `{at}` are not checked"),
            None => "its addresses are not checked".to_owned(),
        };
        let message = if stale.is_used {
            format!("old inventory: {} {}", stale.name, stale.reason)
        } else {
            format!("no inventory: {} {}; {consequence}", stale.name, stale.reason)
        };
        found.push(RawFinding::new(&INFO, location, message));
    }
}
