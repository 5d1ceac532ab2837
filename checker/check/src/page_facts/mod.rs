//! Collects page facts: what visitors, browsers and search engines get from each page, for reviews of a change.

mod addresses;
mod assets;
mod head;
mod pass;
mod places;
mod reader;
mod sitemaps;

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use sitegate_base::hashed_name::is_hashed;
use sitegate_review::{PageFacts, SiteFacts, Texts};

use crate::check::Error;
use crate::contract::Contract;
use crate::deployment::Deployment;
use crate::index::policies::HeaderPolicies;
use crate::index::site::Site;
use crate::parse::Format;
use crate::resolve::live::LiveSite;
use crate::resolve::redirects::Redirects;
use crate::rules::size_budget::page_budgets;
use crate::walk::{FileId, Tree};
use addresses::{address, below_root};
use assets::{PageLoads, keep_first};
use reader::{PageReader, ReadPage, SiteBuild};
use sitemaps::{disallowed, sitemap_entries};

/// Minimum number of pages that a thread reads with the same buffers.
const MIN_PAGES: usize = 16;

/// Collects the facts of an export.
///
/// # Errors
/// If the folder cannot be listed.
pub fn collect_export(root: &Path, contract: &Contract, texts: &Texts) -> Result<SiteFacts, Error> {
    let tree = Tree::walk(root).map_err(Error::root(root))?;
    Ok(collect(&BuildFiles::new(tree, contract, None), contract, texts))
}

/// Collects the facts of two exports, in less time than one by one: what their pages have in common is read once.
///
/// # Errors
/// If a folder cannot be listed.
pub fn collect_exports(
    roots: [&Path; 2],
    contract: &Contract,
    texts: &Texts,
) -> Result<[SiteFacts; 2], Error> {
    let open = |root: &Path| {
        let tree = Tree::walk(root).map_err(Error::root(root))?;
        Ok::<_, Error>(BuildFiles::new(tree, contract, None))
    };
    let (old, new) = (open(roots[0])?, open(roots[1])?);
    let ((old_build, old_facts), (new_build, new_facts)) = (old.build(contract), new.build(contract));
    let builds = [old_build, new_build];
    let trees = [builds[0].site.tree, builds[1].site.tree];
    let by_path = |page: FileId| (trees[0].find(trees[1].path(page)), Some(page));
    let mut pairs: Vec<_> = builds[1].site.pages().map(by_path).collect();
    let lost = builds[0].site.pages().filter(|page| trees[1].find(trees[0].path(*page)).is_none());
    pairs.extend(lost.map(|page| (Some(page), None)));
    let read = |reader: &mut PageReader<'_>, pair: &(Option<FileId>, Option<FileId>)| match *pair {
        (Some(base), Some(page)) => {
            let [old_page, new_page] = reader.read_both(&builds, [base, page]);
            [Some((base, old_page)), Some((page, new_page))]
        }
        (base, page) => [(base, &builds[0]), (page, &builds[1])]
            .map(|(file, build)| file.map(|file| (file, reader.read(build, file)))),
    };
    let pages = pairs.par_iter().with_min_len(MIN_PAGES).map_init(|| PageReader::new(texts), read);
    let (mut old_pages, mut new_pages) = (Vec::new(), Vec::new());
    for [old_page, new_page] in pages.collect::<Vec<_>>() {
        old_pages.extend(old_page);
        new_pages.extend(new_page);
    }
    // Like those of one export, which decides which of two pages with one address counts.
    old_pages.sort_unstable_by_key(|(file, _)| *file);
    let old_facts = complete(&builds[0], old_facts, old_pages, texts);
    let new_facts = complete(&builds[1], new_facts, new_pages, texts);
    Ok([old_facts, new_facts])
}

/// Collects the facts of a fetched live site.
pub fn collect_live(live: &Arc<LiveSite>, contract: &Contract, texts: &Texts) -> SiteFacts {
    let mut facts = collect(&BuildFiles::new(live.tree(), contract, Some(Arc::clone(live))), contract, texts);
    facts.unread.extend(live.unreadable.iter().cloned());
    facts
}

/// The files of one build.
struct BuildFiles {
    tree: Tree,
    deployment: Deployment,
    live: Option<Arc<LiveSite>>,
}

impl BuildFiles {
    fn new(tree: Tree, contract: &Contract, live: Option<Arc<LiveSite>>) -> BuildFiles {
        BuildFiles { deployment: Deployment::infer(&tree, contract), tree, live }
    }

