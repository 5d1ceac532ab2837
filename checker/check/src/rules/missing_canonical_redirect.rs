//! `missing-canonical-redirect`: a page is served at two URLs.

use super::rule::Registered;
use crate::index::Index;
use crate::index::pages::Canonical;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::resolve::live::SecondAddress;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-canonical-redirect",
    category: Category::Live,
    default: Severity::Warn,
    summary: "a page is served at two URLs",
    why: "Search engines and caches treat them as two pages, and split the links between them. Redirect one to the \
          other, or add a canonical link. Up to ten pages are tested: with and without a slash, with `index.html`, \
          with and without `.html`. Checked on live sites only.",
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

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let Some(live) = index.site.live() else { return };
    for SecondAddress { page, other } in &live.server_behavior.second_addresses {
        let Some(file) = index.site.tree.find(page) else { continue };
        let names_one = index.pages.get(file).is_some_and(|entry| entry.canonical != Canonical::None);
        if names_one {
            continue;
        }
        let Some(first) = live.files.get(page) else { continue };
        let [first, other] = [&first.address, other].map(|path| String::from_utf8_lossy(path));
        let message = format!("duplicate page: `/{first}` and `/{other}` both serve it");
        let help = "redirect one to the other, or add `<link rel=\"canonical\">`";
        found.push(RawFinding::new(&INFO, file, message).cause(Cause::kind("address")).help(help));
    }
}
