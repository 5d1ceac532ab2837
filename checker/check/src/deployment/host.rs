//! Infers the host of a site from its origin's domain and from the files that hosts read.

use std::path::{Path, PathBuf};

use url::Url;

use super::sample::Sample;
use crate::generator::OUTPUT_FOLDERS;
use crate::walk::Tree;
use sitegate_base::host_name::is_below;
use sitegate_host::answer::HostProfile;
use sitegate_host::{HOSTS, Host, HostFacts, TrailingSlash};

/// Returns the host that assigns the domain of an origin.
pub fn host_of_domain(origin: &Url) -> Option<Host> {
    domain_of(origin).map(|(_, host)| host)
}

fn domain_of(origin: &Url) -> Option<(&'static str, Host)> {
    let name = origin.host_str()?;
    let mut domains = HOSTS.iter().flat_map(|row| row.domains.iter().map(|domain| (*domain, row.host)));
    domains.find(|(domain, _)| is_below(name, domain))
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
    if let Some((domain, host)) = domain {
        fitting.retain(|fitting| *fitting == host);
        evidence.push(format!("the origin is on {domain}"));
    }
    let of_export = HOSTS.iter().flat_map(HostFacts::files_of_export).filter(|name| has(name));
    let config_files = HOSTS.iter().filter_map(|row| row.config_file);
    let of_project = config_files.filter(|file| file.is_in_project).map(|file| file.name);
    for name in of_export.chain(of_project.filter(|name| in_project(name))) {
        if !evidence.iter().any(|known| known == name) {
            fitting.retain(|host| host.facts().reads(name));
            evidence.push(name.to_owned());
        }
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
    HostProfile::new(Some(host), TrailingSlash::default(), None).adds_html()
}

/// Whether a host redirects `/dir` to `/dir/`.
pub(super) fn adds_slash(host: Host) -> bool {
    HostProfile::new(Some(host), TrailingSlash::default(), None).redirects_folders()
}