    /// Prepares the build. Its facts have what could not be read.
    fn build<'s>(&'s self, contract: &'s Contract) -> (SiteBuild<'s>, SiteFacts) {
        let BuildFiles { tree, deployment, live } = self;
        let mut unread = tree.unreadable.clone();
        let find = |name: &str| {
            let file = if live.is_none() { tree.find(name.as_bytes()) } else { None };
            file.map(|file| tree.disk_path(file))
        };
        let host = deployment.settings.host;
        let redirects = Redirects::of_site(find, host, contract).unwrap_or_else(|error| {
            unread.push(error.to_string());
            Redirects::of_contract(&contract.redirects)
        });
        let site = Site::new(tree, contract, &deployment.settings, Arc::new(redirects));
        let site = site.with_live_site(live.clone());
        let headers = HeaderPolicies::read(&site, &mut unread);
        (SiteBuild { site, headers }, SiteFacts { unread, ..SiteFacts::default() })
    }
}

fn collect(source: &BuildFiles, contract: &Contract, texts: &Texts) -> SiteFacts {
    let (build, facts) = source.build(contract);
    let pages: Vec<FileId> = build.site.pages().collect();
    let read = |reader: &mut PageReader<'_>, page: &FileId| (*page, reader.read(&build, *page));
    let pages = pages.par_iter().with_min_len(MIN_PAGES).map_init(|| PageReader::new(texts), read);
    complete(&build, facts, pages.collect(), texts)
}

/// Adds the facts of the pages, and those of other files.
fn complete(
    build: &SiteBuild<'_>,
    mut facts: SiteFacts,
    pages: Vec<(FileId, ReadPage)>,
    texts: &Texts,
) -> SiteFacts {
    let site = &build.site;
    let budgets = page_budgets(site.contract);
    let budget = |page: FileId| {
        let matching = budgets.iter().filter(|(paths, _)| paths.contain(site.tree.path(page)));
        matching.map(|(_, bytes)| *bytes).min()
    };
    let mut loads = Vec::with_capacity(pages.len());
    for (file, page) in pages {
        match page {
            Ok((page, own)) => {
                facts.pages.push(PageFacts { budget: budget(file), ..page });
                loads.push(own);
            }
            Err(error) => facts.unread.push(error.to_string()),
        }
    }
    add_assets(site, &mut facts, loads, texts);
    facts.sitemap = sitemap_entries(site, texts, &mut facts.unread);
    let disallowed = disallowed(site);
    for page in &mut facts.pages {
        page.is_indexable &= !disallowed.contains(&page.address);
    }
    facts.files = other_files(site);
    facts.redirects = http_redirects(site);
    facts.pages.sort_by(|a, b| a.address.cmp(&b.address));
    facts.pages.dedup_by(|a, b| a.address == b.address);
    facts
}

fn add_assets(site: &Site<'_>, facts: &mut SiteFacts, mut loads: Vec<PageLoads>, texts: &Texts) {
    let mut found = assets::read_assets(site, &loads, texts);
    for (page, own) in facts.pages.iter_mut().zip(&mut loads) {
        page.assets = own.files.iter().map(|file| found.index[file]).collect();
        page.assets.sort_unstable();
        let styles = page.assets.iter().filter_map(|asset| found.hosts.get(asset)).flatten();
        page.hosts.extend(styles.copied());
        keep_first(&mut page.hosts);
    }
    facts.assets = std::mem::take(&mut found.assets);
}

/// Returns the addresses of files that people may link to: no pages, code, fonts or hashed names.
fn other_files(site: &Site<'_>) -> Vec<Box<str>> {
    const CODE: [&str; 11] =
        ["js", "mjs", "css", "map", "json", "woff", "woff2", "ttf", "otf", "wasm", "inv"];
    let is_listed = |path: &str| {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_hidden = path.split('/').any(|name| name.starts_with(['_', '.']));
        !CODE.contains(&extension) && !is_hidden && !is_hashed(path)
    };
    let files = site.tree.ids().filter(|file| site.format(*file) != Format::Html);
    let files = files.filter(|file| std::str::from_utf8(site.tree.path(*file)).is_ok_and(is_listed));
    let mut addresses: Vec<Box<str>> = files.map(|file| address(site, file)).collect();
    addresses.sort_unstable();
    addresses
}

fn http_redirects(site: &Site<'_>) -> Vec<(Box<str>, Box<str>)> {
    let base = site.settings.base_path.as_str();
    let all = site.resolver.redirects().all.iter().filter(|redirect| redirect.is_http_redirect());
    // A destination on this site is below its root, too.
    let to = |to: &str| if to.starts_with('/') { below_root(to, base) } else { to.into() };
    all.map(|redirect| (redirect.from.as_str().into(), to(&redirect.to))).collect()
}
