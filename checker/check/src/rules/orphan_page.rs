//! `orphan-page`: a page that no other page links to.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::index::pages::PageEntry;
use crate::index::usage::Usage;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use sitegate_address::PathPatterns;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "orphan-page",
    category: Category::Files,
    default: Severity::Warn,
    summary: "no other page links to a page",
    why: "Readers can reach it only by its URL. It may be an unpublished draft, or its only link was lost. Never \
          reported: the start page, the not-found page, an application's shell (200.html), redirect pages, pages \
          with noindex, and parts of pages. The rule needs a start page and a known origin, since links may be \
          absolute URLs. It reports nothing if scripts seem to create the links: if pages run scripts and no other \
          page is linked, or more than ten pages and a quarter of all pages are not.",
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

pub(super) static RULE: Registered = Registered::new::<OrphanPage>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct OrphanPage {
    /// Pages that need no link.
    except: PathPatterns,
}

impl Rule for OrphanPage {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(start) = index.site.tree.home() else { return };
        if index.site.settings.origin.is_none() || !index.site.is_whole() {
            return;
        }
        let is_linked = |page: &PageEntry| index.usage.has(page.file, Usage::LINKED);
        let mut orphans = Vec::new();
        for facts in &index.pages.entries {
            let needs_no_link = facts.file == start
                || facts.redirects
                || facts.noindex.is_some()
                || facts.is_part
                || index.site.is_error_page(facts.file)
                || index.site.is_shell(facts.file)
                || index.site.matches(&self.except, facts.file);
            // On sites with scripts, an untitled page without links is shown by a script (see `missing-title`).
            let is_shown = index.scripts.read > 0 && facts.untitled.is_some();
            if !needs_no_link && !is_shown && !is_linked(facts) {
                orphans.push(RawFinding::new(&INFO, facts.file, "orphan page: no other page links to it"));
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
