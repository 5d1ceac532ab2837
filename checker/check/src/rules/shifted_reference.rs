//! `shifted-reference`: a relative reference that is broken at an address at which links open its page.

use std::collections::BTreeMap;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::relative::RelativeReference;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::resolve::Reason;
use crate::walk::FileId;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "shifted-reference",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "links open a page at an address where a relative reference of it is broken",
    why: "Browsers resolve relative references from the address of the page, and some addresses are in another \
          folder. Vercel and Azure Static Web Apps serve `docs/index.html` at `/docs`, without a redirect. GitLab \
          Pages and Azure serve `about.html` at `/about/`, and a rewrite (status 200) serves its page at each \
          address that it matches. Reported once for each page, if a link or a sitemap uses such an address; an \
          error if browsers load the reference. A page with `<base href>` is not reported.",
    bad: r#"_redirects:
  /app/*  /app/index.html  200
index.html:
  <a href="/app/user/settings">Settings</a>
app/index.html:
  <script src="app.js"></script>
app/app.js:
  start()"#,
    good: r#"_redirects:
  /app/*  /app/index.html  200
index.html:
  <a href="/app/user/settings">Settings</a>
app/index.html:
  <script src="/app/app.js"></script>
app/app.js:
  start()"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let mut by_page: BTreeMap<FileId, Vec<&[u8]>> = BTreeMap::new();
    // Rewrites do not depend on slashes.
    let is_configured = !index.usage.shifted.is_empty() && index.site.configures_slashes();
    for (page, address) in &index.usage.shifted {
        if is_configured && index.site.resolver.has_other_slash(*page, address) {
            continue;
        }
        by_page.entry(*page).or_default().push(address);
    }
    for (page, addresses) in by_page {
        let first = index.relative.partition_point(|reference| reference.file < page);
        let references = index.relative[first..].iter().take_while(|reference| reference.file == page);
        let of_page: Vec<&RelativeReference> = references.collect();
        if !of_page.is_empty() {
            found.extend(check_page(index, page, &addresses, &of_page));
        }
    }
}

/// Returns a finding about the first load that is broken at one of the addresses of a page, or else the first link.
fn check_page(
    index: &Index<'_>,
    page: FileId,
    addresses: &[&[u8]],
    references: &[&RelativeReference],
) -> Option<RawFinding> {
    let (site, resolver) = (index.site, &index.site.resolver);
    let bases: Vec<_> = addresses.iter().map(|address| (*address, resolver.base_at(address))).collect();
    let broken_at = |reference: &&RelativeReference| {
        let mut missing = bases
            .iter()
            .filter_map(|(address, base)| Some((*address, base, reference.missing_at(base, site)?)));
        missing.next().map(|(address, base, reason)| (reference.is_load(), address, base, reason))
    };
    let broken = |is_load: bool| {
        let of_kind = references.iter().filter(move |reference| reference.is_load() == is_load);
        of_kind.copied().find_map(|reference| Some((reference, broken_at(&reference)?)))
    };
    let (reference, (is_load, address, base, reason)) = broken(true).or_else(|| broken(false))?;
    let path = resolver.local_path(base, &reference.text).unwrap_or_default();
    let fault = if reason == Reason::Page { "gets a page" } else { "does not exist" };
    let (text, shown) = (shorten(&reference.text), resolver.shown_address(address));
    let message = format!(
        "links open this page at `{}`, where `{text}` points to `{}`, which {fault}",
        shorten(&shown),
        shorten(&resolver.shown_address(&path)),
    );
    let is_of_host = resolver.has_other_slash(page, address);
    let own = resolver.document(page);
    let own_folder =
        own.folder().map_or_else(String::new, |folder| String::from_utf8_lossy(folder).into_owned());
    let keep = format!("start the reference with `/`, or add `<base href=\"/{own_folder}\">`");
    let (help, cause) = if is_of_host {
        let usual = shown.strip_suffix('/').map_or_else(|| format!("{shown}/"), str::to_owned);
        (format!("link to `{}`, {keep}", shorten(&usual)), "slash")
    } else {
        (keep, "rewrite")
    };
    let finding =
        RawFinding::reference(&INFO, (page, &reference.span), message).help(help).cause(Cause::kind(cause));
    Some(if is_load { finding.certain_error() } else { finding })
}
