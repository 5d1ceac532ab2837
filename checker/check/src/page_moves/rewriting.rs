//! Resolves references to moved files and in them, and writes them again in the same style.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use sitegate_address::{SitePath, percent};
use sitegate_sources::{Manner, SourceFormat, SourceReference};
use url::Url;

use super::addresses::{base_folder, encoded, folder_of_served, is_name, path_end, with_shape};
use super::conventions::{DocumentIds, Tools};
use super::plan::{MovePlan, moved};
use crate::index::site::Site;
use crate::parse::{FileKind, decode_references};
use crate::resolve::{Route, Target};
use crate::source_map::{PageSources, SourceFiles, page_form, raw_form};
use crate::walk::FileId;
use sitegate_address::extension::{SOURCE_EXTENSIONS, is_source_extension};
use sitegate_address::relative::{join, relative};
use sitegate_address::variants::is_language;
use sitegate_sources::edits::Edit;

/// Extensions of modules that imports may leave out.
const SCRIPTS: [&str; 8] = ["ts", "tsx", "js", "jsx", "mjs", "vue", "svelte", "json"];

/// Prefixes of paths from the root of the sources: of Docusaurus, of it and of Zola.
const ROOT_PREFIXES: [&str; 2] = ["@site/", "@/"];

/// Prefixes of paths of Pelican. With a slash after them, the path is from the root of the content.
const PELICAN_PREFIXES: [&str; 6] =
    ["{filename}/", "{static}/", "{attach}/", "{filename}", "{static}", "{attach}"];

/// Names of documents that represent their folder.
const INDEXES: [&str; 3] = ["/_index.md", "/index.md", "/README.md"];

/// The source of an index in mdBook, and the name by which links reach its page.
const README: &str = "README.md";
const INDEX_OF_MDBOOK: &str = "index.md";

/// The reason why a reference cannot be written.
const OUTSIDE: &str = "cannot name the new path; change it by hand";

/// The reason why a reference cannot be written.
const NOT_BELOW: &str =
    "cannot name a file outside of its folder, because Jekyll refuses `../`; move both, or copy it";

/// The reason why a reference cannot be written.
const AMBIGUOUS: &str = "would point to another file after the move; change it by hand";

/// The reason why a reference cannot be written.
const TRANSLATED: &str = "also names the page of another language, which is not moved; change it by hand";

/// The reason why a reference is not written: settings have the address of the whole site, and not of its home page.
const SITE_ADDRESS: &str = "is the address of the site; change it by hand if it means the moved page";

/// The reason why a reference cannot be written.
const NOT_DECODED: &str = "cannot name the new path, because MyST does not decode names of images; choose ASCII characters \
                           without spaces and brackets";

/// Any host, to resolve URLs of the site after the move.
const AFTER: &str = "https://site.invalid";

/// Writes references for a planned move.
pub(super) struct Rewriter<'p> {
    plan: &'p MovePlan,
    site: &'p Site<'p>,
    files: &'p SourceFiles,
    pages: &'p PageSources,
    /// The new paths of moved pages in the export.
    new_pages: &'p HashMap<FileId, String>,
    /// The folders that paths in sources may be relative to, each empty or with a trailing `/`.
    roots: Vec<String>,
    /// Paths of sources, by their lowercase form.
    lowercase: HashMap<String, &'p str>,
    ids: &'p DocumentIds,
    tools: Tools,
    /// Whether a moved page has a translation that stays.
    has_translations: bool,
    /// Documents of Docusaurus before and after the move, by their root and id.
    documents: [HashMap<String, String>; 2],
}

/// The files before or after the move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MoveStage {
    Before,
    After,
}

/// The target of a reference after the move.
enum Destination {
    /// The path of a source.
    Source(String),
    /// The path of a page in the export.
    Page(String),
    /// A path of the host that is not below the base path of the site.
    Outside(String),
}

/// The source that a reference names.
struct NamedSource<'p> {
    /// The folder that the reference is relative to; `None` for that of the file with the reference.
    root: Option<&'p str>,
    /// Text before the path: `/`, `@/`.
    prefix: &'static str,
    target: String,
    /// The end of the target that the reference leaves out.
    dropped: String,
}

