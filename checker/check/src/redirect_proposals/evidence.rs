//! Collects the evidence for moves, and judges it.

use std::collections::HashMap;
use std::path::Path;

use sitegate_address::SitePath;
use sitegate_address::inventory::{AnswerKind, Inventory};
use sitegate_base::plural::count;

use super::addresses::{LostAddress, PresentPage};
use super::anchors::SharedAnchors;
use super::content::{Contents, Similar, read_contents};
use super::proposal::RedirectProposal;
use crate::index::site::Site;
use crate::parse::Format;
use crate::raw_finding::Certainty;
use crate::resolve::Target;
use crate::resolve::suggestion::Suggestion;
use crate::source_map::{SourceHistory, SourceRename, moved_pages};
use crate::walk::{FileId, Tree};
use sitegate_address::percent::escape_path;

/// The least similarity of a renamed source, in per cent, for which its page is certain.
const CERTAIN_SIMILARITY: u8 = 80;

/// The site before the change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before<'b> {
    /// The earlier export. All its pages and redirects must be kept.
    pub export: Option<&'b Path>,
    /// The earlier sources.
    pub sources: Option<&'b SourceHistory>,
}

/// The contents of both exports, with the indexes of the earlier pages.
struct ComparedContents {
    contents: Contents,
    old: HashMap<FileId, usize>,
}

/// All evidence for proposals.
pub(super) struct MoveEvidence<'i> {
    site: &'i Site<'i>,
    pages: &'i [PresentPage<'i>],
    page_of_file: HashMap<FileId, usize>,
    old: &'i Inventory,
    contents: Option<ComparedContents>,
    renames: HashMap<FileId, (FileId, &'i SourceRename)>,
    /// The pages by their names; none if several have the name.
    by_name: HashMap<&'i str, Option<usize>>,
    shared_anchors: SharedAnchors<'i>,
    /// The files that are not pages, by their size; filled if the earlier export is known.
    files: Option<FilesBySize<'i>>,
}

struct FilesBySize<'i> {
    old: &'i Tree,
    by_size: HashMap<u64, Vec<FileId>>,
}

