//! The graph of scripts: which script loads which, starting at the pages.
//! It does no I/O: it lists the scripts to read next, and the scan adds them when they are parsed.

mod amd;
mod faults;
mod indirect_loads;
mod page_loads;
mod script_files;
mod state;

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;
use script_files::{is_data, missing_grade};
use state::{AmdPages, DocumentLoad, Node, PlacedScript, Realm, Steps};

use super::depths::depths;
use super::entry_points::PageEntryPoints;
use super::requests::{ExternalLoads, Requests};
use super::specifier::{self, ResolvedSpecifier, is_absolute};
use super::{BrokenLoad, ScriptFault, ScriptUse, Scripts};
use crate::index::site::Site;
use crate::parse::{Format, ReferenceKind};
use crate::resolve::{Base, Target};
use crate::walk::FileId;
use sitegate_address::INDEX;
use sitegate_script::{Goal, Grade, ImportMap, LoadKind, RelativeTo, Script, ScriptLoad};

pub(crate) use script_files::is_script_name;

/// Maximum number of scripts in a trail between a page and a file.
const MAX_TRAIL: usize = 8;

/// A script to read.
#[derive(Clone, Debug)]
pub(crate) enum ScriptToRead {
    File(FileId),
    Inline(Arc<str>),
}

pub(crate) struct Graph<'s> {
    site: &'s Site<'s>,
    entry_points: Arc<Vec<PageEntryPoints>>,
    sources: Vec<PlacedScript>,
    source_of: HashMap<FileId, u32, RandomState>,
    texts: HashMap<Arc<str>, Arc<Script>, RandomState>,
    /// Indexes of inline sources that are not read yet, by text.
    unread_texts: HashMap<Arc<str>, Vec<u32>>,
    to_read: Vec<ScriptToRead>,
    realms: Vec<Realm>,
    realm_of: HashMap<(Option<Arc<ImportMap>>, Option<String>), u32>,
    worker_realm_of: HashMap<FileId, u32>,
    nodes: Vec<Node>,
    node_of: HashMap<(u32, u32), u32, RandomState>,
    /// The nodes of each source.
    nodes_of: HashMap<u32, Vec<u32>, RandomState>,
    /// Nodes whose loads are not followed yet.
    pending: VecDeque<u32>,
    document_loads: Vec<DocumentLoad>,
    known_bundle_loads: HashSet<(u32, Box<str>, LoadKind)>,
    broken: HashMap<(FileId, u32, Box<str>), BrokenLoad>,
    external: ExternalLoads,
    faults: Vec<ScriptFault>,
    edges: HashSet<(FileId, FileId)>,
    used: Vec<ScriptUse>,
    loaded: Vec<(FileId, FileId)>,
    pub requests: Requests,
    links: usize,
    steps: Steps,
    amd: AmdPages,
}

impl<'s> Graph<'s> {
    /// Creates the graph of the scripts that pages run, with nothing followed yet.
    pub fn new(site: &'s Site<'s>, entry_points: Arc<Vec<PageEntryPoints>>) -> Self {
        let pages = Arc::clone(&entry_points);
        let mut graph = Graph {
            site,
            entry_points,
            sources: Vec::new(),
            source_of: HashMap::default(),
            texts: HashMap::default(),
            unread_texts: HashMap::new(),
            to_read: Vec::new(),
            realms: Vec::new(),
            realm_of: HashMap::new(),
            worker_realm_of: HashMap::new(),
            nodes: Vec::new(),
            node_of: HashMap::default(),
            nodes_of: HashMap::default(),
            pending: VecDeque::new(),
            document_loads: Vec::new(),
            known_bundle_loads: HashSet::new(),
            broken: HashMap::new(),
            external: ExternalLoads::default(),
            faults: Vec::new(),
            edges: HashSet::new(),
            used: Vec::new(),
            loaded: Vec::new(),
            requests: Requests::default(),
            links: 0,
            steps: Steps::default(),
            amd: AmdPages::default(),
        };
        // Messages name the first page that runs a script: people know the home page, and few visit the error page.
        let home = site.tree.find(INDEX.as_bytes());
        let rank = |page: &&PageEntryPoints| (Some(page.page) != home, site.is_error_page(page.page));
        let mut pages: Vec<&PageEntryPoints> = pages.iter().collect();
        pages.sort_by_cached_key(rank);
        for page in pages {
            graph.add_entry_points(page);
        }
        graph
    }

