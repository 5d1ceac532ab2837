//! `blocked-asset`: scripts and style sheets of pages that robots.txt keeps from search engines.

use std::collections::BTreeMap;
use std::ops::Range;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::site::ROBOTS_FILE;
use crate::index::usage::Usage;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
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
    let (site, robots) = (index.site, index.site.robots_file());
    let disallows = robots.groups.iter().flat_map(|group| &group.rules).any(|rule| !rule.allows);
    // Then hidden-site reports the whole site.
    let Some(robots_file) =
        site.tree.find(ROBOTS_FILE.as_bytes()).filter(|_| disallows && robots.disallows_all().is_none())
    else {
        return;
    };
    let deciding = |file| {
        let address = site.resolver.address(&site.tree.display(file));
        let rule = robots.deciding_rule(RENDERER, &address).filter(|rule| !rule.allows)?;
        Some((rule.span.clone(), address))
    };
    let mut rules: BTreeMap<usize, (Range<usize>, String, usize)> = BTreeMap::new();
    let assets = site.tree.ids().filter(|file| {
        let extension = SitePath::new(site.tree.path(*file)).extension();
        extension.is_some_and(|kind| matches!(kind, b"js" | b"mjs" | b"css"))
            && index.usage.has(*file, Usage::USED)
    });
    for (span, address) in assets.filter_map(deciding) {
        rules.entry(span.start).or_insert((span, address, 0)).2 += 1;
    }
    if rules.is_empty() {
        return;
    }
    // A rule for pages is meant for their files, too.
    for (span, _) in index.pages.entries.iter().filter_map(|page| deciding(page.file)) {
        rules.remove(&span.start);
    }
    for (span, address, files) in rules.into_values() {
        let more = if files == 1 { String::new() } else { format!(" and {}", count(files - 1, "more file")) };
        let message =
            format!("robots.txt keeps search engines from `{}`{more}, which pages load", shorten(&address));
        let help = "allow them: search engines render pages with their scripts and style sheets";
        let finding = RawFinding::new(&INFO, (robots_file, span.start as u32..span.end as u32), message);
        found.push(finding.help(help));
    }
}
