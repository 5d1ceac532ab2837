//! Proposes redirects for addresses that the site must keep and has lost.
//!
//! The evidence is, in this order: earlier redirects, pages with the same content, renames of sources, addresses that
//! differ only in form, and pages with the same title, anchors or name. A proposal is certain only if no other page could
//! be meant; every destination is a page or file of the export.

mod anchors;
mod content;
mod patterns;
mod redirects_source;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::Serialize;
use sitegate_base::plural::count;
use sitegate_inventory::{AnchorSet, AnswerKind, Inventory, InventoryAddress};

use crate::check::{CheckTarget, Checker, Error};
use crate::contract::Contract;
use crate::index::site::Site;
use crate::parse::Format;
use crate::report::result::CheckResult;
use crate::resolve::Target;
use crate::resolve::answer::INDEX;
use crate::resolve::inventories::FetchedInventories;
use crate::resolve::path::escape_path;
use crate::resolve::suggestion::Suggestion;
use crate::rules::permalinks::kept_addresses;
use crate::source_map::{SourceHistory, SourceRename, moved_pages};
use crate::walk::{FileId, StoredFile, Tree};
use anchors::SharedAnchors;
use content::{Contents, Similar, read_contents};
pub use redirects_source::redirects_source;

/// The least similarity of a renamed source, in per cent, for which its page is certain.
const CERTAIN_SIMILARITY: u8 = 80;

/// What is known of the site before the change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before<'b> {
    /// The earlier export. All its addresses must be kept.
    pub export: Option<&'b Path>,
    /// The earlier sources.
    pub sources: Option<&'b SourceHistory>,
}

/// The redirects that a site needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RedirectProposals {
    /// Number of addresses to keep.
    pub addresses: usize,
    /// Number of lost addresses.
    pub lost: usize,
    /// The redirects, in the order of `from`. Patterns have replaced redirects of single addresses.
    pub redirects: Vec<RedirectProposal>,
    /// Lost addresses without a proposal: decoded paths, in order.
    pub unexplained: Vec<String>,
    /// Anchors that pages have lost, and where they are now.
    pub anchors: Vec<MovedAnchor>,
}

/// A proposed redirect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RedirectProposal {
    /// The lost address: a decoded path, or a pattern that ends in `*`.
    pub from: String,
    /// The destination: a decoded path; `:splat` is the rest of the address.
    pub to: String,
    /// Whether another page could be meant.
    pub certainty: Certainty,
    /// The evidence, as a part of a sentence.
    pub reason: String,
    /// The redirects of single addresses that a pattern replaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<RedirectProposal>,
}

impl RedirectProposal {
    /// Returns the redirects of single addresses.
    pub fn singles(&self) -> &[RedirectProposal] {
        if self.replaces.is_empty() { std::slice::from_ref(self) } else { &self.replaces }
    }

    /// Whether no other page can be meant.
    pub fn is_certain(&self) -> bool {
        self.certainty == Certainty::Certain
    }
}

/// How certain a proposal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// No other page can be meant.
    Certain,
    /// The most likely page.
    Candidate,
}

/// A lost anchor, and the present anchor that is most similar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MovedAnchor {
    /// The lost address: a decoded path and the anchor.
    pub from: String,
    /// The similar one; `None` if there is none.
    pub to: Option<String>,
}

/// A page of the present export.
struct PresentPage<'i> {
    file: FileId,
    /// Its decoded path.
    path: &'i str,
    address: &'i InventoryAddress,
}

/// A lost address.
struct LostAddress<'i> {
    path: &'i str,
    address: &'i InventoryAddress,
    /// Its file in the earlier export.
    file: Option<FileId>,
}

/// The contents of both exports, with the indexes of the earlier pages.
struct ComparedContents {
    contents: Contents,
    old: HashMap<FileId, usize>,
}

/// All evidence for proposals.
struct Evidence<'i> {
    site: &'i Site<'i>,
    pages: &'i [PresentPage<'i>],
    page_of_file: HashMap<FileId, usize>,
    old: &'i Inventory,
    contents: Option<ComparedContents>,
    renames: HashMap<FileId, (FileId, &'i SourceRename)>,
    shared_anchors: SharedAnchors<'i>,
    /// The files that are not pages, by their size; filled if the earlier export is known.
    files: Option<FilesBySize<'i>>,
}