    fn add_entry_points(&mut self, page: &PageEntryPoints) {
        let realm = self.realm(page);
        let mut entries = Vec::new();
        for &(file, goal) in page.files.iter() {
            entries.extend(self.add_file(realm, file, goal, (None, page.page)));
        }
        for (text, goal, start) in &page.inline {
            let source = self.sources.len() as u32;
            let script = self.texts.get(text).cloned();
            if script.is_none() {
                let waiting = self.unread_texts.entry(text.clone()).or_default();
                if waiting.is_empty() {
                    self.to_read.push(ScriptToRead::Inline(text.clone()));
                }
                waiting.push(source);
            }
            self.sources.push(PlacedScript {
                file: page.page,
                start: *start,
                base: page.base(self.site),
                is_inline: true,
                is_entry: true,
                script,
                bundle_loads: Vec::new(),
            });
            // A map has no effect on modules before it (HTML, 8.1.6.2).
            let is_before_map = *goal == Goal::Module && page.late_map.is_some_and(|map| *start < map);
            let realm = if is_before_map { self.realm_without_map() } else { realm };
            let node = self.node(realm, source, (None, page.page));
            self.nodes[node as usize].is_run_as_classic = *goal == Goal::Script;
            entries.push(node);
        }
        self.add_page_loads(page, realm, entries);
    }

    /// Adds a script file that is run. Returns its node, if it is a script.
    fn add_file(
        &mut self,
        realm: u32,
        file: FileId,
        goal: Option<Goal>,
        from: (Option<u32>, FileId),
    ) -> Option<u32> {
        let path = self.site.tree.path(file);
        if !is_script_name(path)
            && (goal.is_none() || self.site.format(file) != Format::Other || is_data(path))
        {
            return None;
        }
        if !self.steps.spend(Steps::NODE) {
            return None;
        }
        let next = self.sources.len() as u32;
        let source = *self.source_of.entry(file).or_insert(next);
        if source == next {
            self.sources.push(PlacedScript {
                file,
                start: 0,
                base: self.site.resolver.document(file),
                is_inline: false,
                is_entry: false,
                script: None,
                bundle_loads: Vec::new(),
            });
            self.to_read.push(ScriptToRead::File(file));
        }
        let node = self.node(realm, source, from);
        self.nodes[node as usize].is_run_as_classic |= goal == Some(Goal::Script);
        self.sources[source as usize].is_entry |= goal.is_some() && from.0.is_none();
        Some(node)
    }

    fn node(&mut self, realm: u32, source: u32, (from, page): (Option<u32>, FileId)) -> u32 {
        let next = self.nodes.len() as u32;
        let node = *self.node_of.entry((realm, source)).or_insert(next);
        if node == next {
            let importers = Vec::new();
            self.nodes.push(Node { realm, source, from, page, importers, is_run_as_classic: false });
            self.nodes_of.entry(source).or_default().push(node);
            self.pending.push_back(node);
        }
        self.nodes[node as usize].importers.extend(from);
        node
    }

    /// Returns the scripts to read before the graph can be followed further; none if it is complete.
    pub fn take_unread(&mut self) -> Vec<ScriptToRead> {
        loop {
            self.follow_pending();
            if !self.to_read.is_empty() {
                return std::mem::take(&mut self.to_read);
            }
            self.follow_document_loads();
            self.follow_bundles(false);
            self.follow_amd(false);
            if !self.is_complete() {
                continue;
            }
            self.follow_bundles(true);
            if self.is_complete() {
                self.follow_amd(true);
                return Vec::new();
            }
        }
    }

