//! `broken-anchor`: a fragment that no element of the page it leads to answers.

use serde::Deserialize;

use super::{Category, Pattern, Rule, RuleInfo, build_from, shown};
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::index::Index;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-anchor",
    category: Category::Links,
    default: Severity::Error,
    summary: "a fragment names no element of the page it leads to",
    why: "The browser opens the page and stays at its top. Fragments are compared with ids as the HTML \
          standard says: as written, then percent-decoded, then with <a name>; upper and lower case differ. \
          `#`, `#top` and text fragments (`#:~:text=`) are always there. Anchors that a script makes are not \
          in the export: the option `ignore` takes regular expressions of fragments that are not looked up, \
          such as \"^L\\d+(-L\\d+)?$\" for lines of source code, or \"^!?/\" for routes behind a hash.",
    bad: r##"<a href="#instalation">Installation</a> … <h2 id="installation">"##,
    good: r##"<a href="#installation">Installation</a> … <h2 id="installation">"##,
    build: build_from::<BrokenAnchor>,
};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct BrokenAnchor {
    /// Fragments, decoded and without `#`, that are not looked up.
    ignore: Vec<Pattern>,
}

impl Rule for BrokenAnchor {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<Diagnostic>) {
        for (at, jump) in index.dangling.iter().enumerate() {
            let fragment = index.fragment(jump);
            if self.ignore.iter().any(|pattern| pattern.is_match(fragment)) {
                continue;
            }
            let fragment = shown(fragment);
            let message = if jump.file == jump.target {
                format!("this page has no element with the id `{fragment}`")
            } else {
                let page = index.site.tree.display(jump.target);
                format!("{page} has no element with the id `{fragment}`")
            };
            let location = Location::in_file(jump.file, jump.span.clone());
            let diagnostic = Diagnostic::reference(&INFO, location, message);
            found.push(match index.near.get(&at) {
                Some(near) => diagnostic.help(format!("did you mean `#{near}`?")),
                None => diagnostic,
            });
        }
    }
}
