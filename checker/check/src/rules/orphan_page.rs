//! `orphan-page`: a page that no other page leads to.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::contract::pattern::Paths;
use crate::index::Index;
use crate::index::pages::PageEntry;
use crate::index::usage::Usage;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "orphan-page",
    category: Category::Files,
    default: Severity::Warn,
    summary: "nothing links to a page",
    why: "Readers can reach it only by its address. It may be a draft that was never meant to go live, \
          or the one link to it was lost. The start page, the not-found page, an application's shell (200.html), redirects, pages that \
          ask search engines to leave them out, and parts of pages do not count. Nothing is said \
          where the export has no start page, nor where its origin is not known, since a link may then name the site \
          in full, nor where scripts make the links: where pages run scripts and no other page is linked at all, or \
          more than ten pages and a quarter of all are not.",
    bad: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
index.html:
  <p>Welcome!</p>
drafts/plan.html:
  <h1>Our plan</h1>"#,
    good: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
index.html:
  <a href="/drafts/plan.html">Our plan</a>
drafts/plan.html:
  <h1>Our plan</h1>"#,
};

pub(super) static RULE: Registered = Registered::of::<OrphanPage>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct OrphanPage {
    /// Pages that may stand alone.
    except: Paths,
}

impl Rule for OrphanPage {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(start) = index.site.tree.find(b"index.html") else { return };
        if index.site.settings.origin.is_none() || !index.site.is_whole() {
            return;
        }
        let is_linked = |page: &PageEntry| index.usage.has(page.file, Usage::LINKED);
        let mut orphans = Vec::new();
        for facts in &index.pages.entries {
            let stands_alone = facts.file == start
                || facts.redirects
                || facts.noindex
                || facts.is_part
                || index.site.is_error_page(facts.file)
                || index.site.is_shell(facts.file)
                || self.except.contain(index.site.tree.path(facts.file));
            // A page without a title that nothing links to is shown by a script (see `missing-title`).
            let is_shown = index.scripts.read > 0 && facts.untitled.is_some();
            if !stands_alone && !is_shown && !is_linked(facts) {
                let location = Location::in_file(facts.file, 0..0);
                orphans.push(RawFinding::new(&INFO, location, "no other page links to this one"));
            }
        }
        let pages = &index.pages.entries;
        let any_is_linked = pages.iter().any(|page| page.file != start && is_linked(page));
        let scripts_link = index.scripts.read > 0
            && (!any_is_linked || (orphans.len() > 10 && orphans.len() * 4 > pages.len()));
        if !scripts_link {
            found.append(&mut orphans);
        }
    }
}
