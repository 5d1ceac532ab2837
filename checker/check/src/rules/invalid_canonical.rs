//! `invalid-canonical`: an empty canonical link or social property, or a link to a page that is not canonical itself.

use std::ops::Range;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::pages::Canonical;
use crate::index::view::FileView;
use crate::parse::{MisnestedEffect, MisnestedMarkup, NoteKind, ReferenceKind};
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use crate::walk::FileId;
use sitegate_address::UrlReference;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-canonical",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a canonical link is empty or points to a page that is not canonical, or og:image is empty",
    why: "rel=canonical names the copy that search engines should list. They ignore it if that page redirects, has \
          noindex, is the not-found page, or names another canonical page. Two different canonical links cancel each \
          other, and so does noindex one that names another page. A layout with a fixed link makes one page the \
          original of all, and search engines drop the others; with a fixed og:url, social networks show that page \
          instead of the shared one. In the body, or with a fragment, it has no effect (Google, \"5 common mistakes with rel=canonical\"). Targets are not \
          checked if the site's origin is unknown. Reported once: canonical links with a base path, such as /project/ \
          on GitHub Pages, on pages whose links begin at the root. Generators leave canonical links, og:url and \
          og:image empty if they do not know the site's URL. (RFC 6596.)",
    bad: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
price-list.html:
  <link rel="canonical" href="/prices.html">
prices.html:
  <meta http-equiv="refresh" content="0; url=/pricing/">"#,
    good: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
price-list.html:
  <link rel="canonical" href="/pricing/">"#,
};

pub(super) static RULE: Registered = Registered::of_both(&INFO, check_file, check_site);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let empty = view.unusual().filter(|(.., target)| *target == Target::Empty);
    let canonical = empty.filter(|(_, reference, _)| reference.kind == ReferenceKind::LinkCanonical);
    let canonical =
        canonical.map(|(_, reference, _)| (&reference.span, "the canonical link has no URL".to_owned()));
    let properties = view.facts.metadata.notes.iter().filter_map(|note| match &note.kind {
        NoteKind::EmptyProperty(name) => Some((&note.span, format!("`{name}` has no URL"))),
        _ => None,
    });
    for (span, message) in canonical.chain(properties) {
        let help = "leave it out, or set the site's URL in the generator's configuration";
        found.push(RawFinding::new(&INFO, (view.file, span), message).help(help));
    }
    report_after_head(view, found);
    report_fragment(view, found);
    if view.site.settings.origin.is_none() {
        return;
    }
    let references = || view.facts.metadata.canonicals.iter().filter_map(|&at| view.facts.references.get(at));
    let Some(first) = references().next() else { return };
    let text = |value: Option<crate::parse::Value>| value.map_or("", |value| view.text(value));
    for other in references().skip(1) {
        if text(other.value) != text(first.value) {
            let message = format!(
                "conflicting canonical links: the page already names `{}`",
                shorten(text(first.value))
            );
            let finding = RawFinding::reference(&INFO, (view.file, &other.span), message);
            found.push(finding.cause(Cause::kind("several originals")));
        }
    }
}

/// Reports a canonical link with a fragment: search engines list pages, not parts of them (Google, "How to specify a
/// canonical URL").
fn report_fragment(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for &index in &view.facts.metadata.canonicals {
        let Some(reference) = view.facts.references.get(index) else { continue };
        let text = view.text_of(reference).trim();
        if UrlReference::new(text).fragment().is_some_and(|fragment| !fragment.is_empty()) {
            let message =
                format!("search engines ignore the canonical link `{}`: it has a fragment", shorten(text));
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message)
                .cause(Cause::kind("fragment"));
            found.push(finding.help("name the page, without `#`"));
        }
    }
}

/// Reports links in the body. If markup ends the head early, `misnested-markup` names what falls out of it.
fn report_after_head(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let ends_head = |markup: &MisnestedMarkup| matches!(markup.effect, MisnestedEffect::HeadEnds(_));
    if view.facts.is_part() || view.facts.misnested.iter().any(ends_head) {
        return;
    }
    for note in &view.facts.metadata.notes {
        let NoteKind::AfterHead(name) = note.kind else { continue };
        let message = format!("ignored {name}: it is in the body; search engines read it in the head only");
        found.push(RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::kind(name)));
    }
}