    /// Whether everything that is known so far was followed.
    fn is_complete(&self) -> bool {
        self.to_read.is_empty() && self.pending.is_empty() && self.document_loads.is_empty()
    }

    /// Adds a script that was read.
    pub fn add_script(&mut self, to_read: ScriptToRead, script: Arc<Script>) {
        match to_read {
            ScriptToRead::File(file) => {
                if let Some(source) = self.source_of.get(&file) {
                    self.sources[*source as usize].script = Some(script);
                }
            }
            ScriptToRead::Inline(text) => {
                for source in self.unread_texts.remove(&text).unwrap_or_default() {
                    self.sources[source as usize].script = Some(script.clone());
                }
                self.texts.insert(text, script);
            }
        }
    }

    fn follow_pending(&mut self) {
        let mut unreadable = VecDeque::new();
        while let Some(node) = self.pending.pop_front() {
            let source = &self.sources[self.nodes[node as usize].source as usize];
            let Some(script) = source.script.clone() else {
                unreadable.push_back(node);
                continue;
            };
            let bundle_loads = source.bundle_loads.clone();
            for load in script.loads.iter().chain(&bundle_loads) {
                self.follow(node, load);
            }
        }
        self.pending = unreadable;
    }

    /// Follows a load of a script.
    fn follow(&mut self, node: u32, load: &ScriptLoad) {
        let Node { realm, source, .. } = self.nodes[node as usize];
        let (realm, source) = (&self.realms[realm as usize], &self.sources[source as usize]);
        let base = match load.relative_to {
            RelativeTo::Specifier => {
                match specifier::resolve(&load.address, &source.base, realm.specifiers.as_ref()) {
                    ResolvedSpecifier::Url(url) => {
                        let base = source.base.clone();
                        // A path from the root is more readable than its URL, if no import map changes it.
                        let is_unmapped = load.address.starts_with('/')
                            && base.join(&load.address).is_some_and(|own| own.as_str() == url);
                        let address = if is_unmapped { &*load.address } else { &url };
                        let target = self.resolve(load, &base, address);
                        self.record_target(node, load, target, (&base, address));
                    }
                    ResolvedSpecifier::Bare => self.record_bare_import(node, load),
                }
                return;
            }
            RelativeTo::Script => source.base.clone(),
            RelativeTo::Anywhere => {
                self.document_loads.push(DocumentLoad { node, load: load.clone() });
                return;
            }
            RelativeTo::Document | RelativeTo::MovablePath => match (&realm.document, source.is_inline) {
                (Some(worker), _) => worker.clone(),
                (None, true) => source.base.clone(),
                (None, false) if is_absolute(&load.address) => self.site.resolver.root(),
                (None, false) => {
                    self.document_loads.push(DocumentLoad { node, load: load.clone() });
                    return;
                }
            },
        };
        let target = self.resolve(load, &base, &load.address);
        self.record_target(node, load, target, (&base, &load.address));
    }

    fn resolve(&self, load: &ScriptLoad, base: &Base, address: &str) -> Target {
        let target = self.site.resolver.resolve(base, address, &mut Vec::new());
        self.site.reject_fallback_page(target, ReferenceKind::of_script(load.kind), base, address)
    }

