//! `sitemap-mismatch`: a sitemap that lists what search engines should not show.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::contract::pattern::Paths;
use crate::index::Index;
use crate::index::pages::Canonical;
use crate::index::usage::Usage;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "sitemap-mismatch",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a sitemap lists a page that search engines should not show",
    why: "Search engines take a sitemap less seriously that names pages which redirect, ask to be left out, name \
          another original or answer unknown paths. Pages that are not in it are no fault: tags and archives are left \
          out on purpose. The option `complete` demands every page that may be shown, where there is a sitemap.",
    bad: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
sitemap.xml:
  <urlset><url><loc>https://www.acme.org/thanks.html</loc></url></urlset>
thanks.html:
  <meta name="robots" content="noindex">"#,
    good: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
sitemap.xml:
  <urlset><url><loc>https://www.acme.org/prices.html</loc></url></urlset>
prices.html:
  <h1>Prices</h1>
thanks.html:
  <meta name="robots" content="noindex">"#,
};

pub(super) static RULE: Registered = Registered::of::<SitemapMismatch>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct SitemapMismatch {
    /// Whether every page must be listed that search engines may show.
    complete: bool,
    /// Pages that need not be listed.
    except: Paths,
}

impl Rule for SitemapMismatch {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        if !index.pages.entries.iter().any(|facts| index.usage.has(facts.file, Usage::LISTED)) {
            return;
        }
        for facts in &index.pages.entries {
            let is_not_found = index.site.is_error_page(facts.file);
            let listed = index.usage.has(facts.file, Usage::LISTED);
            let message = if !listed {
                let excepted = is_not_found || self.except.contain(index.site.tree.path(facts.file));
                if !self.complete || !index.site.is_whole() || !facts.is_indexable() || excepted {
                    continue;
                }
                "no sitemap lists this page"
            } else if is_not_found {
                "a sitemap lists this page, which answers unknown paths"
            } else if facts.redirects {
                "a sitemap lists this page, which redirects"
            } else if facts.noindex {
                "a sitemap lists this page, which asks search engines to leave it out"
            } else if matches!(facts.canonical, Canonical::Own(target, _) if target != facts.file) {
                "a sitemap lists this page, which names another as its original"
            } else {
                continue;
            };
            found.push(RawFinding::new(&INFO, Location::in_file(facts.file, 0..0), message));
        }
    }
}