/// Reports that the pages name a URL with a base path, although their links begin at the root: one of both is wrong. This
/// is the usual mistake of project sites on GitHub Pages.
fn contradicted_url(index: &Index<'_>) -> Option<RawFinding> {
    let (url, rooted) = index.site.settings.contradicted_url.as_ref()?;
    let page = index.site.tree.home().or_else(|| index.site.pages().next())?;
    let (url, rooted) = (shorten(url), shorten(rooted));
    let message = format!(
        "contradicting URLs: canonical links name the site `{url}`, but links such as `{rooted}` begin above it"
    );
    let help =
        "set the base path in the generator, and `base-path` below `[site]`; or correct the site's URL there";
    Some(RawFinding::new(&INFO, page, message).help(help))
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    found.extend(contradicted_url(index));
    if index.site.settings.origin.is_none() {
        return;
    }
    // Skipped: redirect pages name their destination, and a not-found page has no URL of its own.
    let pages = || {
        let pages = index.pages.entries.iter();
        pages.filter(|facts| !facts.redirects && !index.site.is_error_page(facts.file))
    };
    let shared = shared_original(
        index,
        pages().filter_map(|page| match &page.canonical {
            Canonical::Own(target, span) => Some((*target, page.file, span)),
            _ => None,
        }),
    );
    let social =
        pages().filter_map(|page| page.social.as_ref().map(|(target, span)| (*target, page.file, span)));
    let fixed = [
        (&shared, "a canonical link", "search engines list"),
        (&shared_original(index, social), "`og:url`", "social networks show"),
    ];
    for (found_link, link, readers) in fixed {
        let Some(Shared { original, page, span, count, of }) = found_link else { continue };
        let name = index.site.tree.display(*original);
        let message = format!("{count} of {of} pages with {link} name `{name}`: {readers} only that page");
        let help = "let the layout write the URL of each page, not that of the site";
        found.push(RawFinding::reference(&INFO, (*page, span), message).cause(Cause::kind(link)).help(help));
    }
    for facts in pages() {
        let Canonical::Own(target, span) = &facts.canonical else { continue };
        if *target == facts.file || shared.as_ref().is_some_and(|shared| shared.original == *target) {
            continue;
        }
        let Some(original) = index.pages.get(*target) else { continue };
        let name = index.site.tree.display(*target);
        let message = match &original.canonical {
            _ if original.redirects => format!("the canonical page `{name}` redirects"),
            _ if original.noindex.is_some() => format!("the canonical page `{name}` has noindex"),
            _ if index.site.is_not_found_page(*target) => {
                format!("the canonical page `{name}` is the not-found page")
            }
            Canonical::Own(next, _) if next != target => {
                format!("the canonical page `{name}` names `{}` as canonical", index.site.tree.display(*next))
            }
            Canonical::ExternalReferences => {
                format!("the canonical page `{name}` names an external page as canonical")
            }
            _ if facts.noindex.is_some() => {
                format!("this page has noindex, but names `{name}` as canonical: one of both is ignored")
            }
            _ => continue,
        };
        found.push(RawFinding::reference(&INFO, (facts.file, span), message));
    }
}

/// A page that most others name as their original, with the first that does.
struct Shared {
    original: FileId,
    page: FileId,
    span: Range<u32>,
    count: usize,
    /// The number of pages with such a link to a page of the site.
    of: usize,
}

/// The least number of pages that share an original by mistake. A home page has one or two copies, such as `/home/`, and
/// sometimes more.
const SHARED: usize = 4;

/// The same if all of them and the original have different titles, so that none is a copy (cdnjs/static-website#46).
const SHARED_BY_DIFFERENT: usize = 3;

/// Finds the page that most of the others name as their original, if their layout has a fixed link
/// (DeterminateSystems/zero-to-nix#228, gdg-x/hoverboard#556).
///
/// `links` has the named page, the page that names it, and the reference.
fn shared_original<'i>(
    index: &Index<'_>,
    links: impl Iterator<Item = (FileId, FileId, &'i Range<u32>)>,
) -> Option<Shared> {
    let mut all: Vec<_> = links.collect();
    let of = all.len();
    all.retain(|(target, page, _)| target != page);
    all.sort_by_key(|(target, ..)| *target);
    let most = all.chunk_by(|a, b| a.0 == b.0).max_by_key(|same| same.len())?;
    let (original, page, span) = most.first()?;
    let are_different = || {
        let files = most.iter().map(|(_, copy, _)| copy).chain([original]);
        let mut titles: Vec<u64> =
            files.filter_map(|file| Some(index.pages.get(*file)?.title.as_ref()?.0)).collect();
        titles.sort_unstable();
        titles.dedup();
        titles.len() > most.len()
    };
    let is_many = most.len() >= SHARED || most.len() >= SHARED_BY_DIFFERENT && are_different();
    let is_shared = is_many && most.len() * 2 > of;
    is_shared.then(|| Shared {
        original: *original,
        page: *page,
        span: (*span).clone(),
        count: most.len(),
        of,
    })
}
