//! `duplicate-title`: one title on several pages.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::list;
use crate::diagnostic::{Category, Cause, Diagnostic, Location, RuleInfo, Severity};
use crate::index::Index;
use crate::index::pages::PageEntry;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "duplicate-title",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "several pages have the same title",
    why: "Tabs, history and search results show the title alone, so readers cannot tell the pages \
          apart. Redirects, pages that are left out of search engines and copies that name their \
          original do not count.",
    bad: r#"prices.html:
  <title>Acme</title>
team.html:
  <title>Acme</title>"#,
    good: r#"prices.html:
  <title>Prices – Acme</title>
team.html:
  <title>Team – Acme</title>"#,
};

pub(super) static RULE: Registered = Registered::of::<DuplicateTitle>(&INFO);

/// Pages that a finding names.
const NAMED: usize = 3;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DuplicateTitle {}

impl Rule for DuplicateTitle {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<Diagnostic>) {
        let mut groups: BTreeMap<u64, Vec<&PageEntry>> = BTreeMap::new();
        for facts in index.pages.entries.iter().filter(|facts| facts.is_indexable()) {
            if let Some((hash, _)) = &facts.title
                && !index.site.is_not_found_page(facts.file)
            {
                groups.entry(*hash).or_default().push(facts);
            }
        }
        for pages in groups.values().filter(|pages| pages.len() > 1) {
            let first = pages[0];
            let span = first.title.as_ref().map_or(0..0, |(_, span)| span.clone());
            let others = list(pages[1..].iter().map(|facts| index.site.tree.display(facts.file)), NAMED);
            let message =
                format!("{others} {} the same title", if pages.len() == 2 { "has" } else { "have" });
            found.push(
                Diagnostic::new(&INFO, Location::in_file(first.file, span), message).cause(Cause::Marked),
            );
        }
    }
}
