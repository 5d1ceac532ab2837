//! `moved-external-link`: an external link that redirects permanently.

use sitegate_address::SitePath;
use url::Url;

use super::messages::shorten;
use super::rule::Registered;
use crate::external::ExternalVerdict;
use crate::index::Index;
use crate::raw_finding::{Category, Certainty, ProposedFix, RawFinding, ReferenceChange, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "moved-external-link",
    category: Category::External,
    default: Severity::Warn,
    summary: "an external link redirects permanently",
    why: "The link still works through a permanent redirect (301 or 308), which costs time and will not last \
          forever. The host names the new URL. Checked only with `--external`.",
    bad: r#"external:
  http://www.example.org/old moved https://www.example.org/new
example.html:
  <a href="http://www.example.org/old">The standard</a>"#,
    good: r#"external:
  https://www.example.org/new there
example.html:
  <a href="https://www.example.org/new">The standard</a>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for (link, url, answer) in index.external.answered() {
        let ExternalVerdict::Moved(to) = &answer.verdict else { continue };
        // Browsers keep the fragment across redirects that have none.
        let fragment = url.fragment().filter(|_| !to.contains('#'));
        let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
        let message = format!("moved permanently: `{}`", shorten(url.as_str()));
        let meant = format!("{to}{fragment}");
        let fix = ProposedFix {
            certainty: Certainty::certain_if(is_same_page(url, to)),
            reason: "the host redirects permanently to this URL",
            change: ReferenceChange::Destination { new: meant.as_str().into(), paths: None },
        };
        let help = format!("link to `{meant}`");
        found.push(RawFinding::reference(&INFO, (link.file, &link.span), message).help(help).fix(Some(fix)));
    }
}

/// Whether a URL names the same page as before: the last name of its path and its query are the same. A redirect to
/// another page, such as a home page, may hide that the page is gone.
fn is_same_page(url: &Url, to: &str) -> bool {
    let Ok(to) = Url::parse(to) else { return false };
    let name = |of: &Url| {
        let name = SitePath::new(of.path().trim_end_matches('/')).name();
        name.strip_suffix(".html").unwrap_or(name).to_owned()
    };
    name(url) == name(&to) && url.query() == to.query()
}
