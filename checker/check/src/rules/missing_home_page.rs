//! `missing-home-page`: a site without a home page.

use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, DocumentId, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-home-page",
    category: Category::Files,
    default: Severity::Warn,
    summary: "the site has no home page",
    why: "Visitors who enter the site's URL get the 404 page, even if no link is broken. Turn the rule off if you \
          check only a part of a site that has no home page.",
    bad: "$ rm index.html",
    good: "$ touch index.html",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let resolver = &index.site.resolver;
    let home = resolver.resolve(&resolver.root(), "./", &mut Vec::new());
    if matches!(home, Target::Missing(_)) && index.site.pages().next().is_some() {
        let address = resolver.address("");
        let message = format!(
            "missing home page: `{address}` does not exist, since the export has no index.html at its root"
        );
        // No file is at fault: the location is the folder of the export.
        found.push(RawFinding::new(&INFO, DocumentId::Path(".".into()), message));
    }
}
