//! `staging-host`: a URL of a preview or staging server.

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::host_name::{host_matches, is_below};
use sitegate_base::public_suffix::registrable_domain;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "staging-host",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "a reference points to a preview or staging server",
    why: "It works for the site's authors; for others it is gone, or behind a password. Detected: previews of \
          Netlify, Vercel and Cloudflare Pages, tunnels such as ngrok, cloud workspaces, and hosts such \
          as `staging.` below the site's host or its domain: for docs.example.org, staging.example.org. `hosts` adds hosts; `*.` matches any subdomain. `except` removes hosts.",
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
        let origin = view.site.settings.origin.as_ref().and_then(url::Url::host_str);
        let matches = |host: &str, patterns: &[String]| patterns.iter().any(|p| host_matches(host, p));
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
            if is_staging && !matches(host, &self.except) {
                let location = Location::in_file(view.file, reference.span.clone());
                let message = format!("staging host: `{}` is a preview or staging server", shorten(host));
                found.push(RawFinding::reference(&INFO, location, message).cause(host.to_ascii_lowercase()));
            }
        }
    }
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