struct FilesBySize<'i> {
    old: &'i Tree,
    by_size: HashMap<u64, Vec<FileId>>,
}

/// Compares the addresses to keep with an export, and proposes a redirect for each that is lost.
///
/// # Errors
/// As [`Checker::check`].
pub fn propose_redirects(
    export: &Path,
    mut contract: Contract,
    fetched: &FetchedInventories,
    before: Before<'_>,
) -> Result<RedirectProposals, Error> {
    contract.inventory.anchors = AnchorSet::All;
    // The redirects of the contract are those of the present site.
    let redirects = std::mem::take(&mut contract.redirects);
    let old_export = before.export.map(|root| list_addresses(root, &contract, fetched)).transpose()?;
    contract.redirects = redirects;
    let (result, present) = list_addresses(export, &contract, fetched)?;
    let inventories = Checker::with_inventories(&contract, fetched)?.into_inventories();
    let settings = &result.deployment.settings;
    let site = Site::new(&result.tree, &contract, settings, result.redirects.clone());
    let site = site.with_inventories(&inventories);

    let mut old = Inventory::new(None, AnchorSet::Listed);
    let kept = kept_addresses(&site).map(|kept| (kept.path, kept.address));
    let exported = old_export.iter().flat_map(|(_, inventory)| inventory.iter());
    for (path, address) in kept.chain(exported.filter(|(path, address)| !address.is_pattern(path))) {
        // An inventory that is too large was refused when it was read.
        if old.add(path, address.clone()).is_err() {
            break;
        }
    }
    let old_tree = match &old_export {
        Some((earlier, _)) => earlier.tree.clone(),
        None => old_tree(&old, &settings.base_path).into(),
    };
    let lost = lost_addresses(&site, &old, &old_tree);
    let pages = present_pages(&site, &present);
    let evidence = Evidence::collect(&site, &pages, &old, (&old_tree, &lost), before);
    let mut proposals = RedirectProposals { addresses: old.len(), lost: lost.len(), ..Default::default() };
    for address in &lost {
        match evidence.propose_once(address) {
            Some((to, certainty, reason)) => proposals.redirects.push(RedirectProposal {
                from: address.path.to_owned(),
                to,
                certainty,
                reason,
                replaces: Vec::new(),
            }),
            None => proposals.unexplained.push(address.path.to_owned()),
        }
    }
    let was_all =
        |folder: &str, count| old.below(folder).count() == count && present.below(folder).next().is_none();
    proposals.redirects = patterns::join_to_patterns(&proposals.redirects, was_all);
    proposals.anchors = anchors::moved_anchors(&site, &old, &pages, &present);
    Ok(proposals)
}

/// Checks an export for its addresses.
fn list_addresses(
    root: &Path,
    contract: &Contract,
    fetched: &FetchedInventories,
) -> Result<(CheckResult, Inventory), Error> {
    let checker = Checker::with_inventories(contract, fetched)?.inventory(true);
    let mut result = checker.run(CheckTarget::Export(root))?;
    let inventory = result.inventory.take().unwrap_or_default();
    Ok((result, inventory))
}

/// Returns the files that the addresses of an inventory had, by the usual names.
fn old_tree(old: &Inventory, base_path: &str) -> Tree {
    let mut files: BTreeMap<Box<[u8]>, StoredFile> = BTreeMap::new();
    for (path, address) in
        old.iter().filter(|(_, address)| !matches!(address.kind, AnswerKind::Redirect { .. }))
    {
        let Some(below) = path.strip_prefix(base_path) else { continue };
        let is_page = address.kind == AnswerKind::Page;
        let name = match below {
            _ if below.is_empty() || below.ends_with('/') => format!("{below}{INDEX}"),
            _ if is_page && !below.ends_with(".html") => format!("{below}.html"),
            _ => below.to_owned(),
        };
        files.insert(name.into_bytes().into(), StoredFile { file: "".into(), is_whole: false });
    }
    Tree::fetched("", files)
}

