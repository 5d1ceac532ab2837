//! `live-redirect-chain`: a live site redirects an internal link more than once.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::{Route, Target};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "live-redirect-chain",
    category: Category::Live,
    default: Severity::Warn,
    summary: "a live site redirects an internal link more than once",
    why: "Each redirect costs a round trip, and search engines follow only a few. `redirect-chain` reports the same \
          from the redirects file; this rule reports what the server answers.",
    bad: r#"live:
  /old -> /older
  /older -> /prices/
index.html:
  <a href="/old">Prices</a>
prices/index.html:
  <h1>Prices</h1>"#,
    good: r#"live:
  /old -> /prices/
index.html:
  <a href="/old">Prices</a>
prices/index.html:
  <h1>Prices</h1>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let Some(live) = view.site.live() else { return };
    for (_, reference, target) in view.unusual() {
        let Target::File { file, route: Route::Redirect | Route::Directory } = target else { continue };
        let text = view.text_of(reference);
        let path = view.site.resolver.local_path(view.base, text).unwrap_or_default();
        let hops = live.hops(&path);
        if hops > 1 {
            let message = format!("redirect chain: `{}` redirects {hops} times", shorten(text.trim()));
            let direct = view.site.resolver.served_path(&view.site.tree.display(file));
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message);
            found.push(finding.help(format!("link to `{direct}`, and let the first redirect point there")));
        }
    }
}
