//! Collects the scripts that each page runs.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{AmdLoader, PageScript, ScriptSource};
use crate::resolve::Base;
use crate::walk::FileId;
use sitegate_script::{Goal, ImportMap};

/// Script files, and how they are run.
type ScriptFiles = Arc<[(FileId, Option<Goal>)]>;

/// The scripts of one page.
#[derive(Clone, Debug)]
pub(crate) struct PageEntryPoints {
    pub page: FileId,
    /// The base of its scripts; `None` for the page's own folder, and for pages without special references.
    base: Option<Box<Base>>,
    /// Script files, and how they are run.
    pub files: ScriptFiles,
    /// Inline scripts: the text, how it is run, and its offset.
    pub inline: Box<[(Arc<str>, Goal, u32)]>,
    /// The import map.
    pub map: Option<Arc<ImportMap>>,
    /// The start of the import map, if some modules come before it.
    pub late_map: Option<u32>,
    /// The loader of AMD modules.
    pub amd_loader: Option<Box<PageAmdLoader>>,
}

/// The loader of AMD modules of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageAmdLoader {
    /// Its file; `None` if it is external.
    pub file: Option<FileId>,
    /// Whether it has the name of a loader. Otherwise it is one by its content.
    pub is_named: bool,
    /// The value of `data-main`, and its location.
    pub main: Option<(Box<str>, Range<u32>)>,
    /// Whether scripts of external hosts may define modules. Asynchronous scripts run at any time, so no page can
    /// depend on their modules.
    pub has_external_definitions: bool,
}

impl PageAmdLoader {
    fn new(loader: &AmdLoader, view: &FileView<'_>) -> Self {
        let may_define = |script: &PageScript| match script.source {
            ScriptSource::File(index) => {
                let is_run = script.goal.is_some() && !script.is_async;
                is_run && index != loader.reference && view.links.file(index as usize).is_none()
            }
            ScriptSource::Inline(..) => false,
        };
        PageAmdLoader {
            file: view.links.file(loader.reference as usize),
            is_named: loader.is_named,
            main: loader.main.as_ref().map(|(main, span)| (view.facts.text(*main).into(), span.clone())),
            has_external_definitions: view.facts.scripts.iter().any(may_define),
        }
    }
}

impl PageEntryPoints {
    /// Whether the base may differ from the page's folder.
    pub fn has_own_base(&self) -> bool {
        self.base.is_some()
    }

    /// Returns the base of its scripts.
    pub fn base(&self, site: &Site<'_>) -> Base {
        self.base.as_deref().cloned().unwrap_or_else(|| site.resolver.document(self.page))
    }
}

/// The scripts of all pages. Values that many pages share are stored once.
#[derive(Debug, Default)]
pub(crate) struct SiteEntryPoints {
    pub pages: Vec<PageEntryPoints>,
    files: HashSet<ScriptFiles, RandomState>,
    texts: HashSet<Arc<str>, RandomState>,
    maps: HashSet<Arc<ImportMap>, RandomState>,
}

impl SiteEntryPoints {
    /// Adds the scripts of one page.
    pub fn add(&mut self, view: &FileView<'_>) {
        let facts = view.facts;
        if facts.scripts.is_empty() && facts.import_map.is_none() && facts.amd_loader.is_none() {
            return;
        }
        let mut files = Vec::new();
        let mut inline = Vec::new();
        for PageScript { source, goal, .. } in &facts.scripts {
            match *source {
                ScriptSource::File(reference) => {
                    files.extend(view.links.file(reference as usize).map(|file| (file, *goal)));
                }
                ScriptSource::Inline(text, start) => {
                    let text = facts.text(text);
                    let text = interned(&mut self.texts, text, || text.into());
                    inline.push((text, goal.unwrap_or(Goal::Script), start));
                }
            }
        }
        files.sort_unstable();
        files.dedup();
        let map = facts.import_map.as_ref();
        let map = map.map(|map| interned(&mut self.maps, map, || Arc::new(map.clone())));
        let amd_loader = facts.amd_loader.as_ref().map(|loader| Box::new(PageAmdLoader::new(loader, view)));
        let is_special = facts.base.is_some() || map.is_some() || !inline.is_empty() || amd_loader.is_some();
        self.pages.push(PageEntryPoints {
            page: view.file,
            base: is_special.then(|| Box::new(view.base.clone())),
            files: interned(&mut self.files, files.as_slice(), || files.as_slice().into()),
            inline: inline.into(),
            map,
            late_map: facts.late_import_map,
            amd_loader,
        });
    }

    pub fn merge(&mut self, other: SiteEntryPoints) {
        self.pages.extend(other.pages);
    }

    /// Returns the pages in order.
    pub fn sorted(mut self) -> Vec<PageEntryPoints> {
        self.pages.sort_unstable_by_key(|page| page.page);
        self.pages
    }
}

/// Returns the one shared copy of a value.
fn interned<T: ?Sized + Hash + Eq>(
    known: &mut HashSet<Arc<T>, RandomState>,
    value: &T,
    copy: impl FnOnce() -> Arc<T>,
) -> Arc<T> {
    if let Some(known) = known.get(value) {
        known.clone()
    } else {
        let shared = copy();
        known.insert(shared.clone());
        shared
    }
}
