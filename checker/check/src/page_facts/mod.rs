//! Collects page facts: what visitors, browsers and search engines get from each page, for reviews of a change.

mod assets;
mod attributes;
mod elements;
mod files;
mod head;
mod markup;
mod noise;
mod outline;
mod pass;
mod places;
mod reader;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use sitegate_review::{ContentHash, OtherFile, PageFacts, SiteFacts, Texts};

use crate::check::Error;
use crate::contract::Contract;
use crate::deployment::Deployment;
use crate::index::policies::HeaderPolicies;
use crate::index::site::Site;
use crate::resolve::address_forms::AddressForms;
use crate::resolve::live::LiveSite;
use crate::rules::size_budget::page_budgets;
use crate::walk::{FileId, Tree};
use assets::{PageLoads, keep_first};
use files::{below_root, file_facts, linked_addresses, robots_file, set_headers, sitemap_entries};
use head::allowed_crawlers;
use noise::VolatileNames;
use reader::{PageReader, ReadPage, SiteBuild};
use sitegate_host::redirects::Redirects;

/// Minimum number of pages that a thread reads with the same buffers.
const MIN_PAGES: usize = 16;

/// Collects the facts of an export.
///
/// # Errors
/// If the folder cannot be listed.
pub fn collect_export<'e>(
    export: impl Into<Export<'e>>,
    contract: &Contract,
    texts: &Texts,
) -> Result<SiteFacts, Error> {
    Ok(collect(&BuildFiles::open(export.into(), contract)?, contract, texts))
}

/// A folder with the files of an export.
#[derive(Clone, Copy, Debug)]
pub struct Export<'e> {
    /// The folder.
    pub root: &'e Path,
    /// Contents of files, by path, whose bytes are not in the folder.
    pub contents: Option<&'e HashMap<String, ContentHash>>,
}

impl<'e, P: AsRef<Path> + ?Sized> From<&'e P> for Export<'e> {
    fn from(root: &'e P) -> Export<'e> {
        Export { root: root.as_ref(), contents: None }
    }
}

/// Collects the facts of two exports, in less time than one by one: what their pages have in common is read once.
///
/// # Errors
/// If a folder cannot be listed.
pub fn collect_exports(
    exports: [Export<'_>; 2],
    contract: &Contract,
    texts: &Texts,
) -> Result<[SiteFacts; 2], Error> {
    let (old, new) = (BuildFiles::open(exports[0], contract)?, BuildFiles::open(exports[1], contract)?);
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
struct BuildFiles<'e> {
    tree: Tree,
    deployment: Deployment,
    live: Option<Arc<LiveSite>>,
    /// Contents of files whose bytes are not in the folder.
    stored: Option<&'e HashMap<String, ContentHash>>,
}

impl<'e> BuildFiles<'e> {
    fn new(tree: Tree, contract: &Contract, live: Option<Arc<LiveSite>>) -> BuildFiles<'e> {
        BuildFiles { deployment: Deployment::infer(&tree, contract), tree, live, stored: None }
    }

    fn open(export: Export<'e>, contract: &Contract) -> Result<BuildFiles<'e>, Error> {
        let tree = Tree::walk(export.root).map_err(Error::root(export.root))?;
        Ok(BuildFiles { stored: export.contents, ..BuildFiles::new(tree, contract, None) })
    }

    /// Prepares the build. Its facts have what could not be read.
    fn build<'s>(&'s self, contract: &'s Contract) -> (SiteBuild<'s>, SiteFacts) {
        let BuildFiles { tree, deployment, live, stored } = self;
        let mut unread = tree.unreadable.clone();
        let find = |name: &str| {
            let file = if live.is_none() { tree.find(name.as_bytes()) } else { None };
            file.map(|file| tree.disk_path(file))
        };
        let host = deployment.settings.host;
        let redirects = contract.read_redirects(find, host).unwrap_or_else(|error| {
            unread.push(error.to_string());
            Redirects::of_contract(&contract.redirects)
        });
        let site = Site::new(tree, contract, &deployment.settings, Arc::new(redirects));
        let site = site.with_live_site(live.clone());
        let headers = HeaderPolicies::read(&site, &mut unread);
        let files = file_facts(&site, *stored, &mut unread);
        let facts = SiteFacts {
            headers: set_headers(&site),
            is_partial: live.is_some(),
            adds_html: site.resolver.has_address_forms(),
            files,
            unread,
            ..SiteFacts::default()
        };
        let names = VolatileNames::of_files(&facts.files);
        (SiteBuild { site, headers, names }, facts)
    }
}

fn collect(source: &BuildFiles<'_>, contract: &Contract, texts: &Texts) -> SiteFacts {
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
        let matching = budgets.iter().filter(|(paths, _)| site.matches(paths, page));
        matching.map(|(_, bytes)| *bytes).min()
    };
    let mut loads = Vec::with_capacity(pages.len());
    let mut forms: HashMap<FileId, AddressForms> = HashMap::new();
    for (linked, form) in
        pages.iter().filter_map(|(_, page)| page.as_ref().ok()).flat_map(|(_, own)| &own.linked_forms)
    {
        forms.entry(*linked).or_default().insert(*form);
    }
    let robots = robots_file(site);
    for (file, page) in pages {
        match page {
            Ok((mut page, own)) => {
                let path = format!("{}{}", site.settings.base_path, page.address.trim_start_matches('/'));
                if site.hiding_header(file).is_some() {
                    page.crawlers = 0;
                }
                page.crawlers &= allowed_crawlers(|crawler| robots.allows(crawler, &path));
                let linked_as =
                    forms.get(&file).map_or_else(Vec::new, |used| linked_addresses(site, file, *used));
                facts.pages.push(PageFacts { budget: budget(file), linked_as, ..page });
                loads.push(own);
            }
            Err(error) => facts.unread.push(error.to_string()),
        }
    }
    add_assets(site, &mut facts, loads, texts);
    facts.sitemap = sitemap_entries(site, texts, &mut facts.unread);
    facts.redirects = redirect_facts(site);
    facts.pages.sort_by(|a, b| a.address.cmp(&b.address));
    // Of two pages with one address, the first counts. The other one is compared as a file.
    let mut others = Vec::new();
    facts.pages.dedup_by(|a, b| {
        let is_same = a.address == b.address;
        if is_same {
            others.push(OtherFile {
                path: format!("{} (2)", a.address).into(),
                address: None,
                content: Some(a.content),
            });
        }
        is_same
    });
    facts.files.extend(others);
    facts.files.sort_by(|a, b| a.path.cmp(&b.path));
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

/// Returns the redirects and rewrites for all readers: source, destination, status, and whether it comes before files.
fn redirect_facts(site: &Site<'_>) -> Vec<(Box<str>, Box<str>, u16, bool)> {
    let base = site.settings.base_path.as_str();
    let all = site.resolver.redirects().all.iter().filter(|redirect| !redirect.is_conditional());
    // A destination on this site is below its root, too.
    let to = |to: &str| if to.starts_with('/') { below_root(to, base) } else { to.into() };
    all.map(|redirect| (redirect.from.as_str().into(), to(&redirect.to), redirect.status, redirect.force))
        .collect()
}
