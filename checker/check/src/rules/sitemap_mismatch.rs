//! `sitemap-mismatch`: a sitemap or `llms.txt` lists other pages than search engines index.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::queries::{DisallowedFiles, disallowed_files};
use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::index::pages::{Canonical, PageEntry};
use crate::index::usage::Usage;
use crate::index::view::FileView;
use crate::parse::{Format, NoteKind, ReferenceKind};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use crate::walk::FileId;
use sitegate_address::robots::ANY_AGENT;
use sitegate_address::{PathPatterns, SitePath, UrlReference};
use sitegate_base::plural::count;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "sitemap-mismatch",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a sitemap lists a page that search engines do not index, or omits one that they do",
    why: "Search engines trust a sitemap less if it lists redirects, pages with noindex, pages with another canonical \
          page, pages that robots.txt disallows, or the not-found page, and reject one without an entry. If the \
          sitemaps list at least two thirds of the linked pages, the others are reported, too, except for folders of \
          which none is listed, such as tags. `complete = true` requires every indexable page, `complete = false` \
          none. The same holds for llms.txt: it should list at least a quarter of the pages below its folder, or \
          refer to llms-full.txt.",
    bad: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
sitemap.xml:
  <urlset><url><loc>https://www.acme.org/thanks.html</loc></url></urlset>
thanks.html:
  <meta name="robots" content="noindex">"#,
    good: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
sitemap.xml:
  <urlset><url><loc>https://www.acme.org/prices.html</loc></url></urlset>
prices.html:
  <h1>Prices</h1>
thanks.html:
  <meta name="robots" content="noindex">"#,
};

pub(super) static RULE: Registered = Registered::new::<SitemapMismatch>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct SitemapMismatch {
    /// Whether the sitemaps must list every page that search engines may index. By default, if they list most.
    complete: Option<bool>,
    /// Pages that need not be listed.
    except: PathPatterns,
}

impl Rule for SitemapMismatch {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        if view.facts.metadata.notes.iter().any(|note| note.kind == NoteKind::EmptySitemap) {
            let message = "this sitemap lists nothing, so search engines report an error";
            let finding = RawFinding::new(&INFO, view.file, message);
            found.push(finding.help("list the pages, or remove it and its line in robots.txt"));
        }
        if view.site.format(view.file) == Format::Xml {
            found.extend(listed_part(view));
        }
        if view.site.format(view.file) == Format::Llms && self.complete != Some(false) {
            found.extend(short_llms_list(view));
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let pages = index.pages.entries.iter();
        let (listed, others): (Vec<_>, Vec<_>) =
            pages.partition(|page| index.usage.has(page.file, Usage::LISTED));
        found.extend(listed.iter().filter_map(|page| {
            let message = listed_fault(index, page)?;
            Some(RawFinding::new(&INFO, page.file, message))
        }));
        report_disallowed(index, &listed, found);
        if listed.is_empty() || !index.site.is_whole() || self.complete == Some(false) {
            return;
        }
        let must_have_all = self.complete == Some(true);
        let is_expected = |page: &&PageEntry| {
            (must_have_all || is_linked_document(index, page))
                && page.is_indexable()
                && !index.site.is_error_page(page.file)
        };
        let mut missing: Vec<_> = others.into_iter().filter(is_expected).collect();
        if !must_have_all {
            retain_forgotten(index, &listed, &mut missing);
            if listed.len() < missing.len() * 2 {
                return;
            }
        }
        missing.retain(|page| !index.site.matches(&self.except, page.file));
        found.extend(missing.into_iter().map(|page| {
            let message = "incomplete sitemap: no sitemap lists this page";
            let finding = RawFinding::new(&INFO, page.file, message);
            finding.help("add it; if it is left out on purpose, name it in the option `except`")
        }));
    }
}

/// Reports the first URL with a fragment in a sitemap: search engines list pages, not parts of them.
fn listed_part(view: &FileView<'_>) -> Option<RawFinding> {
    view.facts.references.iter().find_map(|reference| {
        let text = view.text(reference.value.filter(|_| reference.kind == ReferenceKind::SitemapLoc)?);
        let fragment = UrlReference::new(text).fragment()?;
        let message = format!(
            "a sitemap lists a part of a page, `#{}`, which search engines ignore",
            shorten(fragment)
        );
        Some(RawFinding::new(&INFO, (view.file, &reference.span), message).help("list pages only"))
    })
}

