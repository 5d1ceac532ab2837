//! `lost-anchor`: an anchor that the site must keep, and that no longer exists.

use super::messages::shorten;
use super::permalinks::{KeptState, kept_addresses};
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::target::is_route;
use sitegate_address::percent::escape_path;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "lost-anchor",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "an anchor that the site must keep no longer exists",
    why: "Links to it open the page at its top. `keep` in `[permalinks]` lists the anchors, as for `lost-url`. An HTTP \
          redirect keeps the anchors of the old page if the new page has them; a page with a meta refresh drops them. \
          `gone` may contain anchors, too: \"/guide/#old\".",
    bad: r#"sitegate.toml:
  [permalinks]
  keep = ["published.txt"]
published.txt:
  /guide.html#install
guide.html:
  <h2 id="setup">Setup</h2>"#,
    good: r#"sitegate.toml:
  [permalinks]
  keep = ["published.txt"]
published.txt:
  /guide.html#install
guide.html:
  <h2 id="install">Setup</h2>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for kept in kept_addresses(index.site).filter(|kept| kept.address.anchors().len() > 0) {
        let KeptState::Kept { file, drops_fragment } = kept.state(index) else { continue };
        let anchors = kept.address.anchors().filter(|anchor| !is_route(anchor));
        let anchors = anchors.filter(|anchor| !index.site.may_be_gone(&format!("{}#{anchor}", kept.path)));
        let page = escape_path(kept.path);
        let location = kept.location(index.site);
        if drops_fragment {
            let count = anchors.count();
            if count > 0 {
                let what = if count == 1 { "its anchor".to_owned() } else { format!("its {count} anchors") };
                let message = format!("lost anchors: `{page}` is a meta refresh, which drops {what}");
                let help = "use an HTTP redirect, or let a script in the page keep the fragment";
                found.push(RawFinding::new(&INFO, location, message).help(help));
            }
            continue;
        }
        for anchor in anchors.filter(|anchor| !index.has_anchor(file, anchor)) {
            let message = format!(
                "lost anchor: `{page}` no longer has `#{}`; {} lists it",
                shorten(anchor),
                kept.listed_at()
            );
            let help = "keep the id: an empty `<a id>` next to the new one is enough";
            found.push(RawFinding::new(&INFO, location.clone(), message).cause(page.clone()).help(help));
        }
    }
}
