//! Infers the host of a site from its origin's domain and from the files that hosts read.

use std::path::{Path, PathBuf};

use url::Url;

use super::sample::Sample;
use crate::contract::{Host, SiteSettings};
use crate::generator::OUTPUT_FOLDERS;
use crate::resolve::answer::HostProfile;
use crate::walk::Tree;
use sitegate_base::host_name::is_below;

/// Domains that hosts assign to sites.
const DOMAINS: [(&str, Host); 8] = [
    ("github.io", Host::GithubPages),
    ("gitlab.io", Host::GitlabPages),
    ("netlify.app", Host::Netlify),
    ("pages.dev", Host::CloudflarePages),
    ("vercel.app", Host::Vercel),
    ("web.app", Host::Firebase),
    ("firebaseapp.com", Host::Firebase),
    ("azurestaticapps.net", Host::AzureStaticWebApps),
];

/// Files in the export that only some hosts read.
const FILES: [(&str, &[Host]); 7] = [
    ("CNAME", &[Host::GithubPages]),
    ("_redirects", &[Host::Netlify, Host::CloudflarePages, Host::GitlabPages]),
    ("_headers", &[Host::Netlify, Host::CloudflarePages]),
    ("_routes.json", &[Host::CloudflarePages]),
    ("_worker.js", &[Host::CloudflarePages]),
    ("staticwebapp.config.json", &[Host::AzureStaticWebApps]),
    (".htaccess", &[Host::Apache]),
];

/// Files that hosts read from the export or from the project's folder.
const PROJECT_FILES: [(&str, &[Host]); 3] = [
    ("netlify.toml", &[Host::Netlify]),
    ("vercel.json", &[Host::Vercel]),
    ("firebase.json", &[Host::Firebase]),
];

/// Returns the host that assigns the domain of an origin.
pub fn host_of_domain(origin: &Url) -> Option<Host> {
    domain_of(origin).map(|(_, host)| host)
}

fn domain_of(origin: &Url) -> Option<(&'static str, Host)> {
    let name = origin.host_str()?;
    DOMAINS.into_iter().find(|(domain, _)| is_below(name, domain))
}

/// Returns the only host that matches all evidence, and the evidence. `.nojekyll` only confirms a host: generators
/// write it for any host.
pub(super) fn infer_host(sample: &Sample, origin: Option<&Url>, tree: &Tree) -> Option<(Host, String)> {
    let domain = origin.and_then(domain_of);
    let project = project_folder(tree.root());
    let in_project = |name: &str| {
        tree.find(name.as_bytes()).is_some()
            || project.as_ref().is_some_and(|folder| folder.join(name).is_file())
    };
    let has = |name: &str| match name {
        "CNAME" => sample.cname.is_some(),
        _ => tree.find(name.as_bytes()).is_some(),
    };
    let mut evidence: Vec<String> = Vec::new();
    let mut fitting = Host::ALL.to_vec();
    let mut narrow = |reason: String, hosts: &[Host]| {
        fitting.retain(|host| hosts.contains(host));
        evidence.push(reason);
    };
    if let Some((domain, host)) = domain {
        narrow(format!("the origin is on {domain}"), &[host]);
    }
    for (name, hosts) in FILES.iter().filter(|(name, _)| has(name)) {
        narrow((*name).to_owned(), hosts);
    }
    for (name, hosts) in PROJECT_FILES.iter().filter(|(name, _)| in_project(name)) {
        narrow((*name).to_owned(), hosts);
    }
    let [host] = fitting[..] else { return None };
    if host == Host::GithubPages && has(".nojekyll") {
        evidence.push(".nojekyll".to_owned());
    }
    Some((host, evidence.join(", ")))
}

/// Returns the project's folder if the export is in a usual output folder.
fn project_folder(root: &Path) -> Option<PathBuf> {
    let root = std::fs::canonicalize(root).ok()?;
    let output = OUTPUT_FOLDERS.iter().find(|folder| root.ends_with(folder))?;
    root.ancestors().nth(output.split('/').count()).map(Path::to_path_buf)
}

/// Whether a host serves `page.html` at `/page`.
pub(super) fn adds_html(host: Host) -> bool {
    HostProfile::of(&SiteSettings { host: Some(host), ..SiteSettings::default() }).adds_html()
}

/// Whether a host redirects `/dir` to `/dir/`.
pub(super) fn adds_slash(host: Host) -> bool {
    HostProfile::of(&SiteSettings { host: Some(host), ..SiteSettings::default() }).redirects_folders()
}
