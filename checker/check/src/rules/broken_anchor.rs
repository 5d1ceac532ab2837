//! `broken-anchor`: a fragment that matches no element of its target page.

use std::collections::HashMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::SitePath;

use super::leftover::unsafe_value;
use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::contract::patterns::Pattern;
use crate::index::Index;
use crate::index::view::FileView;
use crate::raw_finding::{
    Category, Certainty, MAX_FIXED, ProposedFix, RawFinding, ReferenceChange, RuleInfo, Severity,
};
use crate::resolve::parts::PartAnswer;
use crate::resolve::target::{is_route, is_settings};
use crate::resolve::{Target, fragment};
use crate::walk::FileId;
use sitegate_address::percent::escape_path;
use sitegate_base::nearest::{is_misspelling, nearest};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-anchor",
    category: Category::Links,
    default: Severity::Error,
    summary: "a link's fragment matches no element of the target page",
    why: "Browsers open the page at its top. A fragment is compared with the ids as the HTML standard says: as \
          written, then percent-decoded, then with <a name>. Case matters. `#`, `#top` and text fragments \
          (`#:~:text=`) always match. A range of lines (`#10-20`, `#L10-L20`) matches if both ends do. Redirects pass \
          the fragment on, unless they have one; so do redirect pages with a script that reads `location.hash`, but \
          not those with a refresh alone. Line numbers (`#line7`, `#L7`, `#l00007`) are not checked if the site runs \
          scripts and the page has no line 1. Routes for scripts (`#/x`, `#!`) are never errors, nor are settings \
          (`#tab=two`) and paths (`#code/x`) if scripts of the page read `location.hash`: see `unchecked-anchor`. Not checked: links that \
          Bootstrap toggles (`data-bs-toggle`), except tabs and pills. Use the option `ignore` for other anchors that \
          scripts create. It takes regular expressions, such as \"^L\\d+(-L\\d+)?$\" for lines of source code. \
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

/// Returns the query that a fragment has after an id.
fn query_after<'f>(id: &str, fragment: &'f str) -> Option<&'f str> {
    fragment.strip_prefix(id)?.strip_prefix(['?', '&']).filter(|query| query.contains('='))
}

/// Returns the path of a file whose name has the fragment, such as `c#.html` for a link that opens `c.html`.
fn name_with_fragment(index: &Index<'_>, target: FileId, fragment: &str) -> Option<String> {
    let tree = index.site.tree;
    let path = tree.display(target);
    let folder = SitePath::new(&*path).index_folder().and_then(|folder| folder.strip_suffix('/'));
    let stems = [folder, path.strip_suffix(".html"), Some(&*path)];
    let mut names = stems.into_iter().flatten().map(|stem| format!("{stem}#{fragment}"));
    names.find(|name| tree.find(name.as_bytes()).is_some())
}

impl Rule for BrokenAnchor {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        if !view.site.resolver.parts().is_empty() {
            self.check_parts(view, found);
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        // A navigation can have the same broken fragment on thousands of pages: share its message.
        let mut messages: HashMap<(Option<FileId>, &str), Arc<str>> = HashMap::new();
        for (at, jump) in index.dangling.references.iter().enumerate() {
            let fragment = index.dangling.text(jump);
            let is_line = jump.is_line && index.scripts.read > 0;
            let is_made = is_line || index.dangling.is_for_script(jump);
            if is_made || self.ignore.iter().any(|pattern| pattern.is_match(fragment)) {
                continue;
            }
            let external = Some(jump.target).filter(|target| *target != jump.file);
            let message = messages.entry((external, fragment)).or_insert_with(|| {
                let page = external.map_or("this page".into(), |target| index.site.tree.display(target));
                format!("broken anchor: {page} has no element with the id `{}`", shorten(fragment)).into()
            });
            let message = Arc::clone(message);
            let mut finding = RawFinding::reference(&INFO, (jump.file, &jump.span), message);
            if let Some(reason) = unsafe_value(fragment) {
                finding = finding.help(reason);
            }
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
            if let Some(name) = name_with_fragment(index, jump.target, fragment) {
                let help = format!("`{name}` exists: write `#` in its name as `%23`");
                found.push(finding.help(help));
                continue;
            }
            found.push(match index.dangling.suggestions.get(&at) {
                Some(near) if **near == *fragment => {
                    finding.help("the element with this id is in a shadow tree, which no link can refer to")
                }
                // The fix would lose the query.
                Some(near) if let Some(query) = query_after(near, fragment) => {
                    let (query, near) = (shorten(query), shorten(near));
                    finding.help(format!("the query goes before the `#`: `?{query}#{near}`"))
                }
                Some(near) => {
                    let is_case = differs_in_case(near, fragment);
                    let why = if is_case { " Ids are case-sensitive" } else { "" };
                    let help = format!("did you mean `#{}`?{why}", shorten(near));
                    let fix = || ProposedFix {
                        certainty: Certainty::certain_if(is_case || is_misspelling(fragment, near)),
                        reason: "the page has this id, and no other one that is as similar",
                        change: ReferenceChange::Fragment { old: fragment.into(), new: near.as_ref().into() },
                    };
                    finding.help(help).fix((near.len() <= MAX_FIXED).then(fix))
                }
                // Some generators write a link that they cannot resolve as a fragment.
                None if index.site.contract.source_files.is_empty() => finding,
                None => finding.fix(Some(ProposedFix {
                    certainty: Certainty::Likely,
                    reason: "no other file is as similar",
                    change: ReferenceChange::MissingTarget,
                })),
            });
        }
    }
}

impl BrokenAnchor {
    /// Checks fragments of links to other parts of the site.
    fn check_parts(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let external = view.unusual().filter(|(_, reference, target)| {
            *target == Target::External && reference.kind.follows_fragment()
        });
        for (_, reference, _) in external {
            let text = view.text_of(reference);
            let Some(wanted) = fragment(text).filter(|wanted| !wanted.is_top()) else { continue };
            let Some((part, PartAnswer::Found(page, address), _)) = view.site.part_answer(view.base, text)
            else {
                continue;
            };
            let is_unchecked = |name: &str| {
                is_route(name)
                    || is_settings(name)
                    || self.ignore.iter().any(|pattern| pattern.is_match(name))
            };
            if part.has_anchor(address, &wanted.decoded) != Some(false)
                || address.has_anchor(&wanted.raw)
                || is_unchecked(&wanted.decoded)
            {
                continue;
            }
            let name = shorten(&wanted.decoded);
            let message = format!(
                "broken anchor: `{}` has no anchor `{name}` in the inventory of `{}`",
                escape_path(page),
                part.at
            );
            let cause = format!("{}#{name}", escape_path(page));
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message).cause(cause);
            found.push(match nearest(&wanted.decoded, address.anchors()) {
                Some(near) => finding.help(format!("did you mean `#{}`?", shorten(near))),
                None if part.has_all_anchors() => finding,
                None => finding.help(
                    "that inventory lists headings and linked ids only; write it with `anchors = \"all\"` if the id exists",
                ),
            });
        }
    }
}
