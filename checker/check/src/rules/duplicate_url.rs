//! `duplicate-url`: a page is linked under two URLs.

use super::rule::Registered;
use crate::index::Index;
use crate::index::usage::Usage;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "duplicate-url",
    category: Category::Urls,
    default: Severity::Warn,
    summary: "a page is linked both with and without index.html",
    why: "`/guide/` and `/guide/index.html` are one document, but two URLs: caches, analytics and search engines \
          treat them as two pages. Reported once for each page, at the first link with index.html.",
    bad: r#"<a href="/guide/">Guide</a>
<a href="/guide/index.html">Read the guide first</a>"#,
    good: r#"<a href="/guide/">Guide</a>
<a href="/guide/">Read the guide first</a>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for (&target, link) in &index.usage.index_links {
        if !index.usage.has(target, Usage::AS_FOLDER) {
            continue;
        }
        let path = index.site.tree.display(target);
        let served = index.site.resolver.served_path(&path);
        let message = format!("duplicate URL: other links to this page use `{served}`, without index.html");
        let finding = RawFinding::reference(&INFO, (link.file, &link.span), message);
        found.push(finding.help("use one URL everywhere"));
    }
}