/// Returns the earlier addresses that do not exist, without those that may be gone.
fn lost_addresses<'i>(site: &Site<'_>, old: &'i Inventory, old_tree: &Tree) -> Vec<LostAddress<'i>> {
    let base_path = &site.settings.base_path;
    let find = |path: &str| {
        let below = path.strip_prefix(base_path.as_str())?;
        let index = if below.is_empty() || below.ends_with('/') { "" } else { "/" };
        let names = [below.to_owned(), format!("{below}{index}{INDEX}"), format!("{below}.html")];
        names.iter().find_map(|name| old_tree.find(name.as_bytes()))
    };
    let is_lost = |path: &str| {
        let target = site.resolver.resolve(&site.resolver.root(), &escape_path(path), &mut Vec::new());
        matches!(target, Target::Missing(_)) && !site.may_be_gone(path)
    };
    let lost = old.iter().filter(|(path, _)| path.starts_with(base_path) && is_lost(path));
    lost.map(|(path, address)| LostAddress { path, address, file: find(path) }).collect()
}

/// Returns the pages of the export, without redirects.
fn present_pages<'i>(site: &Site<'_>, present: &'i Inventory) -> Vec<PresentPage<'i>> {
    let pages = present.iter().filter(|(_, address)| address.kind == AnswerKind::Page);
    let pages = pages.filter_map(|(path, address)| {
        let target = site.resolver.resolve(&site.resolver.root(), &escape_path(path), &mut Vec::new());
        match target {
            Target::File { file, .. } if site.format(file) == Format::Html => {
                Some(PresentPage { file, path, address })
            }
            _ => None,
        }
    });
    pages.collect()
}

impl<'i> Evidence<'i> {
    fn collect(
        site: &'i Site<'i>,
        pages: &'i [PresentPage<'i>],
        old: &'i Inventory,
        (old_tree, lost): (&'i Tree, &[LostAddress<'_>]),
        before: Before<'i>,
    ) -> Evidence<'i> {
        let page_of_file = pages.iter().enumerate().map(|(number, page)| (page.file, number)).collect();
        let mut evidence = Evidence {
            site,
            pages,
            page_of_file,
            old,
            contents: None,
            renames: HashMap::new(),
            shared_anchors: SharedAnchors::new(pages),
            files: None,
        };
        if lost.is_empty() {
            return evidence;
        }
        if before.export.is_some() {
            let old_files: Vec<FileId> =
                old_tree.ids().filter(|file| Format::of(old_tree.path(*file)) == Format::Html).collect();
            let new_files: Vec<FileId> = pages.iter().map(|page| page.file).collect();
            let contents =
                Contents::new(read_contents(old_tree, &old_files), read_contents(site.tree, &new_files));
            let indexes = old_files.into_iter().enumerate().map(|(number, file)| (file, number)).collect();
            evidence.contents = Some(ComparedContents { contents, old: indexes });
            evidence.files = Some(FilesBySize::list(site, old_tree));
        }
        if let Some(history) = before.sources {
            let moved = moved_pages(history, &site.contract.source_files, old_tree, site.tree);
            evidence.renames =
                moved.into_iter().map(|moved| (moved.from, (moved.to, moved.rename))).collect();
        }
        evidence
    }

    /// Returns the destination for a lost address, with the evidence. It is not certain if a redirect of the address must
    /// be changed.
    fn propose_once(&self, lost: &LostAddress<'_>) -> Option<(String, Certainty, String)> {
        let proposal = self.propose(lost)?;
        let below = lost.path.strip_prefix(&self.site.settings.base_path).unwrap_or(lost.path);
        let redirect = self.site.resolver.redirects().find(&format!("/{below}"));
        Some(match redirect.filter(|(redirect, _)| redirect.is_http_redirect()) {
            Some((_, to)) => {
                let reason = format!("{}; change its redirect to {to}, which does not exist", proposal.2);
                (proposal.0, Certainty::Candidate, reason)
            }
            None => proposal,
        })
    }

    /// Returns the destination for a lost address, with the evidence.
    fn propose(&self, lost: &LostAddress<'_>) -> Option<(String, Certainty, String)> {
        use Certainty::{Candidate, Certain};
        let to_page = |page: usize| self.pages[page].path.to_owned();
        match &lost.address.kind {
            AnswerKind::Redirect { to, .. } => {
                let target = self.site.resolver.resolve(&self.site.resolver.root(), to, &mut Vec::new());
                if let Target::File { .. } | Target::External = target {
                    return Some((to.to_string(), Certain, "the site redirected it there before".to_owned()));
                }
            }
            AnswerKind::File => {
                if let Some(file) = self.files.as_ref().and_then(|files| files.same_file(lost, self.site)) {
                    let path = self.site.resolver.served_path(&self.site.tree.display(file));
                    return Some((path, Certain, "the same file".to_owned()));
                }
            }
            AnswerKind::Page => {}
        }
        let compared = self.contents.as_ref().zip(lost.file);
        let compared =
            compared.and_then(|(compared, file)| Some((&compared.contents, *compared.old.get(&file)?)));
        let similar =
            compared.and_then(|(contents, old)| contents.most_similar(old, |page| self.is_new(page)));
        let same_title = compared.and_then(|(contents, old)| contents.same_title(old));
        let renamed = lost.file.and_then(|file| self.renames.get(&file));
        let renamed = renamed.and_then(|(file, rename)| Some((*self.page_of_file.get(file)?, *rename)));
        if let Some((page, rename)) = renamed {
            let reason = format!("{} was renamed to {}", rename.from, rename.to);
            let agrees = similar.is_some_and(|similar| similar.page == page);
            let contradicts = similar.is_some_and(|similar| similar.page != page)
                || self.shared_anchors.contradict(lost.address, page);
            let is_certain = !contradicts && (agrees || rename.similarity >= CERTAIN_SIMILARITY);
            return Some((to_page(page), if is_certain { Certain } else { Candidate }, reason));
        }
        match similar {
            Some(Similar { page, is_same: true, .. }) => {
                return Some((to_page(page), Certain, "the same content".to_owned()));
            }
            Some(Similar { page, share, .. }) => {
                let per_cent = (share * 100.0) as u32;
                return Some((to_page(page), Candidate, format!("{per_cent} % of its text is there")));
            }
            None => {}
        }
        if let Some((page, is_certain)) = self.same_form(lost.path) {
            let certainty = if is_certain { Certain } else { Candidate };
            let reason =
                if is_certain { "only the form of the address differs" } else { "a similar address" };
            return Some((to_page(page), certainty, reason.to_owned()));
        }
        if let Some(page) = same_title {
            return Some((to_page(page), Candidate, "the same title".to_owned()));
        }
        let (page, shared) = self.shared_anchors.best(lost.address)?;
        let all = count(lost.address.anchors().len(), "anchor");
        Some((to_page(page), Candidate, format!("it has {shared} of {all}")))
    }

    /// Whether the old site had no page with the address of a present page.
    fn is_new(&self, page: usize) -> bool {
        self.old.get(self.pages[page].path).is_none()
    }

    /// Returns the page with the same name in another form, in another folder, or with a similar name, and whether only
    /// the form differs.
    fn same_form(&self, path: &str) -> Option<(usize, bool)> {
        let below = path.strip_prefix(&self.site.settings.base_path)?;
        let found = self.site.suggest(below.as_bytes())?;
        let file = self.site.tree.find(found.path().as_bytes())?;
        let page = *self.page_of_file.get(&file)?;
        let is_same = form(below) == form(found.path())
            || matches!(found, Suggestion::Case(_) | Suggestion::Composition(_) | Suggestion::Slashes(_));
        Some((page, is_same))
    }
}

