//! `missing-page`: a page that the contract names is not in the export.

use std::collections::HashSet;

use super::rule::Registered;
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
    why: "A route was lost in the build, or the contract has a spelling mistake. Either way, a check that you expect \
          did not run.",
    bad: r#"sitegate.toml:
  [pages]
  required = ["/pricing", "/contact"]"#,
    good: r#"sitegate.toml:
  [pages]
  required = ["/pricing", "/contact"]
contact/index.html:
  <a href="mailto:team@example.com">Write to us</a>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    let contract = site.contract;
    if contract.required.is_empty() && contract.assertions.is_empty() && contract.site.not_found.is_none() {
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
    // Each page is reported once, at its first mention.
    let mut reported: HashSet<&str> = HashSet::new();
    let known: HashSet<&str> = pages.iter().map(String::as_str).collect();
    // Pages that a crawl left out may exist.
    let is_gone = |page: &str| {
        let address = format!(".{}", escape_path(page));
        let resolver = &site.resolver;
        site.is_whole()
            || matches!(resolver.resolve(&resolver.root(), &address, &mut Vec::new()), Target::Missing(_))
    };
    let missing = |page: &&Placed| !known.contains(&*page.value) && is_gone(&page.value);
    for required in contract.required.iter().filter(missing) {
        reported.insert(&required.value);
        let message = format!("missing page: `{}` does not exist", required.value);
        report(required.span.clone(), message, suggest_page(&required.value, &pages));
    }
    if !site.is_whole() {
        return;
    }
    for assertion in &contract.assertions {
        for (entry, span) in assertion.pages.unmatched(pages.iter().map(String::as_str)) {
            if reported.insert(entry) {
                let message =
                    format!("missing page: no page matches `{entry}` (assertion “{}”)", assertion.name);
                report(span.clone(), message, suggest_page(entry, &pages));
            }
        }
    }
    if let Some(name) = &contract.site.not_found
        && site.tree.find(name.value.trim_start_matches('/').as_bytes()).is_none()
    {
        report(name.span.clone(), format!("missing not-found page: `{}` does not exist", name.value), None);
    }
}

/// Suggests the page that an unknown path means: `/terms/`, `/terms.html` and `/terms/index.html` may mean `/terms`.
fn suggest_page<'p>(page: &str, pages: &'p [String]) -> Option<&'p str> {
    let bare = page.trim_end_matches('/');
    let stem = ["/index.html", ".html"].iter().find_map(|ending| bare.strip_suffix(ending)).unwrap_or(bare);
    let variants = [if stem.is_empty() { "/" } else { stem }, &format!("{stem}.html"), bare];
    let pages = || pages.iter().map(String::as_str);
    let other = variants.iter().find_map(|variant| pages().find(|known| known == variant));
    other.or_else(|| nearest(page, pages()))
}
