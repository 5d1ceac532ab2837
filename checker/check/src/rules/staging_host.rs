//! `staging-host`: a URL of a preview or staging server.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use url::Url;

use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::parse::{Reference, ReferenceKind, Role};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::host_name::{host_matches, is_below};
use sitegate_base::public_suffix::registrable_domain;
use sitegate_host::Host;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "staging-host",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "a reference points to a preview or staging server, or to an old host of the site",
    why: "It works for the site's authors; for others it is gone, or behind a password. Detected: previews of \
          Netlify, Vercel and Cloudflare Pages, tunnels such as ngrok, cloud workspaces, and hosts such as `staging.` \
          below the site's host or its domain: for docs.example.org, staging.example.org. Also reported: links to the \
          site by its other name, with or without `www.`, or by the domain that its platform assigned, such as \
          acme.netlify.app, if the path is a file here; and a feed of which most links have another host, and paths of \
          files here. `hosts` adds hosts; `*.` matches any subdomain. `except` \
          removes hosts.",
    bad: r#"<a href="https://deploy-preview-7--acme.netlify.app/pricing/">Pricing</a>"#,
    good: r#"<a href="/pricing/">Pricing</a>"#,
};

pub(super) static RULE: Registered = Registered::new::<StagingHost>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct StagingHost {
    /// Additional staging hosts; `*.` matches any subdomain.
    hosts: Vec<String>,
    /// Hosts that are intended.
    except: Vec<String>,
}

impl Rule for StagingHost {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let origin = view.site.settings.origin.as_ref().and_then(Url::host_str);
        let matches = |host: &str, patterns: &[String]| patterns.iter().any(|p| host_matches(host, p));
        let first = found.len();
        for (_, reference, target) in view.unusual() {
            let leaves = matches!(target, Target::External | Target::Unchecked);
            if !leaves {
                continue;
            }
            let Some(value) = reference.value else { continue };
            let Some(host) = view.base.host(view.text(value)) else { continue };
            let host = &*host;
            let is_staging = matches(host, &self.hosts)
                || is_preview(host)
                || origin.is_some_and(|origin| is_staging_of(host, origin));
            let is_old = || origin.is_some_and(|origin| is_old_host(view, reference, host, origin));
            if !matches(host, &self.except) && (is_staging || is_old()) {
                let message = if is_staging {
                    format!("staging host: `{}` is a preview or staging server", shorten(host))
                } else {
                    format!("old host: `{}` is another name of this site", shorten(host))
                };
                let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message);
                found.push(finding.cause(host.to_ascii_lowercase()));
            }
        }
        // A feed with such a host is reported already.
        if found.len() == first
            && let Some(finding) = origin.and_then(|origin| feed_of_external_host(view, origin))
            && !matches(&finding.1, &self.except)
        {
            found.push(finding.0);
        }
    }
}

/// The least number of entries of a feed by which its host is known. One may be a link to a namesake.
const MIN_ENTRIES: usize = 2;

/// Reports a feed of which most links have another host, and the paths of pages of this site: its generator had another
/// URL (haacked/haacked.com#1941). Returns that host, too.
fn feed_of_external_host(view: &FileView<'_>, origin: &str) -> Option<(RawFinding, String)> {
    let is_entry = |reference: &Reference| {
        let path = || Some(view.base.join(view.text_of(reference))?.path().to_owned());
        reference.kind == ReferenceKind::FeedLink && path().is_some_and(|path| path != "/")
    };
    let mut hosts: BTreeMap<String, (&Reference, usize)> = BTreeMap::new();
    let external = view.unusual().filter(|(_, reference, target)| {
        *target == Target::External && reference.kind == ReferenceKind::FeedLink
    });
    for (_, reference, _) in external {
        let Some(url) = view.base.join(view.text_of(reference)) else { continue };
        if let Some(host) = url.host_str().filter(|host| *host != origin)
            && is_file(view, url.path())
        {
            hosts.entry(host.to_owned()).or_insert((reference, 0)).1 += 1;
        }
    }
    let (host, (reference, count)) = hosts.into_iter().max_by_key(|(_, (_, count))| *count)?;
    let all = view.references().filter(|(any, _)| is_entry(any)).count();
    // Canonical links may say that the pages here are copies.
    let is_original = view.site.settings.canonical_host.as_ref() == Some(&host);
    if count < MIN_ENTRIES || count * 2 <= all || is_original {
        return None;
    }
    let message = format!(
        "external host: {count} links of this feed name `{}`, but have paths of pages of this site",
        shorten(&host)
    );
    let help = "set the site's URL in the configuration of the feed";
    let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message);
    Some((finding.cause(host.clone()).help(help), host))
}

/// Whether a path of another host is that of a file here, but not of the home page, which every site has.
fn is_file(view: &FileView<'_>, path: &str) -> bool {
    let here = view.site.settings.base_path.trim_end_matches('/').to_owned() + path;
    let target = view.site.resolver.resolve(&view.site.resolver.root(), &here, &mut Vec::new());
    path != "/" && matches!(target, Target::File { .. })
}

