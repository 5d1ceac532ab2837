//! `orphan-page`: a page that no other page leads to.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::contract::pattern::Paths;
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::index::Index;
use crate::index::usage::Usage;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "orphan-page",
    category: Category::Files,
    default: Severity::Warn,
    summary: "nothing links to a page",
    why: "Readers can reach it only by its address. It may be a draft that was never meant to go live, \
          or the one link to it was lost. The start page, the not-found page, redirects, pages that \
          ask search engines to leave them out, and parts of pages do not count. Nothing is said \
          where the export has no start page, or where its origin is not known, since a link may then name \
          the site in full.",
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
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<Diagnostic>) {
        let Some(start) = index.site.tree.find(b"index.html") else { return };
        if index.site.settings.origin.is_none() {
            return;
        }
        for facts in &index.pages.entries {
            let stands_alone = facts.file == start
                || facts.redirects
                || facts.noindex
                || facts.is_part
                || index.site.is_error_page(facts.file)
                || self.except.contain(index.site.tree.path(facts.file));
            if !stands_alone && !index.usage.has(facts.file, Usage::LINKED) {
                let location = Location::in_file(facts.file, 0..0);
                found.push(Diagnostic::new(&INFO, location, "no other page links to this one"));
            }
        }
    }
}
