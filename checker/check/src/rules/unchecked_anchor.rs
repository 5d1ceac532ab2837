//! `unchecked-anchor`: fragments that only a script of the target page can handle.

use std::collections::BTreeMap;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::fragments::FragmentReference;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;
use sitegate_base::plural::count;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unchecked-anchor",
    category: Category::Links,
    default: Severity::Warn,
    summary: "links to a page have fragments that only a script can handle",
    why: "Fragments such as `#/about` and `#!` are routes for a script, and no element has such an id. Nothing in the \
          export says which routes exist, so they are not checked: one finding for each page. The same applies to \
          settings such as `#tab=two&x=1` if scripts of the page read `location.hash`, and to paths such as `#g/zoom` \
          if no id of that page is a path. It applies to all unknown fragments of such a page if there are at least \
          100, more than the page has ids, and ten times as many as it has links to its own ids.",
    bad: r##"<a href="#/about">About</a>"##,
    good: r##"<a href="#about">About</a>
<h2 id="about">About</h2>"##,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let references = &index.dangling.references;
    let mut by_target: BTreeMap<FileId, (&FragmentReference, usize)> = BTreeMap::new();
    for reference in references.iter().filter(|reference| index.dangling.is_for_script(reference)) {
        by_target.entry(reference.target).or_insert((reference, 0)).1 += 1;
    }
    found.extend(by_target.into_iter().map(|(target, (first, links))| {
        let is_own = target == first.file;
        let page = if is_own { "this page".into() } else { index.site.tree.display(target) };
        let links = count(links, "link");
        let fragment = shorten(index.dangling.text(first));
        let message = format!(
            "not checked: {links} to {page} with fragments that only a script can handle, such as `#{fragment}`"
        );
        RawFinding::reference(&INFO, (first.file, &first.span), message).cause(Cause::kind("for scripts"))
    }));
}
