//! `missing-page`: a page that the contract names and the export does not have.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::contract::{Placed, page_path};
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use crate::resolve::path::escape_path;
use sitegate_base::nearest::nearest;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-page",
    category: Category::Contract,
    default: Severity::Error,
    summary: "a page that the contract names is not in the export",
    why: "A route was lost on the way from source to export, or the contract has a spelling mistake: either \
          way nothing was checked where something should have been.",
    bad: r#"sitegate.toml:
  [pages]
  required = ["/pricing", "/contact"]"#,
    good: r#"sitegate.toml:
  [pages]
  required = ["/pricing", "/contact"]
contact/index.html:
  <a href="mailto:team@example.com">Write to us</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<MissingPage>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingPage {}

impl Rule for MissingPage {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let site = index.site;
        let contract = site.contract;
        if contract.required.is_empty() && contract.assertions.is_empty() && contract.site.not_found.is_none()
        {
            return;
        }
        let pages: Vec<String> = site.pages().map(|page| page_path(&site.tree.display(page))).collect();
        let mut report = |span: std::ops::Range<usize>, message: String, meant: Option<&str>| {
            let finding = RawFinding::new(&INFO, Location::in_contract(span), message);
            found.push(match meant {
                Some(meant) => finding.help(format!("did you mean `{meant}`?")),
                None => finding,
            });
        };
        // Each page is reported where it is named first.
        let mut reported: HashSet<&str> = HashSet::new();
        let known: HashSet<&str> = pages.iter().map(String::as_str).collect();
        // What was left out of a live site may be there.
        let is_gone = |page: &str| {
            let address = format!(".{}", escape_path(page));
            let resolver = &site.resolver;
            site.is_whole()
                || matches!(resolver.resolve(&resolver.root(), &address, &mut Vec::new()), Target::Missing(_))
        };
        let missing = |page: &&Placed| !known.contains(&*page.value) && is_gone(&page.value);
        for required in contract.required.iter().filter(missing) {
            reported.insert(&required.value);
            let message = format!("there is no page `{}`", required.value);
            report(required.span.clone(), message, meant(&required.value, &pages));
        }
        for assertion in contract.assertions.iter().filter(|_| site.is_whole()) {
            for (entry, span) in assertion.pages.unmatched(pages.iter().map(String::as_str)) {
                if reported.insert(entry) {
                    let message = format!("{}: no page matches `{entry}`", assertion.name);
                    report(span.clone(), message, meant(entry, &pages));
                }
            }
        }
        if let Some(name) = contract.site.not_found.as_ref().filter(|_| site.is_whole())
            && site.tree.find(name.value.trim_start_matches('/').as_bytes()).is_none()
        {
            report(name.span.clone(), format!("there is no `{}` to answer unknown paths", name.value), None);
        }
    }
}

/// The page that a path which is none's most likely means: `/terms/`, `/terms.html` and `/terms/index.html` may be `/terms`.
fn meant<'p>(page: &str, pages: &'p [String]) -> Option<&'p str> {
    let bare = page.trim_end_matches('/');
    let stem = ["/index.html", ".html"].iter().find_map(|ending| bare.strip_suffix(ending)).unwrap_or(bare);
    let spellings = [if stem.is_empty() { "/" } else { stem }, &format!("{stem}.html"), bare];
    let pages = || pages.iter().map(String::as_str);
    let other = spellings.iter().find_map(|spelling| pages().find(|known| known == spelling));
    other.or_else(|| nearest(page, pages()))
}
