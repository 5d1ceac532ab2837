//! Infers how a host serves a site: the host, by its domain and its files; whether pages have addresses without `.html`;
//! and whether addresses of folders end without a slash.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sitegate_address::percent::decode_path;
use sitegate_address::{AddressText, SitePath, UrlReference};
use sitegate_base::host_name::is_below;
use sitegate_base::plural::count;
use sitegate_host::answer::HostProfile;
use sitegate_host::{HOSTS, Host, HostFacts, TrailingSlash};
use url::Url;

use super::links::OwnLinks;
use super::sample::Sample;
use super::statements::{Statement, Statements, find_file};
use crate::contract::{Contract, SiteSettings};
use crate::generator::{GENERATORS, OUTPUT_FOLDERS};
use crate::parse::{Format, Role};
use crate::walk::{FileId, Tree};

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

/// Returns the name and the content of a host's configuration file: in the export, else the one that the contract names,
/// else in the project's folder.
pub(super) fn config_file(host: Host, contract: &Contract, tree: &Tree) -> Option<(&'static str, Vec<u8>)> {
    let file = host.facts().config_file?;
    if let Some(own) = tree.find(file.name.as_bytes()) {
        return Some((file.name, std::fs::read(tree.disk_path(own)).ok()?));
    }
    if let Some(named) = contract.host_config.as_ref().filter(|named| named.host == host) {
        return Some((file.name, named.content.clone()));
    }
    let folder = project_folder(tree.root()).filter(|_| file.is_in_project)?;
    Some((file.name, std::fs::read(folder.join(file.name)).ok()?))
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

/// Returns the evidence if pages are linked without `.html`, and none with it.
pub(super) fn clean_urls_evidence(links: &OwnLinks, base_path: &str, tree: &Tree) -> Option<String> {
    let mut clean: BTreeSet<FileId> = BTreeSet::new();
    for path in links.local_paths(base_path) {
        let has_extension = tree.find(path).is_some_and(|file| Format::of(tree.path(file)) == Format::Html);
        if has_extension && !SitePath::new(path).is_index() {
            return None;
        }
        let is_folder = tree.index_of(path).is_some();
        if !has_extension && !is_folder && !path.ends_with(b"/") {
            clean.extend(tree.find(&[path, b".html"].concat()));
        }
    }
    let mut folders = GENERATORS.iter().filter_map(|generator| generator.clean_urls_folder);
    let enough = if folders.any(|folder| tree.is_folder(folder.as_bytes())) { 1 } else { 2 };
    let pages = count(clean.len(), "page");
    (clean.len() >= enough).then(|| match clean.len() {
        1 => format!("{pages} is linked without .html, and none with it"),
        _ => format!("{pages} are linked without .html, and none with it"),
    })
}

/// Returns the evidence if canonical links of folders have no trailing slash.
/// Returns `None` if that would break a link that is relative to a folder.
pub(super) fn no_slash_evidence(
    statements: &Statements,
    sample: &Sample,
    settings: &SiteSettings,
    tree: &Tree,
) -> Option<String> {
    let origin = settings.origin.as_ref()?;
    let is_folder = |statement: &&Statement| {
        statement.page.is_some_and(|page| index_folder(tree.path(page)).is_some())
            && statement
                .path
                .strip_prefix(settings.base_path.trim_start_matches('/').as_bytes())
                .is_some_and(|path| find_file(path, tree) == statement.page)
    };
    let (mut bare, mut slashed) = (0, 0);
    for statement in statements.canonicals(origin).filter(is_folder) {
        match &statement.path {
            path if path.ends_with(b"/") => slashed += 1,
            path if index_folder(&**path).is_some() => {}
            _ => bare += 1,
        }
    }
    let all_bare = bare > 0 && slashed == 0;
    (all_bare && resolves_without_slash(sample, tree))
        .then(|| format!("canonical links of {} end without it", count(bare, "index page")))
}

/// Returns the folder of an index document other than that of the root, without `/` at its end.
fn index_folder<T: AddressText + ?Sized>(path: &T) -> Option<&T> {
    let path = SitePath::new(path);
    path.parent().filter(|_| path.is_index())
}

/// Whether all relative links of index pages that resolve with the slash also resolve without it.
fn resolves_without_slash(sample: &Sample, tree: &Tree) -> bool {
    sample.pages.iter().filter(|(_, facts)| facts.base.is_none()).all(|(file, facts)| {
        let page = tree.display(*file);
        let Some(folder) = index_folder(&*page) else { return true };
        let document = |path: &str| {
            let mut url = Url::parse("http://sitegate.invalid/").ok()?;
            url.set_path(path);
            Some(url)
        };
        let (Some(slashed), Some(bare)) = (document(&format!("{folder}/")), document(folder)) else {
            return true;
        };
        let resolves = |base: &Url, text: &str| {
            let mut path = Vec::new();
            base.join(text).is_ok_and(|url| {
                decode_path(url.path(), &mut path);
                find_file(&path, tree).is_some()
            })
        };
        let texts = facts.references.iter().filter(|r| matches!(r.kind.role(), Role::Navigate | Role::Load));
        let relative = texts.filter_map(|r| Some(facts.text(r.value?).trim())).filter(|text| {
            let path = UrlReference::new(*text).path();
            !path.is_empty() && !path.starts_with('/') && Url::parse(text).is_err()
        });
        relative.into_iter().all(|text| !resolves(&slashed, text) || resolves(&bare, text))
    })
}
