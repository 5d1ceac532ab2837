//! `missing-page`: a page that the contract names is not in the export.

use std::collections::HashSet;

use super::rule::Registered;
use crate::contract::{Assertion, Placed};
use crate::index::Index;
use crate::index::site::Site;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use crate::walk::FileId;
use sitegate_address::percent::escape_path;
use sitegate_address::{PathPatterns, SitePath};
use sitegate_base::nearest::nearest;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-page",
    category: Category::Contract,
    default: Severity::Error,
    summary: "a page that the contract names is not in the export",
    why: "A route was lost in the build, or the contract has a spelling mistake. Either way, a check that you expect \
          did not run. An assertion also fails if `except` removes all of its pages, or if it forbids elements on \
          pages that only redirect.",
    bad: r#"sitegate.toml:
  [pages]
  required = ["/pricing", "/contact"]"#,
    good: r#"sitegate.toml:
  [pages]
  required = ["/pricing", "/contact"]
contact/index.html:
  <a href="mailto:team@example.com">Write to us</a>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    let contract = site.contract;
    if contract.required.is_empty() && contract.assertions.is_empty() && contract.site.not_found.is_none() {
        return;
    }
    let html = site.added_html();
    let pages: Vec<FileId> = site.pages().collect();
    let paths = || pages.iter().map(|page| site.tree.path(*page));
    let mut report = |span: std::ops::Range<usize>, message: String, help: Option<String>| {
        let finding = RawFinding::new(&INFO, Location::in_contract(span), message);
        found.push(finding.help_if(help));
    };
    // Each page is reported once, at its first mention.
    let mut reported: HashSet<&str> = HashSet::new();
    // Pages that a crawl left out may exist.
    let is_gone = |page: &str| {
        let address = format!(".{}", escape_path(page));
        let resolver = &site.resolver;
        site.is_whole()
            || matches!(resolver.resolve(&resolver.root(), &address, &mut Vec::new()), Target::Missing(_))
    };
    // A contract may also require other files, such as `/llms.txt`.
    let is_file = |path: &String| site.tree.has(path.trim_start_matches('/').as_bytes());
    let exists = |page: &str| PathPatterns::file_patterns(page, html).iter().any(is_file);
    let missing = |page: &&Placed| !exists(&page.value) && is_gone(&page.value);
    for required in contract.required.iter().filter(missing) {
        reported.insert(&required.value);
        let message = format!("missing page: `{}` does not exist", required.value);
        let help = match &*required.value {
            group if group.starts_with('@') => Some("`required` has no groups; list the pages".to_owned()),
            path if !path.starts_with('/') => Some(format!("a path starts with `/`: write `/{path}`")),
            path => suggest_page(path, site).map(|meant| format!("did you mean `{meant}`?")),
        };
        report(required.span.clone(), message, help);
    }
    if !site.is_whole() {
        return;
    }
    for assertion in &contract.assertions {
        for (entry, span) in assertion.pages.unmatched(paths(), html) {
            if reported.insert(entry) {
                let message =
                    format!("missing page: no page matches `{entry}` (assertion “{}”)", assertion.name);
                report(span.clone(), message, suggest_page(entry, site).as_deref().map(suggest_pattern));
            }
        }
    }
    for assertion in &contract.assertions {
        if let Some(reason) = idle(assertion, index, &pages) {
            let (name, span) = (&assertion.name, assertion.span.clone());
            let message = format!("the assertion \u{201c}{name}\u{201d} applies to nothing: {reason}");
            report(span, message, Some("name other pages in `pages`, or remove the assertion".to_owned()));
        }
    }
    if let Some(name) = &contract.site.not_found
        && site.tree.find(name.value.trim_start_matches('/').as_bytes()).is_none()
    {
        report(name.span.clone(), format!("missing not-found page: `{}` does not exist", name.value), None);
    }
}

/// Returns the reason why an assertion applies to nothing although pages match its entries.
fn idle(assertion: &Assertion, index: &Index<'_>, pages: &[FileId]) -> Option<&'static str> {
    let (tree, html) = (index.site.tree, index.site.added_html());
    if assertion.pages.excludes_all(pages.iter().map(|page| tree.path(*page)), html) {
        return Some("`except` removes all of its pages");
    }
    // Visitors never see such a page, so it cannot show what must not be there, and patterns do not mean it. Too few matches
    // on a page that the assertion names are reported.
    let applied = pages.iter().copied().filter(|page| assertion.pages.contains(tree.path(*page), html));
    let mut applied = applied.peekable();
    let redirects = |file: FileId| index.pages.get(file).is_some_and(|page| page.redirects);
    let is_named = |file: FileId| assertion.pages.names(tree.path(file), html);
    let is_skipped = |file: FileId| redirects(file) && (assertion.min == 0 || !is_named(file));
    let is_idle = applied.peek().is_some() && applied.all(is_skipped);
    is_idle.then_some("all of its pages redirect to others")
}

/// Suggests the pattern of a page.
fn suggest_pattern(meant: &str) -> String {
    let escaped = PathPatterns::escape(meant);
    if escaped == meant {
        return format!("did you mean `{meant}`?");
    }
    format!("did you mean `{escaped}`? In a pattern, characters such as `[` are written in brackets")
}

/// Returns the page that an unknown path means: `/terms/`, `/terms.html` and `/terms/index.html` may mean `/terms`.
fn suggest_page(page: &str, site: &Site<'_>) -> Option<String> {
    let path = |file: FileId| SitePath::new(&*site.tree.display(file)).page_path();
    let pages: Vec<String> = site.pages().map(path).collect();
    let bare = page.trim_end_matches('/');
    let folder = SitePath::new(bare).index_folder().and_then(|folder| folder.strip_suffix('/'));
    let stem = folder.or_else(|| bare.strip_suffix(".html")).unwrap_or(bare);
    let variants = [if stem.is_empty() { "/" } else { stem }, &format!("{stem}.html"), bare];
    let pages = || pages.iter().map(String::as_str);
    let other = variants.iter().find_map(|variant| pages().find(|known| known == variant));
    other.or_else(|| nearest(page, pages())).map(str::to_owned)
}