/// Returns a path without the parts that depend on how a host serves pages.
fn form(path: &str) -> &str {
    let path = path.strip_suffix(INDEX).unwrap_or(path).trim_end_matches('/');
    path.strip_suffix(".html").or(path.strip_suffix(".htm")).unwrap_or(path)
}

impl<'i> FilesBySize<'i> {
    fn list(site: &Site<'_>, old: &'i Tree) -> FilesBySize<'i> {
        let mut by_size: HashMap<u64, Vec<FileId>> = HashMap::new();
        for file in site.tree.ids().filter(|file| site.format(*file) != Format::Html) {
            if let Ok(metadata) = std::fs::metadata(site.tree.disk_path(file)) {
                by_size.entry(metadata.len()).or_default().push(file);
            }
        }
        FilesBySize { old, by_size }
    }

    /// Returns the only file with the same bytes.
    fn same_file(&self, lost: &LostAddress<'_>, site: &Site<'_>) -> Option<FileId> {
        let content =
            std::fs::read(self.old.disk_path(lost.file?)).ok().filter(|content| !content.is_empty())?;
        let files = self.by_size.get(&(content.len() as u64))?;
        let same =
            |file: &&FileId| std::fs::read(site.tree.disk_path(**file)).is_ok_and(|read| read == content);
        let mut same = files.iter().filter(same);
        let first = same.next().copied();
        first.filter(|_| same.next().is_none())
    }
}
