//! `broken-anchor`: a fragment that matches no element of its target page.

use std::collections::HashMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::contract::pattern::Pattern;
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-anchor",
    category: Category::Links,
    default: Severity::Error,
    summary: "a link's fragment matches no element of the target page",
    why: "Browsers open the page at its top. A fragment is compared with the ids as the HTML standard says: as \
          written, then percent-decoded, then with <a name>. Case matters. `#`, `#top` and text fragments \
          (`#:~:text=`) always match. A range of lines (`#10-20`, `#L10-L20`) matches if both ends do. Redirect \
          pages pass the fragment on. Line numbers (`#line7`, `#L7`) are not checked if the site runs scripts and \
          the page has no line 1. Use the option `ignore` for other anchors that scripts create. It takes regular \
          expressions, such as \"^L\\d+(-L\\d+)?$\" for lines of source code, or \"^!?/\" for hash routes. \
          Suggestions are limited to the first 300 pages with broken fragments, and to 50 fragments on each.",
    bad: r##"<a href="#instalation">Installation</a>
<h2 id="installation">Installation</h2>"##,
    good: r##"<a href="#installation">Installation</a>
<h2 id="installation">Installation</h2>"##,
};

pub(super) static RULE: Registered = Registered::new::<BrokenAnchor>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BrokenAnchor {
    /// Regular expressions of fragments that are not checked, decoded and without `#`.
    ignore: Vec<Pattern>,
}

/// Returns whether an id equals a fragment except for case, which at most triples the length of a character.
fn differs_in_case(id: &str, fragment: &str) -> bool {
    id.len() <= 3 * fragment.len() && id.to_lowercase() == fragment.to_lowercase()
}

impl Rule for BrokenAnchor {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        // A navigation can have the same broken fragment on thousands of pages: share its message.
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
                format!("broken anchor: {page} has no element with the id `{}`", shorten(fragment)).into()
            });
            let message = Arc::clone(message);
            let location = Location::in_file(jump.file, jump.span.clone());
            let mut finding = RawFinding::reference(&INFO, location, message);
            if external.is_none() {
                // A template repeats the finding on every page.
                finding = finding.cause(format!("#{fragment}"));
            }
            // Without redirects, only a base element makes a fragment alone point to another page.
            let is_alone = jump.span.len() == fragment.len() + 1;
            if external.is_some() && is_alone && index.site.resolver.redirects().all.is_empty() {
                let help = format!(
                    "`<base href>` makes `#{}` point to that page: write this page's path before it",
                    shorten(fragment)
                );
                found.push(finding.help(help));
                continue;
            }
            found.push(match index.dangling.suggestions.get(&at) {
                Some(near) if differs_in_case(near, fragment) => {
                    finding.help(format!("did you mean `#{}`? Ids are case-sensitive", shorten(near)))
                }
                Some(near) => finding.help(format!("did you mean `#{}`?", shorten(near))),
                None => finding,
            });
        }
    }
}
