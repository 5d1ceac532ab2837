//! Where scripts begin: what each page runs.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{PageScript, ScriptSource};
use crate::resolve::Base;
use crate::walk::FileId;
use sitegate_script::{Goal, ImportMap};

/// Script files, and as what they are run.
type ScriptFiles = Arc<[(FileId, Option<Goal>)]>;

/// What one page runs.
#[derive(Clone, Debug)]
pub(crate) struct Entrance {
    pub page: FileId,
    /// What its scripts are relative to, where that matters more often than not.
    base: Option<Box<Base>>,
    /// The script files, and as what they are run.
    pub files: ScriptFiles,
    /// The scripts in it: the text, as what it is run, and where it begins.
    pub inline: Box<[(Arc<str>, Goal, u32)]>,
    /// What module specifiers stand for.
    pub map: Option<Arc<ImportMap>>,
}

impl Entrance {
    /// Whether it leads to the same scripts as another of the same page.
    pub fn is_same(&self, other: &Entrance) -> bool {
        let is_same_base = match (&self.base, &other.base) {
            (Some(base), Some(other)) => base.is_same(other),
            (None, None) => true,
            _ => false,
        };
        is_same_base && (&self.files, &self.inline, &self.map) == (&other.files, &other.inline, &other.map)
    }

    /// Whether its base may be another than its folder.
    pub fn has_own_base(&self) -> bool {
        self.base.is_some()
    }

    /// What its scripts are relative to.
    pub fn base(&self, site: &Site<'_>) -> Base {
        self.base.as_deref().cloned().unwrap_or_else(|| site.resolver.document(self.page))
    }
}

/// The entrances of all pages. What many pages have in common is kept once.
#[derive(Debug, Default)]
pub(crate) struct Entrances {
    pub pages: Vec<Entrance>,
    files: HashSet<ScriptFiles>,
    texts: HashSet<Arc<str>>,
    maps: HashSet<Arc<ImportMap>>,
}

impl Entrances {
    /// Takes in what one page runs.
    pub fn add(&mut self, view: &FileView<'_>) {
        let facts = view.facts;
        if facts.scripts.is_empty() && facts.import_map.is_none() {
            return;
        }
        let mut files = Vec::new();
        let mut inline = Vec::new();
        for PageScript { source, goal } in &facts.scripts {
            match *source {
                ScriptSource::File(reference) => {
                    files.extend(view.links.file(reference as usize).map(|file| (file, *goal)));
                }
                ScriptSource::Inline(text, start) => {
                    let text = facts.text(text);
                    let text = kept(&mut self.texts, text, || text.into());
                    inline.push((text, goal.unwrap_or(Goal::Script), start));
                }
            }
        }
        files.sort_unstable();
        files.dedup();
        let map = facts.import_map.as_ref();
        let map = map.map(|map| kept(&mut self.maps, map, || Arc::new(map.clone())));
        let is_special = facts.base.is_some() || map.is_some() || !inline.is_empty();
        self.pages.push(Entrance {
            page: view.file,
            base: is_special.then(|| Box::new(view.base.clone())),
            files: kept(&mut self.files, files.as_slice(), || files.as_slice().into()),
            inline: inline.into(),
            map,
        });
    }

    pub fn merge(&mut self, other: Entrances) {
        self.pages.extend(other.pages);
    }

    /// In the order of pages, however many threads found them.
    pub fn sorted(mut self) -> Vec<Entrance> {
        self.pages.sort_unstable_by_key(|entrance| entrance.page);
        self.pages
    }
}

/// The one copy of a value that many pages have.
fn kept<T: ?Sized + Hash + Eq>(
    known: &mut HashSet<Arc<T>>,
    value: &T,
    copy: impl FnOnce() -> Arc<T>,
) -> Arc<T> {
    if let Some(known) = known.get(value) {
        known.clone()
    } else {
        let value = copy();
        known.insert(value.clone());
        value
    }
}
