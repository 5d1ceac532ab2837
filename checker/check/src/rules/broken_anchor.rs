//! `broken-anchor`: a fragment that no element of the page it leads to answers.

use std::collections::HashMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::contract::pattern::Pattern;
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-anchor",
    category: Category::Links,
    default: Severity::Error,
    summary: "a fragment names no element of the page it leads to",
    why: "The browser opens the page and stays at its top. Fragments are compared with ids as the HTML \
          standard says: as written, then percent-decoded, then with <a name>; upper and lower case differ. \
          `#`, `#top` and text fragments (`#:~:text=`) are always there. A range of lines (`#10-20`, \
          `#L10-L20`) is there where its ends are, and a page that sends readers on with their fragment \
          is passed through. Lines of sources (`#line7`, `#L7`) are numbered by a script where the site runs some and \
          the page has no line 1. Other anchors that a script makes are not in the export: the option `ignore` takes regular expressions of fragments that are not looked up, \
          such as \"^L\\d+(-L\\d+)?$\" for lines of source code, or \"^!?/\" for routes behind a hash. What was \
          meant is looked for in the first 300 pages with such fragments, and for 50 fragments of each.",
    bad: r##"<a href="#instalation">Installation</a>
<h2 id="installation">Installation</h2>"##,
    good: r##"<a href="#installation">Installation</a>
<h2 id="installation">Installation</h2>"##,
};

pub(super) static RULE: Registered = Registered::of::<BrokenAnchor>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BrokenAnchor {
    /// Fragments, decoded and without `#`, that are not looked up.
    ignore: Vec<Pattern>,
}

/// Whether an id is a fragment but for upper and lower case, which change the length of no character more than threefold.
fn differs_in_case(id: &str, fragment: &str) -> bool {
    id.len() <= 3 * fragment.len() && id.to_lowercase() == fragment.to_lowercase()
}

impl Rule for BrokenAnchor {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        // One page's navigation may have the same dead fragment on thousands of pages.
        let mut messages: HashMap<(Option<FileId>, &str), Arc<str>> = HashMap::new();
        for (at, jump) in index.dangling.references.iter().enumerate() {
            let fragment = index.dangling.text(jump);
            let is_made = jump.is_line && index.scripts.read > 0;
            if is_made || self.ignore.iter().any(|pattern| pattern.is_match(fragment)) {
                continue;
            }
            let external = Some(jump.target).filter(|target| *target != jump.file);
            let message = messages.entry((external, fragment)).or_insert_with(|| {
                let page = external.map_or("this page".into(), |target| index.site.tree.display(target));
                format!("{page} has no element with the id `{}`", shown(fragment)).into()
            });
            let message = Arc::clone(message);
            let location = Location::in_file(jump.file, jump.span.clone());
            let mut finding = RawFinding::reference(&INFO, location, message);
            if external.is_none() {
                // A template says the same on every page.
                finding = finding.cause(format!("#{fragment}"));
            }
            // Nothing but a base element makes a fragment alone lead to another page, where nothing is redirected.
            let is_alone = jump.span.len() == fragment.len() + 1;
            if external.is_some() && is_alone && index.site.resolver.redirects().all.is_empty() {
                let help = format!(
                    "`<base href>` makes `#{}` lead there: write its page before it",
                    shown(fragment)
                );
                found.push(finding.help(help));
                continue;
            }
            found.push(match index.dangling.suggestions.get(&at) {
                Some(near) if differs_in_case(near, fragment) => {
                    finding.help(format!("did you mean `#{}`? Upper and lower case differ", shown(near)))
                }
                Some(near) => finding.help(format!("did you mean `#{}`?", shown(near))),
                None => finding,
            });
        }
    }
}