/// Returns the reason why a page should not be listed.
fn listed_fault(index: &Index<'_>, page: &PageEntry) -> Option<&'static str> {
    Some(if index.site.is_error_page(page.file) {
        "a sitemap lists this page, but it is the not-found page"
    } else if page.redirects {
        "a sitemap lists this page, but it redirects"
    } else if page.noindex.is_some() {
        "a sitemap lists this page, but it has noindex"
    } else if matches!(page.canonical, Canonical::Own(target, _) if target != page.file) {
        "a sitemap lists this page, but its canonical link names another page"
    } else if index.site.hiding_header(page.file).is_some() {
        "a sitemap lists this page, but the header `X-Robots-Tag` keeps search engines out"
    } else {
        return None;
    })
}

/// Reports the rules of robots.txt that keep crawlers out of listed pages, each once.
fn report_disallowed(index: &Index<'_>, listed: &[&PageEntry], found: &mut Vec<RawFinding>) {
    let files = listed.iter().map(|page| page.file);
    for disallowed in disallowed_files(index.site, ANY_AGENT, files).into_values() {
        let DisallowedFiles { rule, address, count: pages } = disallowed;
        let more = if pages == 1 { String::new() } else { format!(" and {} more", count(pages - 1, "page")) };
        let message =
            format!("a sitemap lists `{}`{more}, but robots.txt keeps crawlers out", shorten(&address));
        found.push(RawFinding::new(&INFO, rule, message));
    }
}

/// Whether readers get to a page by a link, and it is content. Generators write the pages of [`GENERATED`].
fn is_linked_document(index: &Index<'_>, page: &PageEntry) -> bool {
    let name = SitePath::new(index.site.tree.path(page.file)).page().name();
    let name = name.strip_suffix(b".html").unwrap_or(name);
    index.usage.has(page.file, Usage::LINKED)
        && page.untitled.is_none()
        && !index.site.is_shell(page.file)
        && !GENERATED.iter().any(|generated| generated.as_bytes() == name)
}

/// Pages that generators write and leave out of their sitemaps: the search and the indexes of Sphinx, the print page of
/// mdBook, the fallback of service workers.
const GENERATED: [&str; 6] = ["genindex", "offline", "print", "py-modindex", "search", "toc"];

/// Removes pages of folders that the sitemaps leave out as a whole, such as tags or archives: that is on purpose.
fn retain_forgotten(index: &Index<'_>, listed: &[&PageEntry], missing: &mut Vec<&PageEntry>) {
    let tree = index.site.tree;
    let listed: BTreeSet<&[u8]> = listed.iter().map(|page| section(tree.path(page.file))).collect();
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    for page in missing.iter() {
        *counts.entry(section(tree.path(page.file))).or_default() += 1;
    }
    missing.retain(|page| {
        let section = section(tree.path(page.file));
        listed.contains(section) || counts.get(section) == Some(&1)
    });
}

/// Returns the folder whose pages are neighbors: `blog` for `blog/a.html` and for `blog/a/index.html`.
fn section(path: &[u8]) -> &[u8] {
    SitePath::new(path).page().folder()
}

/// Reports a list for language models that has fewer than a quarter of the pages, so that it is no index of them. A list
/// may refer to others, and short sites need none.
fn short_llms_list(view: &FileView<'_>) -> Option<RawFinding> {
    const MIN_PAGES: usize = 8;
    let mut listed = BTreeSet::new();
    for (_, target) in view.references() {
        if let Target::File { file, .. } = target {
            if matches!(view.site.format(file), Format::Llms | Format::LlmsFull) {
                return None;
            }
            listed.insert(file);
        }
    }
    let folder = SitePath::new(view.site.tree.path(view.file)).folder();
    let is_page = |file: &FileId| view.site.format(*file) == Format::Html && !view.site.is_error_page(*file);
    let pages = view.site.tree.below(folder).filter(is_page).count();
    let is_short = pages >= MIN_PAGES && !listed.is_empty() && listed.len() * 4 < pages;
    is_short.then(|| {
        let message = format!("incomplete llms.txt: it lists {} of {pages} pages", listed.len());
        let finding = RawFinding::new(&INFO, view.file, message);
        finding.help("list all important pages, or refer to llms-full.txt")
    })
}
