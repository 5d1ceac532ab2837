//! `blocked-asset`: scripts and style sheets of pages that robots.txt keeps from search engines.

use super::messages::shorten;
use super::queries::{DisallowedFiles, disallowed_files, disallowing_rules};
use super::rule::Registered;
use crate::index::Index;
use crate::index::usage::Usage;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;
use sitegate_address::SitePath;
use sitegate_base::plural::count;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "blocked-asset",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "robots.txt keeps search engines from the scripts or style sheets of pages",
    why: "Google renders pages before it indexes them. Without their scripts and style sheets it sees an empty or broken \
          page, and text that scripts write is not found (Google, \"Understand the JavaScript SEO basics\"). Reported once \
          for each rule of robots.txt that matches such files, and no page.",
    bad: r#"robots.txt:
  User-agent: *
  Disallow: /_next/
index.html:
  <script src="/_next/app.js"></script>
_next/app.js:
  start()"#,
    good: r#"robots.txt:
  User-agent: *
  Disallow: /api/
index.html:
  <script src="/_next/app.js"></script>
_next/app.js:
  start()"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

/// The crawler that renders pages. The rules for all apply to it unless it has its own.
const RENDERER: &str = "Googlebot";

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    let is_asset = |file: &FileId| {
        let extension = SitePath::new(site.tree.path(*file)).extension();
        extension.is_some_and(|kind| matches!(kind, b"js" | b"mjs" | b"css"))
            && index.usage.has(*file, Usage::USED)
    };
    let mut rules = disallowed_files(site, RENDERER, site.tree.ids().filter(is_asset));
    // A rule for pages is meant for their files, too.
    let mut for_pages = disallowing_rules(site, RENDERER, index.pages.entries.iter().map(|page| page.file));
    while !rules.is_empty()
        && let Some((rule, _)) = for_pages.next()
    {
        rules.remove(&rule.span.start);
    }
    for DisallowedFiles { rule, address, count: files } in rules.into_values() {
        let more = if files == 1 { String::new() } else { format!(" and {}", count(files - 1, "more file")) };
        let message =
            format!("robots.txt keeps search engines from `{}`{more}, which pages load", shorten(&address));
        let help = "allow them: search engines render pages with their scripts and style sheets";
        found.push(RawFinding::new(&INFO, rule, message).help(help));
    }
}