/// The page that a reference links.
struct LinkedFile {
    file: FileId,
    /// The path of the reference below the root of the export.
    local: String,
    /// Whether the base path is in the reference.
    has_base_path: bool,
}

/// Whether a moved page has a translation that stays: it has the same path in the folder of another language.
fn has_translations(site: &Site<'_>, new_pages: &HashMap<FileId, String>) -> bool {
    let plain = |file: FileId| {
        let path = site.tree.display(file);
        let rest = path.split_once('/').filter(|(language, _)| is_language(language)).map(|(_, rest)| rest);
        rest.unwrap_or(&path).to_owned()
    };
    let moved: HashSet<String> = new_pages.keys().map(|file| plain(*file)).collect();
    !moved.is_empty()
        && site.tree.ids().any(|file| !new_pages.contains_key(&file) && moved.contains(&plain(file)))
}

/// Whether a file has the chapters of mdBook, by the paths of their sources.
fn is_summary(path: &str) -> bool {
    SitePath::new(path).name() == "SUMMARY.md"
}

/// Whether a reference of Markdown is that of an image, or a link to one.
fn is_image_of_myst((path, text): (&str, &str), reference: &SourceReference<'_>) -> bool {
    let name = &reference.target[..path_end(&reference.target)];
    reference.manner == Manner::Link
        && SourceFormat::of_path(path) == Some(SourceFormat::Markdown)
        && matches!(FileKind::of_path(name.as_bytes()), FileKind::Image | FileKind::Svg)
        && !text[..reference.range.start].ends_with("path:")
}

/// Whether a destination is percent-encoded, or markdown-it, the parser of `MyST`, encodes it.
fn is_encoded_by_markdown(destination: &str) -> bool {
    !destination.is_ascii()
        || destination.contains(['%', ' ', '"', '<', '>', '[', ']', '\\', '^', '`', '{', '|', '}'])
}

/// Whether a reference is in an expression of a template that adds the language of the page, such as
/// `{{ "posts/" | relLangURL }}` of Hugo.
fn is_localized(text: &str, range: &Range<usize>) -> bool {
    let start = text[..range.start].rfind("{{").unwrap_or(range.start);
    let end = text[range.end..].find("}}").map_or(range.end, |end| range.end + end);
    let expression = &text[start..end];
    !text[start..range.start].contains("}}")
        && ["LangURL", "locale_url"].iter().any(|name| expression.contains(name))
}

impl<'p> Rewriter<'p> {
    pub fn new(
        plan: &'p MovePlan,
        site: &'p Site<'p>,
        (files, pages): (&'p SourceFiles, &'p PageSources),
        new_pages: &'p HashMap<FileId, String>,
        (prefixes, ids, tools): (&[String], &'p DocumentIds, Tools),
    ) -> Rewriter<'p> {
        let mut roots: BTreeSet<String> = prefixes.iter().cloned().collect();
        // The folder of a page's source, without the folders of its address, is that of all pages.
        let root_of = |path: &str| {
            let exported = site.tree.display(files.find(path).and_then(|source| pages.page(source))?);
            let exported_form = page_form(&exported);
            let form = page_form(path);
            if exported_form.is_empty() {
                return Some(format!("{form}/"));
            }
            let root = form.strip_suffix(exported_form)?;
            (root.is_empty() || root.ends_with('/')).then(|| root.trim_start_matches('/').to_owned())
        };
        let own_roots: Vec<String> = plan.renames.iter().filter_map(|(old, _)| root_of(old)).collect();
        if own_roots.is_empty() {
            // The page of the source is not known; that of most others has the same root.
            let mut counts = BTreeMap::<String, usize>::new();
            let others = files.paths.iter().filter_map(|path| root_of(path));
            others
                .filter(|root| plan.from.starts_with(root))
                .for_each(|root| *counts.entry(root).or_default() += 1);
            roots.extend(counts.into_iter().max_by_key(|(_, count)| *count).map(|(root, _)| root));
        }
        roots.extend(own_roots);
        // So is the folder of the generator's configuration.
        let folders = SitePath::new(&*plan.from)
            .ancestors()
            .filter(|folder| plan.folder.join(folder).join("conf.py").is_file());
        roots.extend(folders.map(|folder| format!("{folder}/")));
        roots.insert(String::new());
        let mut roots: Vec<String> = roots.into_iter().collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        let lowercase = files.paths.iter().map(|path| (path.to_lowercase(), path.as_str())).collect();
        let unmoved = files.paths.iter().map(|path| (path.as_str(), path.clone()));
        let moved = files.paths.iter().map(|path| (path.as_str(), plan.moved(path)));
        let documents = [ids.documents(unmoved, &roots), ids.documents(moved, &roots)];
        let has_translations = has_translations(site, new_pages);
        Rewriter {
            plan,
            site,
            files,
            pages,
            new_pages,
            roots,
            lowercase,
            ids,
            tools,
            has_translations,
            documents,
        }
    }