impl<'i> MoveEvidence<'i> {
    pub fn collect(
        site: &'i Site<'i>,
        pages: &'i [PresentPage<'i>],
        old: &'i Inventory,
        (old_tree, lost): (&'i Tree, &[LostAddress<'_>]),
        before: Before<'i>,
    ) -> MoveEvidence<'i> {
        let page_of_file = pages.iter().enumerate().map(|(number, page)| (page.file, number)).collect();
        let mut evidence = MoveEvidence {
            site,
            pages,
            page_of_file,
            old,
            contents: None,
            renames: HashMap::new(),
            by_name: pages_by_name(pages),
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

    /// Returns the redirect for a lost address, with the evidence. It is not certain if a redirect of the address must be
    /// changed.
    pub fn propose_once(&self, lost: &LostAddress<'_>) -> Option<RedirectProposal> {
        let below = lost.path.strip_prefix(&self.site.settings.base_path).unwrap_or(lost.path);
        let redirect = self.site.resolver.redirects().find(&format!("/{below}"));
        let redirect = redirect.filter(|(redirect, _)| redirect.is_http_redirect());
        if let Some((_, to)) = &redirect
            && self.pages.iter().any(|page| page.has_path(lost.path))
        {
            let reason = format!("its redirect to {to}, which does not exist, hides its page; remove it");
            return Some(RedirectProposal::certain(lost.path, lost.path, reason));
        }
        let mut proposal = self.propose(lost)?;
        if let Some((_, to)) = redirect {
            let reason = &proposal.reason;
            proposal.reason = format!("{reason}; change its redirect to {to}, which does not exist");
            proposal.certainty = Certainty::Likely;
        }
        Some(proposal)
    }

    /// Returns the redirect to the address at which an earlier redirect ends now, if it exists. A rewrite is no page.
    fn earlier_redirect(&self, lost: &LostAddress<'_>) -> Option<RedirectProposal> {
        let AnswerKind::Redirect { to, .. } = &lost.address.kind else { return None };
        let reason = "the site redirected it there before".to_owned();
        let resolver = &self.site.resolver;
        let Some(end) = resolver.final_address(&resolver.root(), to) else {
            let target = resolver.resolve(&resolver.root(), to, &mut Vec::new());
            let is_external = target == Target::External;
            return is_external.then(|| RedirectProposal::to_reference(lost.path, to, reason));
        };
        let rest = end.end_of(to);
        match end.target {
            Target::File { .. } if end.is_rewritten => None,
            Target::File { .. } if rest.is_empty() => {
                Some(RedirectProposal::certain(lost.path, resolver.canonical_path(&end), reason))
            }
            Target::File { .. } => {
                let page = escape_path(&resolver.canonical_path(&end));
                Some(RedirectProposal::to_reference(lost.path, &(page + &rest), reason))
            }
            Target::External => Some(RedirectProposal::to_reference(lost.path, &(end.path + &rest), reason)),
            _ => None,
        }
    }

    /// Returns the redirect for a lost address, with the evidence.
    fn propose(&self, lost: &LostAddress<'_>) -> Option<RedirectProposal> {
        let (to, certainty, reason) = match self.earlier_redirect(lost) {
            Some(earlier) => return Some(earlier),
            None => self.destination(lost)?,
        };
        Some(RedirectProposal { certainty, ..RedirectProposal::certain(lost.path, to, reason) })
    }

    /// Returns the page or file that a lost address means, with the evidence.
    fn destination(&self, lost: &LostAddress<'_>) -> Option<(String, Certainty, String)> {
        use Certainty::{Certain, Likely};
        let to_page = |page: usize| self.pages[page].path_like(lost.path).to_owned();
        if let Some(file) = self.files.as_ref().and_then(|files| files.same_file(lost, self.site)) {
            let path = self.site.resolver.served_path(&self.site.tree.display(file));
            return Some((path, Certain, "the same file".to_owned()));
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
            return Some((to_page(page), Certainty::certain_if(is_certain), reason));
        }
        match similar {
            Some(Similar { page, is_same: true, .. }) => {
                return Some((to_page(page), Certain, "the same content".to_owned()));
            }
            Some(Similar { page, share, .. }) => {
                let per_cent = (share * 100.0) as u32;
                return Some((to_page(page), Likely, format!("{per_cent} % of its text is there")));
            }
            None => {}
        }
        if let Some((page, is_certain)) = self.same_form(lost.path) {
            let certainty = Certainty::certain_if(is_certain);
            let reason =
                if is_certain { "only the form of the address differs" } else { "a similar address" };
            return Some((to_page(page), certainty, reason.to_owned()));
        }
        if let Some(page) = same_title {
            return Some((to_page(page), Likely, "the same title".to_owned()));
        }
        if let Some(Some(page)) = self.by_name.get(name(lost.path)) {
            return Some((to_page(*page), Likely, "the same name in another folder".to_owned()));
        }
        let (page, shared) = self.shared_anchors.best(lost.address)?;
        let all = count(lost.address.anchors().len(), "anchor");
        Some((to_page(page), Likely, format!("it has {shared} of {all}")))
    }

    /// Whether the old site had no page with the address of a present page.
    fn is_new(&self, page: usize) -> bool {
        let page = &self.pages[page];
        let was_page = |path: &str| {
            let address = self.old.get(path);
            address.is_some_and(|address| !matches!(address.kind, AnswerKind::Redirect { .. }))
        };
        // Links may use another of its addresses now.
        let answered = self.site.resolver.served_paths(&self.site.tree.display(page.file));
        !was_page(page.path) && !answered.iter().any(|path| was_page(path))
    }

    /// Returns the page with the same name in another form, or with a similar name, and whether only the form differs.
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

fn pages_by_name<'i>(pages: &[PresentPage<'i>]) -> HashMap<&'i str, Option<usize>> {
    let mut by_name: HashMap<&str, Option<usize>> = HashMap::new();
    for (number, page) in pages.iter().enumerate() {
        by_name.entry(name(page.path)).and_modify(|page| *page = None).or_insert(Some(number));
    }
    by_name
}

/// Returns the name of a page, without its folder and form.
fn name(path: &str) -> &str {
    SitePath::new(form(path)).name()
}

/// Returns a path without the parts that depend on how a host serves pages.
fn form(path: &str) -> &str {
    let path = SitePath::new(path).without_index().trim_end_matches('/');
    let path = SitePath::new(path);
    if path.is_page() { path.without_extension() } else { path.as_text() }
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

    /// Returns the only file with the same bytes, if the lost one is not a page.
    fn same_file(&self, lost: &LostAddress<'_>, site: &Site<'_>) -> Option<FileId> {
        let lost_file = lost.file.filter(|file| Format::of(self.old.path(*file)) != Format::Html)?;
        let content =
            std::fs::read(self.old.disk_path(lost_file)).ok().filter(|content| !content.is_empty())?;
        let files = self.by_size.get(&(content.len() as u64))?;
        let same =
            |file: &&FileId| std::fs::read(site.tree.disk_path(**file)).is_ok_and(|read| read == content);
        let mut same = files.iter().filter(same);
        let first = same.next().copied();
        if same.next().is_none() { first } else { None }
    }
}