/// Returns whether a link names the site by another of its hosts: with `www.` instead of without, or by the domain that
/// its platform assigned before it had its own. There, other sites have other paths, so the path must be a file here.
fn is_old_host(view: &FileView<'_>, reference: &Reference, host: &str, origin: &str) -> bool {
    if !matches!(reference.kind.role(), Role::Navigate | Role::Load)
        && reference.kind != ReferenceKind::FeedLink
    {
        return false;
    }
    let is_twin = host.strip_prefix("www.") == Some(origin) || origin.strip_prefix("www.") == Some(host);
    let address = || reference.value.and_then(|value| view.base.join(view.text(value)));
    // A repository at GitHub or GitLab is often named like the domain: `acme.github.io/acme.org/`.
    let project = |url: &Url| url.path_segments()?.next().filter(|name| *name == origin).map(str::len);
    let is_project = || address().is_some_and(|url| project(&url).is_some());
    let domains = || Host::ALL.into_iter().flat_map(|row| row.facts().domains);
    let is_assigned = || {
        domains().any(|domain| is_below(host, domain))
            && !domains().any(|domain| is_below(origin, domain))
            && (is_named_like(host, origin) || is_project())
    };
    let is_here = |url: Url| {
        let path = project(&url).map_or(url.path(), |length| &url.path()[1 + length..]);
        is_file(view, path)
    };
    is_twin || is_assigned() && address().is_some_and(is_here)
}

/// Whether a name that a platform assigned has the name of the site's domain in it: `acme-site.netlify.app` that of
/// `www.acme.org`.
fn is_named_like(host: &str, origin: &str) -> bool {
    let domain = registrable_domain(origin).unwrap_or(origin);
    let (name, label) = (domain.split('.').next(), host.split('.').next());
    name.zip(label).is_some_and(|(name, label)| label.split('-').any(|word| word == name))
}

/// Returns whether a service creates this host for a preview, a branch, a tunnel or a workspace.
pub(super) fn is_preview(host: &str) -> bool {
    if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return is_preview(&host.to_ascii_lowercase());
    }
    let dots = || memchr::memrchr_iter(b'.', host.as_bytes());
    let Some(at) = dots().nth(1) else { return false };
    let name = &host[..at];
    match &host[at + 1..] {
        // `deploy-preview-7--acme`, `branch--acme`.
        "netlify.app" | "netlify.com" => name.contains("--"),
        // `acme-git-branch-team`; the name of a single deployment could be a project's.
        "vercel.app" => name.contains("-git-"),
        // `3000-acme-site.ws-eu1`
        "gitpod.io" => name.contains(".ws-"),
        // `8c0a8b2f.acme`, `branch.acme`.
        "pages.dev" => name.contains('.'),
        "github.dev" | "githubpreview.dev" | "loca.lt" | "lhr.life" | "ngrok.app" | "ngrok.dev"
        | "ngrok.io" | "ngrok-free.app" | "ngrok-free.dev" | "serveo.net" | "trycloudflare.com" => {
            name != "www"
        }
        _ => false,
    }
}

/// Returns whether a subdomain is named like a staging server.
pub(super) fn is_staging_name(host: &str) -> bool {
    let domain = memchr::memrchr_iter(b'.', host.as_bytes()).nth(1);
    domain.is_some_and(|domain| has_staging_label(&host[..domain]))
}

fn has_staging_label(labels: &str) -> bool {
    const NAMES: [&str; 6] = ["preprod", "preview", "stage", "staging", "stg", "uat"];
    labels.split(['.', '-']).any(|label| NAMES.iter().any(|name| label.eq_ignore_ascii_case(name)))
}

/// Returns whether a host is a staging server of the site at `origin`: a subdomain of its host, or of the domain that its
/// owner registered.
fn is_staging_of(host: &str, origin: &str) -> bool {
    let domains = [Some(origin.strip_prefix("www.").unwrap_or(origin)), registrable_domain(origin)];
    let mut domains = domains.into_iter().flatten();
    domains.any(|domain| is_below(host, domain) && has_staging_label(&host[..host.len() - domain.len()]))
}

#[cfg(test)]
mod tests {
    use super::{is_preview, is_staging_name, is_staging_of};

    #[test]
    fn distinguishes_previews_from_sites() {
        for preview in [
            "deploy-preview-7--acme.netlify.app",
            "acme-git-main-team.vercel.app",
            "8c0a8b2f.acme.pages.dev",
            "1a2b.ngrok-free.app",
        ] {
            assert!(is_preview(preview), "{preview}");
        }
        for site in
            ["acme.netlify.app", "acme.vercel.app", "acme.pages.dev", "ngrok.com", "www.ngrok.io.test"]
        {
            assert!(!is_preview(site), "{site}");
        }
        assert!(is_staging_of("staging.acme.test", "www.acme.test"));
        assert!(is_staging_of("www-staging.acme.test", "acme.test"));
        assert!(!is_staging_of("backstage.acme.test", "acme.test"));
        assert!(!is_staging_of("staging.other.test", "acme.test"));
        for (host, origin) in [
            ("staging.acme.org", "docs.acme.org"),
            ("docs-staging.acme.org", "docs.acme.org"),
            ("staging.acme.co.uk", "www.docs.acme.co.uk"),
            ("staging.acme.github.io", "docs.acme.github.io"),
        ] {
            assert!(is_staging_of(host, origin), "{host} {origin}");
        }
        for (host, origin) in [
            ("staging.github.io", "acme.github.io"),
            ("staging.pages.dev", "acme.pages.dev"),
            ("staging.netlify.app", "www.acme.netlify.app"),
            ("staging.other.github.io", "acme.github.io"),
            ("staging.co.uk", "acme.co.uk"),
            ("staging.org", "acme.org"),
            ("staging.com.au", "docs.acme.com.au"),
            ("acme.org", "staging.acme.org"),
            ("backstage.acme.org", "docs.acme.org"),
            ("preview.s3.eu-west-1.amazonaws.com", "acme.s3.eu-west-1.amazonaws.com"),
        ] {
            assert!(!is_staging_of(host, origin), "{host} {origin}");
        }
        assert!(is_staging_name("www.Staging.acme.test") && is_staging_name("acme-preview.host.test"));
        assert!(!is_staging_name("staging.test") && !is_staging_name("backstage.acme.test"));
    }
}