    /// Returns the edit of a reference in the text of the file `path`; `None` if the move does not affect it.
    pub fn rewrite(
        &self,
        (path, text): (&str, &str),
        reference: &SourceReference<'_>,
    ) -> Result<Option<Edit>, &'static str> {
        let source_text = &text[reference.range.clone()];
        let source_text = &source_text[..path_end(source_text)];
        let written = &reference.target[..path_end(&reference.target)];
        if written.is_empty() || source_text.is_empty() {
            return Ok(None);
        }
        let has_scheme = written.contains("://") || written.starts_with("//");
        let named = if has_scheme {
            None
        } else {
            self.named_source(MoveStage::Before, path, written, reference.manner)
        };
        // Without a generator, an attribute is a URL; then the path of a source would be an accident.
        let is_url_first = reference.manner == Manner::Attribute;
        let by_source = |source: &NamedSource<'_>| -> Result<_, &'static str> {
            let new = self.source_path(path, written, source, reference.manner)?;
            Ok(new.map(|new| (new, Destination::Source(self.plan.moved(&source.target)))))
        };
        let by_page = |page: &LinkedFile| -> Result<_, &'static str> {
            let new = self.page_path(path, written, page)?;
            Ok(new.map(|new| (new, Destination::Page(self.path_after(page.file)))))
        };
        let linked_page = || match reference.manner {
            Manner::Link | Manner::Attribute | Manner::Value => {
                self.linked_page(path, written, reference.manner)
            }
            Manner::Document | Manner::File | Manner::FileBelow | Manner::Id | Manner::Text => None,
        };
        let new = match (named, is_url_first) {
            (Some(named), false) => by_source(&named)?,
            (Some(named), true) => match linked_page() {
                Some(page) => by_page(&page)?,
                None => by_source(&named)?,
            },
            (None, _) => match (linked_page(), self.named_document(path, written, reference.manner)) {
                (Some(page), _) => by_page(&page)?,
                (None, Some(document)) => by_source(&document)?,
                (None, None) => self.outside_path(path, written, reference.manner),
            },
        };
        let Some((new, destination)) = new.filter(|(new, _)| new != written) else { return Ok(None) };
        if has_scheme && reference.manner == Manner::Value && self.is_site_address(path, written) {
            return Err(SITE_ADDRESS);
        }
        let new = if is_summary(path) {
            // mdBook decodes nothing else in it.
            if written.contains(' ') { new } else { new.replace(' ', "%20") }
        } else {
            encoded(source_text, written, &new, reference.manner)
        };
        if self.tools.is_sphinx && is_image_of_myst((path, text), reference) && is_encoded_by_markdown(&new) {
            return Err(NOT_DECODED);
        }
        if !self.reaches(path, &new, reference.manner, &destination) {
            return Err(AMBIGUOUS);
        }
        if self.has_translations && is_localized(text, &reference.range) {
            return Err(TRANSLATED);
        }
        let start = reference.range.start;
        Ok(Some(Edit { start, end: start + source_text.len(), new }))
    }

    /// Whether a reference points to an existing source or page.
    pub fn is_resolved(&self, path: &str, written: &str, manner: Manner) -> bool {
        let written = &written[..path_end(written)];
        self.named_source(MoveStage::Before, path, written, manner).is_some()
            || self.named_document(path, written, manner).is_some()
            || self.linked_page(path, written, manner).is_some()
    }

    /// Whether a value that names nothing by itself is the address of a moved page below a base path.
    pub fn moves_below(&self, base: &str, path: &str, reference: &SourceReference<'_>) -> bool {
        let written = &reference.target[..path_end(&reference.target)];
        if reference.manner != Manner::Value
            || written.contains(':')
            || self.is_resolved(path, written, Manner::Value)
        {
            return false;
        }
        let whole = format!("{}/{}", base.trim_end_matches('/'), written.trim_start_matches('/'));
        match self.linked_page(path, &whole, Manner::Value) {
            Some(page) => self.new_pages.contains_key(&page.file),
            None => self
                .named_document(path, &whole, Manner::Value)
                .is_some_and(|named| self.moved(&named.target).is_some()),
        }
    }

    /// Whether the move changes a path that is relative to the folder of its file; `None` if the text is none.
    pub fn changes_path(&self, path: &str, written: &str) -> Option<bool> {
        let written = &written[..path_end(written)];
        let named = self.named_source(MoveStage::Before, path, written, Manner::Link)?;
        let new = self.source_path(path, written, &named, Manner::Link);
        named.root.is_none().then_some(new != Ok(None))
    }

    /// Returns the source that a reference names.
    pub fn source_of(&self, path: &str, written: &str, manner: Manner) -> Option<String> {
        Some(self.named_source(MoveStage::Before, path, &written[..path_end(written)], manner)?.target)
    }

    /// The folders that paths in sources may be relative to, each empty or with a trailing `/`.
    pub fn roots(&self) -> &[String] {
        &self.roots
    }

    /// Whether a reference points to a destination after the move.
    fn reaches(&self, path: &str, written: &str, manner: Manner, destination: &Destination) -> bool {
        match destination {
            Destination::Source(target) => {
                let own = self.plan.moved(path);
                let named = |as_manner| self.named_source(MoveStage::After, &own, written, as_manner);
                named(manner).or_else(|| named(Manner::Document)).is_some_and(|named| named.target == *target)
            }
            Destination::Page(target) => {
                let exported = self.own_page(path).map(|page| self.path_after(page));
                let Some(found) = self.joined(exported.as_deref(), written) else { return false };
                // Some generators add the base path.
                let below = found.strip_prefix(self.base_path()).unwrap_or(&found);
                page_form(below) == page_form(target) || page_form(&found) == page_form(target)
            }
            Destination::Outside(target) => {
                let exported = self.own_page(path).map(|page| self.path_after(page));
                self.joined(exported.as_deref(), written).as_ref() == Some(target)
            }
        }
    }

    /// Returns the path of a URL that is written on an exported page, or at the root, without percent-encoding.
    fn joined(&self, exported: Option<&str>, written: &str) -> Option<String> {
        let address = exported.map_or("/".to_owned(), |exported| self.site.resolver.served_path(exported));
        let decoded = decode_references(written).replace("\\/", "/");
        let url = Url::parse(&format!("{AFTER}{address}")).and_then(|base| base.join(&decoded)).ok()?;
        Some(percent::decode_lossy(url.path()).into_owned())
    }

    /// Returns the new form of a relative URL on a moved page that leaves the site: its target is below another path of the
    /// same host.
    fn outside_path(&self, path: &str, written: &str, manner: Manner) -> Option<(String, Destination)> {
        let is_url = matches!(manner, Manner::Link | Manner::Attribute);
        let page = self.own_page(path).filter(|_| is_url && written.starts_with("../"))?;
        let target = self.joined(Some(&self.site.tree.display(page)), written)?;
        if target.starts_with(self.base_path()) || target.contains(['{', '<']) {
            return None;
        }
        let folder = folder_of_served(&self.site.resolver.served_path(self.new_pages.get(&page)?));
        Some((relative(folder.trim_end_matches('/'), &target[1..]), Destination::Outside(target)))
    }

    /// Returns the source that a URL without an extension names: some generators add `.html`, though the host does not.
    fn named_document(&self, path: &str, written: &str, manner: Manner) -> Option<NamedSource<'_>> {
        let is_link = match manner {
            Manner::Link => !written.contains(':') && !written.starts_with("//"),
            Manner::Attribute | Manner::Value => written.starts_with('/') && !written.starts_with("//"),
            Manner::Document | Manner::File | Manner::FileBelow | Manner::Id | Manner::Text => false,
        };
        is_link.then(|| self.named_source(MoveStage::Before, path, written, Manner::Document))?
    }

    /// Whether a path is that of a file.
    fn is_file(&self, name: &str, state: MoveStage) -> bool {
        let is_there = |path: &str| self.plan.folder.join(path).is_file();
        match state {
            MoveStage::Before => is_there(name),
            MoveStage::After => match moved(name, &self.plan.to, &self.plan.from) {
                Some(before) => is_there(&before),
                None => is_there(name) && self.moved(name).is_none(),
            },
        }
    }

    /// Returns the source that a path names: an existing file.
    fn named_source(
        &self,
        state: MoveStage,
        path: &str,
        written: &str,
        manner: Manner,
    ) -> Option<NamedSource<'_>> {
        let raw = raw_form(written);
        if let Some(readme) = self.readme(state, (path, &raw), manner)
            && let Some(named) = self.named_source(state, path, &readme, manner)
        {
            return Some(named);
        }
        // Only the folder of the file itself.
        let is_below = manner == Manner::FileBelow;
        let manner = if is_below { Manner::File } else { manner };
        if manner == Manner::Id
            && let Some(found) = self.named_id(state, &raw)
        {
            return Some(found);
        }
        let is_document = matches!(manner, Manner::Document | Manner::File);
        let extension = SitePath::new(&*raw).extension().unwrap_or_default();
        let prefix = ROOT_PREFIXES
            .into_iter()
            .chain(PELICAN_PREFIXES)
            .chain(["/"])
            .find(|prefix| raw.starts_with(prefix))
            .unwrap_or("");
        let rest = &raw[prefix.len()..];
        let is_allowed = prefix != "/" || is_document || is_source_extension(extension);
        if rest.trim_matches('/').is_empty() || !is_allowed || rest.contains("//") {
            return None;
        }
        let folder = SitePath::new(path).folder();
        let is_own = prefix.is_empty() || prefix.ends_with('}');
        let own = (is_own && manner != Manner::Id).then_some(None);
        let may_be_rooted = matches!(manner, Manner::Value | Manner::Document | Manner::Id | Manner::File);
        let is_rooted = !is_below && (may_be_rooted || !is_own);
        let is_dotted = rest.starts_with("./") || rest.starts_with("../");
        let roots = self.roots.iter().map(String::as_str).filter(|_| is_rooted && !is_dotted).map(Some);
        own.into_iter().chain(roots).find_map(|root| {
            let base = root.unwrap_or(folder);
            let whole = join(base, rest).within_root()?;
            let is_file = |name: &str| self.is_file(name, state);
            let found = |target: String, dropped: String| Some(NamedSource { root, prefix, target, dropped });
            if !rest.ends_with('/') && is_file(&whole) && manner != Manner::Id {
                return found(whole, String::new());
            }
            if is_name(manner) {
                let ends = || {
                    // Imports of scripts leave out other extensions than names of documents.
                    let known = if manner == Manner::File { &SCRIPTS[..] } else { &SOURCE_EXTENSIONS[..] };
                    // Sphinx reads `.txt`, if it is so configured, and Hugo `.html`.
                    let others = if manner == Manner::File { &[][..] } else { &["txt", "html"] };
                    let extensions = known.iter().chain(others).map(|end| format!(".{end}"));
                    extensions.chain(INDEXES.map(str::to_owned)).map(|end| (format!("{whole}{end}"), end))
                };
                let exact = ends().find(|(name, _)| is_file(name));
                // Hugo ignores the case of names.
                let other_case = || {
                    ends().find_map(|(name, end)| {
                        let name = (*self.lowercase.get(&name.to_lowercase())?).to_owned();
                        let name = match state {
                            MoveStage::Before => name,
                            MoveStage::After => self.plan.moved(&name),
                        };
                        Some((name, end))
                    })
                };
                let named = if manner == Manner::File { exact } else { exact.or_else(other_case) };
                if let Some((target, dropped)) = named {
                    return found(target, dropped);
                }
                if manner != Manner::File {
                    return None;
                }
            }
            let before = match state {
                MoveStage::Before => None,
                MoveStage::After => moved(&whole, &self.plan.to, &self.plan.from),
            };
            let is_folder = || self.plan.folder.join(before.as_deref().unwrap_or(&whole)).is_dir();
            (matches!(manner, Manner::Value | Manner::File) && rest.contains('/') && is_folder())
                .then(|| found(whole.clone(), String::new()))?
        })
    }

    /// Returns the document of Docusaurus with an id.
    fn named_id(&self, state: MoveStage, id: &str) -> Option<NamedSource<'_>> {
        let documents = &self.documents[state as usize];
        self.roots.iter().find_map(|root| {
            let target = documents.get(&format!("{root}{id}"))?.clone();
            Some(NamedSource { root: Some(root), prefix: "", target, dropped: String::new() })
        })
    }

    /// Returns the path of the source that a link of mdBook to `index.md` means: `README.md` becomes that page.
    fn readme(&self, state: MoveStage, (path, raw): (&str, &str), manner: Manner) -> Option<String> {
        let is_link = matches!(manner, Manner::Link | Manner::Attribute) && !is_summary(path);
        let folder = raw.strip_suffix(INDEX_OF_MDBOOK).filter(|_| is_link && self.tools.is_mdbook)?;
        let index = join(SitePath::new(path).folder(), raw).within_root()?;
        ((folder.is_empty() || folder.ends_with('/')) && !self.is_file(&index, state))
            .then(|| format!("{folder}{README}"))
    }

    /// Returns the new path of a source, in the style of `written`.
    fn source_path(
        &self,
        path: &str,
        written: &str,
        named: &NamedSource<'_>,
        manner: Manner,
    ) -> Result<Option<String>, &'static str> {
        let target = self.moved(&named.target);
        let own = self.moved(path);
        if target.is_none() && own.is_none() {
            return Ok(None);
        }
        let raw = raw_form(written);
        if let (Manner::Id, Some(root), Some(target)) = (manner, named.root, &target)
            && self.named_id(MoveStage::Before, &raw).is_some()
        {
            return Ok(Some(self.ids.id(root, target, &named.target).ok_or(OUTSIDE)?));
        }
        let rest = raw.strip_prefix(named.prefix).unwrap_or(&raw);
        let target = target.unwrap_or_else(|| named.target.clone());
        let own = own.unwrap_or_else(|| path.to_owned());
        let folder = SitePath::new(&*own).folder();
        let is_same = |base: &str| {
            join(base, rest)
                .within_root()
                .is_some_and(|whole| format!("{}{}", whole, named.dropped) == target)
        };
        let folder_of_index = || {
            // Sphinx has no other name for `x/index` than this.
            let may_name_folder = INDEXES.contains(&&*named.dropped) || !is_name(manner);
            INDEXES.iter().find_map(|index| target.strip_suffix(index)).filter(|_| may_name_folder)
        };
        let stem = || SitePath::new(&*target).without_extension();
        let shown = match target.strip_suffix(&named.dropped) {
            Some(shown) if named.dropped.is_empty() || is_name(manner) => shown,
            // A URL of a page: its new source may be an index.
            Some(shown) => folder_of_index().unwrap_or(shown),
            // Another index, an index that is no longer one, or another extension.
            None => folder_of_index().unwrap_or_else(stem),
        };
        let new = match named.root {
            None if is_same(folder) => return Ok(None),
            None if manner == Manner::FileBelow && relative(folder, shown).starts_with("../") => {
                return Err(NOT_BELOW);
            }
            None => relative(folder, shown),
            Some(root) if is_same(root) => return Ok(None),
            Some(root) => shown.strip_prefix(root).ok_or(OUTSIDE)?.to_owned(),
        };
        let is_dotted = rest.starts_with("./") || manner == Manner::Value && rest.starts_with("../");
        // A colon in the first name would end a scheme.
        let is_scheme = !is_name(manner) && new.split('/').next().is_some_and(|name| name.contains(':'));
        let is_dotted = is_dotted || is_scheme;
        let dot = if named.root.is_none() && is_dotted && !new.starts_with('.') { "./" } else { "" };
        let slash = if rest.ends_with('/') && !new.ends_with('/') { "/" } else { "" };
        // A link to `README.md` would be one to `README.html`.
        let new = match new.strip_suffix(README) {
            Some(above)
                if self.tools.is_mdbook
                    && !is_summary(path)
                    && !rest.ends_with(README)
                    && (above.is_empty() || above.ends_with('/')) =>
            {
                format!("{above}{INDEX_OF_MDBOOK}")
            }
            _ => new,
        };
        // A name in a docstring is relative to the document that shows it, which may move, too.
        let is_docstring = named.root.is_some() && manner == Manner::Document && path.ends_with(".py");
        let prefix = if is_docstring { "/" } else { named.prefix };
        Ok(Some(format!("{prefix}{dot}{new}{slash}")))
    }

    /// Returns the page that a URL links, if the host does not redirect it.
    fn linked_page(&self, path: &str, written: &str, manner: Manner) -> Option<LinkedFile> {
        let resolver = &self.site.resolver;

        let is_rooted = written.starts_with('/') || written.contains("://");
        let own = self.own_page(path);
        let base = match own {
            Some(page) => resolver.document(page),
            None => resolver.root(),
        };
        if !is_rooted && (own.is_none() || manner == Manner::Value) {
            return None;
        }
        let find = |reference: &str, has_base_path: bool| match resolver.resolve(
            &base,
            reference,
            &mut Vec::new(),
        ) {
            Target::File { file, route } if !matches!(route, Route::Redirect | Route::EncodedSlash) => {
                let local = String::from_utf8(resolver.local_path(&base, reference)?).ok()?;
                Some(LinkedFile { file, local, has_base_path })
            }
            _ => None,
        };
        // Generators add the base path to links from the root.
        let without_base_path = || {
            let below = written.strip_prefix('/').filter(|below| !below.starts_with('/'))?;
            find(&format!("{}{below}", self.base_path()), false)
        };
        find(written, true).or_else(without_base_path)
    }

    /// Whether an absolute URL has no path below that of the site.
    fn is_site_address(&self, path: &str, written: &str) -> bool {
        self.linked_page(path, written, Manner::Value).is_some_and(|page| page.local.is_empty())
    }

    /// Returns the new URL of a page, in the style of `written`.
    fn page_path(
        &self,
        path: &str,
        written: &str,
        page: &LinkedFile,
    ) -> Result<Option<String>, &'static str> {
        let own = self.own_page(path);
        let new_own = own.and_then(|own| self.new_pages.get(&own));
        let new = self.new_pages.get(&page.file);
        let is_rooted = written.starts_with('/') || written.contains("://");
        if new.is_none() && (new_own.is_none() || is_rooted) {
            return Ok(None);
        }
        let exported = self.site.tree.display(page.file);
        let new = new.map_or(&*exported, String::as_str);
        let local = with_shape(&page.local, &exported, new);
        let base_path = self.base_path();
        if is_rooted {
            let host = written.find("//").map_or(0, |at| at + 2);
            let origin = written[host..].find('/').map_or(written.len(), |at| host + at);
            let base_path = if page.has_base_path { base_path } else { "/" };
            return Ok(Some(format!("{}{base_path}{local}", &written[..origin])));
        }
        let resolver = &self.site.resolver;
        let own = own.ok_or(OUTSIDE)?;
        let folder = match new_own {
            Some(new_own) => folder_of_served(&resolver.served_path(new_own)),
            None => base_folder(&resolver.document(own)).ok_or(OUTSIDE)?,
        };
        let whole = format!("{}{local}", base_path.trim_start_matches('/'));
        if join(&folder, &raw_form(written))
            .within_root()
            .is_some_and(|same| same == whole.trim_end_matches('/'))
        {
            return Ok(None);
        }
        let from_here = relative(folder.trim_end_matches('/'), &whole);
        let dot = if written.starts_with("./") && !from_here.starts_with('.') { "./" } else { "" };
        Ok(Some(format!("{dot}{from_here}")))
    }

    /// Returns the page of a source.
    fn own_page(&self, path: &str) -> Option<FileId> {
        self.pages.page(self.files.find(path)?)
    }

    /// Returns the path of a page in the export after the move.
    fn path_after(&self, page: FileId) -> String {
        let present = || self.site.tree.display(page).into_owned();
        self.new_pages.get(&page).cloned().unwrap_or_else(present)
    }

    /// The base path of the site.
    pub fn base_path(&self) -> &str {
        &self.site.settings.base_path
    }

    /// Returns the new path of a file that is moved.
    pub fn moved(&self, path: &str) -> Option<String> {
        moved(path, &self.plan.from, &self.plan.to)
    }
}