    /// Records the target of a load.
    fn record_target(
        &mut self,
        node: u32,
        load: &ScriptLoad,
        target: Target,
        (base, address): (&Base, &str),
    ) {
        if let Some((load, moved)) = self.moved_load(load, target) {
            let root = self.site.resolver.root();
            return self.record_target(node, &load, moved, (&root, &load.address));
        }
        let Node { realm, source, page, .. } = self.nodes[node as usize];
        let PlacedScript { file, start, .. } = self.sources[source as usize];
        self.links += 1;
        self.requests.add((file, start), load, target, (base, address));
        match target {
            Target::File { file: target, route } => {
                let kind = ReferenceKind::of_script(load.kind);
                if self.edges.insert((file, target)) {
                    self.used.push((file, kind, (target, route)));
                }
                if kind.is_loaded() {
                    self.loaded.push((file, target));
                }
                let is_worker =
                    matches!(load.kind, LoadKind::ServiceWorker | LoadKind::Worker | LoadKind::Worklet);
                let realm = if is_worker { self.worker_realm(target) } else { realm };
                if load.goal.is_some() {
                    self.add_file(realm, target, load.goal, (Some(node), page));
                }
            }
            Target::Missing(reason) if load.grade != Grade::Uncertain => {
                let path = self.site.resolver.local_path(base, address).unwrap_or_default();
                let span = start + load.span.start..start + load.span.end;
                let key = (file, span.start, address.into());
                let trail = self.trail(node);
                let grade = missing_grade(load, &path, self.site);
                let broken = self.broken.entry(key).or_insert_with(|| BrokenLoad {
                    file,
                    span,
                    kind: ReferenceKind::of_script(load.kind),
                    address: load.address.clone(),
                    grade,
                    reason,
                    path: String::from_utf8_lossy(&path).into_owned(),
                    suggestion: None,
                    trail,
                });
                broken.grade = broken.grade.max(grade);
            }
            Target::External => self.external.add((file, start), load, (base, address)),
            _ => {}
        }
    }

    /// Returns the chain from a page to a script: the page, and the files between.
    fn trail(&self, node: u32) -> Vec<FileId> {
        let mut trail = Vec::new();
        let mut at = Some(node);
        while let (Some(current), true) = (at, trail.len() < MAX_TRAIL) {
            let Node { source, from, .. } = &self.nodes[current as usize];
            let source = &self.sources[*source as usize];
            if !source.is_inline {
                trail.push(source.file);
            }
            at = *from;
        }
        trail.push(self.nodes[node as usize].page);
        trail.reverse();
        trail
    }

    /// Returns a message if a limit stopped the graph.
    pub fn limit_message(&self) -> Option<&'static str> {
        self.steps.limit_message()
    }

    /// Returns the result, when there is nothing more to read.
    pub fn into_scripts(mut self) -> Scripts {
        self.add_faults();
        let mut broken: Vec<BrokenLoad> = self.broken.into_values().collect();
        broken.sort_by(|a, b| (a.file, a.span.start, &a.address).cmp(&(b.file, b.span.start, &b.address)));
        // A missing file that is imported need not be reported as preloaded or named, too.
        let needed: HashSet<String> =
            broken.iter().filter(|load| load.is_required()).map(|load| load.path.clone()).collect();
        let is_only_named = |kind| matches!(kind, ReferenceKind::JsPreload | ReferenceKind::JsImportMap);
        broken.retain(|load| !is_only_named(load.kind) || !needed.contains(&load.path));
        super::add_suggestions(self.site, &mut broken);
        let files = self.sources.iter().filter(|source| !source.is_inline);
        let mut counted = HashSet::new();
        // The interface of a search imports from a folder that another script may set.
        let has_search =
            self.known_bundle_loads.iter().any(|(_, address, _)| address.ends_with("pagefind.js"));
        let mut computed: Vec<(FileId, u32)> = Vec::new();
        for source in &self.sources {
            let script = source.script.as_ref().filter(|script| counted.insert(Arc::as_ptr(script)));
            let is_checked =
                |span: &&Range<u32>| has_search && script.is_some_and(|script| script.imports_search(span));
            let spans = script.iter().flat_map(|script| &script.computed).filter(|span| !is_checked(span));
            computed.extend(spans.map(|span| (source.file, source.start + span.start)));
        }
        computed.sort_unstable();
        let read = files.count();
        let external = self.external.sorted();
        let depths = depths(&self.edges);
        Scripts {
            broken,
            external,
            faults: self.faults,
            unmatched_speculations: Vec::new(),
            depths,
            read,
            computed,
            used: self.used,
            loaded: self.loaded,
            requests: self.requests.sorted(),
            links: self.links,
        }
    }
}
