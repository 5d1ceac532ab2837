//! `sitemap-mismatch`: a sitemap lists pages that search engines do not index.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::index::pages::Canonical;
use crate::index::usage::Usage;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use sitegate_address::PathPatterns;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "sitemap-mismatch",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a sitemap lists a page that search engines do not index",
    why: "Search engines trust a sitemap less if it lists redirects, pages with noindex, pages with another \
          canonical page, or the not-found page. A sitemap may omit pages: tags and archives are often left out on \
          purpose. The option `complete` requires every indexable page in the sitemap, if there is one.",
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

pub(super) static RULE: Registered = Registered::new::<SitemapMismatch>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct SitemapMismatch {
    /// Whether the sitemaps must list every page that search engines may index.
    complete: bool,
    /// Pages that need not be listed.
    except: PathPatterns,
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
                let excepted = is_not_found || self.except.has_file(index.site.tree.path(facts.file));
                if !self.complete || !index.site.is_whole() || !facts.is_indexable() || excepted {
                    continue;
                }
                "incomplete sitemap: no sitemap lists this page"
            } else if is_not_found {
                "a sitemap lists this page, but it is the not-found page"
            } else if facts.redirects {
                "a sitemap lists this page, but it redirects"
            } else if facts.noindex.is_some() {
                "a sitemap lists this page, but it has noindex"
            } else if matches!(facts.canonical, Canonical::Own(target, _) if target != facts.file) {
                "a sitemap lists this page, but its canonical link names another page"
            } else {
                continue;
            };
            found.push(RawFinding::new(&INFO, Location::in_file(facts.file, 0..0), message));
        }
    }
}
