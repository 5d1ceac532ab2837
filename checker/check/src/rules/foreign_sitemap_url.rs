//! `foreign-sitemap-url`: a sitemap lists pages of another host, or with `http:` for a site with `https:`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::parse::{Format, Reference, ReferenceKind};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::host_name::{has_scheme, host_matches};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "foreign-sitemap-url",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a sitemap lists pages of another host, or with http",
    why: "Search engines skip URLs that are not on the sitemap's host, unless both sites are verified for one owner \
          (sitemaps.org, \"Sitemap file location\"). Usually the sitemap was built for a preview, or with `www.` \
          instead of without. Pages listed with `http:` of a site with `https:` are reported as redirects. `hosts` \
          lists verified hosts. Without an origin, its hosts are compared with those of \
          canonical links.",
    bad: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
sitemap.xml:
  <urlset><url><loc>https://preview.acme.org/</loc></url></urlset>"#,
    good: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
sitemap.xml:
  <urlset><url><loc>https://www.acme.org/</loc></url></urlset>"#,
};

pub(super) static RULE: Registered = Registered::new::<ForeignSitemapUrl>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ForeignSitemapUrl {
    /// External hosts that sitemaps may list; `*.` matches any subdomain.
    hosts: Vec<String>,
}

impl Rule for ForeignSitemapUrl {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let settings = view.site.settings;
        let origin = settings.origin.as_ref().and_then(url::Url::host_str);
        let Some(own) = origin.or(settings.canonical_host.as_deref()) else { return };
        if view.site.format(view.file) != Format::Xml {
            return;
        }
        if settings.origin.as_ref().is_some_and(|url| url.scheme() == "https") {
            found.extend(insecure_urls(view));
        }
        // If one URL is foreign, usually all are: report one finding for each host.
        let mut foreign: BTreeMap<String, (&Reference, usize)> = BTreeMap::new();
        for (_, reference, target) in view.unusual() {
            let is_foreign = target == Target::External && reference.kind == ReferenceKind::SitemapLoc;
            if !is_foreign {
                continue;
            }
            let Some(value) = reference.value else { continue };
            let Some(host) = view.base.host(view.text(value)) else { continue };
            if *host != *own && !self.hosts.iter().any(|pattern| host_matches(&host, pattern)) {
                foreign.entry(host.into_owned()).or_insert((reference, 0)).1 += 1;
            }
        }
        for (host, (reference, count)) in foreign {
            let pages = if count == 1 { "a page".to_owned() } else { format!("{count} pages") };
            let stated = if origin.is_some() { "the site's host is" } else { "the canonical links name" };
            let message = format!("this sitemap lists {pages} of `{}`, but {stated} `{own}`", shorten(&host));
            found.push(RawFinding::reference(&INFO, (view.file, &reference.span), message).cause(host));
        }
    }
}

/// Reports pages of the site that a sitemap lists with `http:`. Search engines follow the redirect, and do not index the
/// listed URL ("Page with redirect").
fn insecure_urls(view: &FileView<'_>) -> Option<RawFinding> {
    let text = |reference: &Reference| view.text_of(reference);
    let is_insecure = |(reference, target): &(&Reference, Target)| {
        reference.kind == ReferenceKind::SitemapLoc
            && *target != Target::External
            && has_scheme(text(reference), "http")
    };
    let mut insecure = view.references().filter(is_insecure);
    let (first, _) = insecure.next()?;
    let message = match insecure.count() {
        0 => format!("this sitemap lists `{}`, but the site has https", shorten(text(first))),
        more => format!("this sitemap lists {} pages with http, but the site has https", more + 1),
    };
    Some(RawFinding::reference(&INFO, (view.file, &first.span), message).cause("http"))
}
