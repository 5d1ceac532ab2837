//! `colliding-name`: files that the host treats as one, because their names differ only in case.

use std::collections::HashMap;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "colliding-name",
    category: Category::Files,
    default: Severity::Error,
    summary: "the host treats two files as one, because their names differ only in case",
    why: "Netlify makes all paths lowercase, so only one of the files is served. Reported if the host is `netlify`: \
          all others of the list distinguish case. `sitegate publish` refuses such files for a folder on a file \
          system that ignores case or the encoding of accents, as those of macOS and Windows do.",
    bad: r#"sitegate.toml:
  [site]
  host = "netlify"
api/Map.html:
  <h1>Map</h1>
api/map.html:
  <h1>map()</h1>"#,
    good: r#"sitegate.toml:
  [site]
  host = "netlify"
api/map.html:
  <h1>Map</h1>
api/map-function.html:
  <h1>map()</h1>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    if !site.resolver.host().ignores_case() || site.live().is_some() {
        return;
    }
    let mut first: HashMap<String, FileId> = HashMap::with_capacity(site.tree.len());
    for file in site.tree.ids() {
        let path = site.tree.display(file);
        let other = *first.entry(path.to_lowercase()).or_insert(file);
        if other != file {
            let other = site.tree.display(other);
            let message = format!("colliding name: the host treats `{}` as the same file", shorten(&other));
            let finding = RawFinding::new(&INFO, file, message);
            found.push(finding.cause(Cause::kind("case")).help("rename one of them"));
        }
    }
}
