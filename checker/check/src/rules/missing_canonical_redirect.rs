//! `missing-canonical-redirect`: a page answers at two addresses.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::index::pages::Canonical;
use crate::raw_finding::Cause;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::live::SecondAddress;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-canonical-redirect",
    category: Category::Live,
    default: Severity::Warn,
    summary: "a page answers at two addresses",
    why: "Search engines and caches take them for two pages, and links to one do not count for the other. One of them should \
          redirect to the other, or the page name one as its canonical address. Up to ten pages are tried: with and without a slash, \
          with `index.html`, with and without `.html`. Asked of live sites only.",
    bad: r#"live:
  /prices/ also /prices
index.html:
  <a href="/prices/">Prices</a>
prices/index.html:
  <h1>Prices</h1>"#,
    good: r#"live:
  /prices -> /prices/
index.html:
  <a href="/prices/">Prices</a>
prices/index.html:
  <h1>Prices</h1>"#,
};

pub(super) static RULE: Registered = Registered::of::<MissingCanonicalRedirect>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingCanonicalRedirect {}

impl Rule for MissingCanonicalRedirect {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(live) = index.site.live() else { return };
        for SecondAddress { page, other } in &live.server_behavior.second_addresses {
            let Some(file) = index.site.tree.find(page) else { continue };
            let names_one = index.pages.get(file).is_some_and(|page| page.canonical != Canonical::None);
            let Some(first) = live.files.get(page).filter(|_| !names_one) else { continue };
            let [first, other] = [&first.address, other].map(|path| String::from_utf8_lossy(path));
            let message = format!("`/{first}` and `/{other}` both answer with this page");
            let help = "redirect one to the other, or name the one that counts by `<link rel=\"canonical\">`";
            found.push(
                RawFinding::new(&INFO, Location::in_file(file, 0..0), message)
                    .cause(Cause::kind("address"))
                    .help(help),
            );
        }
    }
}
