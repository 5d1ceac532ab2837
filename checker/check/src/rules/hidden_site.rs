//! `hidden-site`: search engines are kept out of the whole site, or of pages that they were meant to show.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::permalinks::{KeptState, kept_addresses};
use super::rule::{Registered, Rule};
use super::staging_host::{is_preview, is_staging_name};
use crate::index::Index;
use crate::index::site::HidingHeader;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};
use sitegate_address::percent::escape_path;
use sitegate_base::host_name::{host_matches, is_below};
use sitegate_host::HEADERS_FILE;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "hidden-site",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "search engines are kept out of the whole site",
    why: "The setting of a staging site went live, and the site leaves the search results. Reported if all pages have \
          `noindex`, in the page or by the header `X-Robots-Tag`, or if `robots.txt` disallows everything for every \
          crawler. A group goes on until its first rule: `Crawl-delay` or `Sitemap` between two `User-agent` lines does \
          not end it. Pages that got `noindex` are named if `keep` of `[permalinks]` has a sitemap that lists them, or \
          an inventory or a release in which they had none. With `--seal` both are errors, unless the contract sets \
          the level. Not reported if the origin is a staging site: a preview of Netlify, Vercel or Cloudflare Pages, \
          a name such as `staging.acme.org`, a local address, or a host in the option `staging`.",
    bad: r"robots.txt:
  User-agent: *
  Disallow: /",
    good: r"robots.txt:
  User-agent: *
  Disallow: /drafts/",
};

pub(super) static RULE: Registered = Registered::new::<HiddenSite>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct HiddenSite {
    /// Hosts of the origin that are meant to be hidden; `*.` matches any subdomain.
    staging: Vec<String>,
}

impl HiddenSite {
    /// Whether the site is meant to be hidden at this origin. An unknown origin is not.
    fn is_staging(&self, origin: Option<&url::Url>) -> bool {
        match origin.and_then(url::Url::host) {
            Some(url::Host::Domain(host)) => {
                let is_local = ["localhost", "local", "internal"];
                self.staging.iter().any(|pattern| host_matches(host, pattern))
                    || is_preview(host)
                    || is_staging_name(host)
                    || is_local.iter().any(|name| host == *name || is_below(host, name))
            }
            Some(url::Host::Ipv4(_) | url::Host::Ipv6(_)) => true,
            None => false,
        }
    }
}

const HELP: &str = "remove it before the site goes live; for a staging site, set its own `origin`, or name its host \
                    in the option `staging` of this rule";

impl Rule for HiddenSite {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for note in &view.facts.metadata.notes {
            let NoteKind::HidesSite(joined_to) = &note.kind else { continue };
            // Crawlers read only the robots.txt at the root of the origin.
            let applies = view.site.settings.base_path == "/";
            if applies && !self.is_staging(view.site.settings.origin.as_ref()) {
                let name = view.site.tree.display(view.file);
                let message = format!("hidden site: {name} keeps search engines out of all pages");
                let help = joined_to.as_ref().map_or_else(
                    || HELP.to_owned(),
                    |other| {
                        let other = shorten(other);
                        format!("the rules for `{other}` are also for `*`: end that group by a rule, such as `Disallow:`")
                    },
                );
                let finding = RawFinding::new(&INFO, (view.file, &note.span), message);
                found.push(finding.cause(Cause::kind("site")).help(help));
            }
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let site = index.site;
        if self.is_staging(site.settings.origin.as_ref()) {
            return;
        }
        let entries = index.pages.entries.iter();
        let mut shown = entries
            .filter(|page| !page.redirects && !page.is_part && !site.is_error_page(page.file))
            .peekable();
        let Some(first) = shown.peek().copied() else { return };
        let mut header = None;
        let are_hidden = shown.all(|page| {
            let hiding = if page.noindex.is_none() { site.hiding_header(page.file) } else { None };
            let is_hidden = page.noindex.is_some() || hiding.is_some();
            header = header.take().or(hiding);
            is_hidden
        });
        if !are_hidden {
            found.extend(hidden_pages(index));
            return;
        }
        let home = site.tree.home();
        let (location, message): (Location, _) = match (header, site.tree.find(HEADERS_FILE.as_bytes())) {
            (Some(HidingHeader::HeadersFile(span)), Some(file)) => {
                ((file, span).into(), format!("{HEADERS_FILE} keeps search engines out of all pages"))
            }
            (Some(_), _) => (
                home.unwrap_or(first.file).into(),
                "search engines are kept out of all pages by the header `X-Robots-Tag` of the contract"
                    .to_owned(),
            ),
            (None, _) => {
                let hidden_home = home.and_then(|home| index.pages.get(home));
                let page = hidden_home.filter(|page| page.noindex.is_some()).unwrap_or(first);
                (
                    (page.file, page.noindex.clone().unwrap_or_default()).into(),
                    "search engines are kept out of all pages by `noindex`".to_owned(),
                )
            }
        };
        let finding = RawFinding::new(&INFO, location, format!("hidden site: {message}"));
        found.push(finding.cause(Cause::kind("site")).help(HELP));
    }
}

/// Reports the pages that search engines may no longer show, although a kept sitemap lists them, or a kept inventory
/// has them without `noindex`.
fn hidden_pages(index: &Index<'_>) -> Vec<RawFinding> {
    let mut known = BTreeSet::new();
    let listed = kept_addresses(index.site).filter(|kept| kept.is_for_search);
    let hidden = listed.filter_map(|kept| {
        let KeptState::Kept { file, .. } = kept.state(index) else { return None };
        let page = index.pages.get(file).filter(|page| !page.redirects && known.insert(file))?;
        let cause = match (&page.noindex, index.site.hiding_header(file)) {
            (Some(_), _) => "`noindex`",
            (None, Some(HidingHeader::Contract)) => "the header `X-Robots-Tag` of the contract",
            (None, Some(HidingHeader::HeadersFile(_))) => "the header `X-Robots-Tag` of _headers",
            (None, None) => return None,
        };
        let address = escape_path(kept.path);
        let message = format!(
            "hidden page: `{address}` has {cause}, and {} lists it for search engines",
            kept.listed_at()
        );
        let finding = RawFinding::new(&INFO, (file, page.noindex.clone().unwrap_or_default()), message);
        let help = "remove it if search engines should show the page, or the address from the list";
        Some(finding.cause(Cause::kind("page")).help(help))
    });
    hidden.collect()
}
