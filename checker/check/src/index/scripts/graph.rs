//! The graph: which script asks for which, from the pages on. Reading is left to the scan: the graph says what it wants
//! read, and takes what was.

mod bundles;
mod documents;
mod steps;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use steps::Steps;

use super::depths::depths;
use super::entrances::Entrance;
use super::foreign::ForeignLoads;
use super::meant::suggest;
use super::specifier::{self, Names, Specified};
use super::{DeadLoad, FaultKind, ScriptFault, ScriptUse, Scripts};
use crate::index::site::Site;
use crate::parse::{Format, ReferenceKind};
use crate::resolve::{Base, Target};
use crate::walk::FileId;
use sitegate_script::{Against, Goal, Grade, ImportMap, LoadKind, Script, ScriptLoad};

/// Scripts between a page and a file beyond this many are not named.
const MAX_TRAIL: usize = 8;

/// A script that is to be read.
#[derive(Clone, Debug)]
pub(crate) enum WantedScript {
    File(FileId),
    Inline(Arc<str>),
}

/// A script in one place.
struct PlacedScript {
    /// The file that it is, or stands in.
    file: FileId,
    /// Where it begins there.
    start: u32,
    /// What its own references are relative to.
    base: Base,
    is_inline: bool,
    /// Whether a page runs it by itself.
    is_entry: bool,
    /// `None` until it was read.
    script: Option<Arc<Script>>,
    /// What other scripts of its bundle say that it loads.
    of_bundle: Vec<ScriptLoad>,
}

/// Where names mean the same: pages with one import map, or one worker.
struct Realm {
    names: Option<Names>,
    /// What documents' references are relative to, where that is one for all: in a worker.
    document: Option<Base>,
}

/// A script in a realm.
struct Node {
    realm: u32,
    source: u32,
    /// The script that asked for it first; `None` for a page itself.
    from: Option<u32>,
    /// The page that runs it first.
    page: FileId,
    importers: Vec<u32>,
    is_run_as_classic: bool,
}

/// A load of a node whose address is relative to whichever document runs it.
struct OpenLoad {
    node: u32,
    load: ScriptLoad,
}

/// Whether a file is a script by its name: then it is always wanted where a page runs it.
pub(crate) fn is_script_name(path: &[u8]) -> bool {
    [".js", ".mjs", ".cjs"].iter().any(|ending| path.ends_with(ending.as_bytes()))
}

pub(crate) struct Graph<'s> {
    site: &'s Site<'s>,
    entrances: Arc<Vec<Entrance>>,
    sources: Vec<PlacedScript>,
    source_of: HashMap<FileId, u32>,
    texts: HashMap<Arc<str>, Arc<Script>>,
    /// The texts of inline sources that are not read yet.
    unread_texts: HashMap<Arc<str>, Vec<u32>>,
    wanted: Vec<WantedScript>,
    realms: Vec<Realm>,
    realm_of: HashMap<(Option<Arc<ImportMap>>, Option<String>), u32>,
    worker_realm_of: HashMap<FileId, u32>,
    nodes: Vec<Node>,
    node_of: HashMap<(u32, u32), u32>,
    /// The nodes of each source.
    nodes_of: HashMap<u32, Vec<u32>>,
    /// Nodes whose loads are not followed yet.
    pending: VecDeque<u32>,
    open: Vec<OpenLoad>,
    known_of_bundles: HashSet<(u32, Box<str>, LoadKind)>,
    dead: HashMap<(FileId, u32, Box<str>), DeadLoad>,
    foreign: ForeignLoads,
    faults: Vec<ScriptFault>,
    edges: HashSet<(FileId, FileId)>,
    used: Vec<ScriptUse>,
    loaded: Vec<(FileId, FileId)>,
    links: usize,
    steps: Steps,
}

impl<'s> Graph<'s> {
    /// The graph of what pages run, with nothing followed yet.
    pub fn new(site: &'s Site<'s>, entrances: Arc<Vec<Entrance>>) -> Self {
        let mut graph = Graph {
            site,
            entrances: Arc::clone(&entrances),
            sources: Vec::new(),
            source_of: HashMap::new(),
            texts: HashMap::new(),
            unread_texts: HashMap::new(),
            wanted: Vec::new(),
            realms: Vec::new(),
            realm_of: HashMap::new(),
            worker_realm_of: HashMap::new(),
            nodes: Vec::new(),
            node_of: HashMap::new(),
            nodes_of: HashMap::new(),
            pending: VecDeque::new(),
            open: Vec::new(),
            known_of_bundles: HashSet::new(),
            dead: HashMap::new(),
            foreign: ForeignLoads::default(),
            faults: Vec::new(),
            edges: HashSet::new(),
            used: Vec::new(),
            loaded: Vec::new(),
            links: 0,
            steps: Steps::default(),
        };
        for entrance in entrances.iter() {
            graph.enter(entrance);
        }
        graph
    }

    fn enter(&mut self, entrance: &Entrance) {
        let realm = self.realm(entrance);
        for &(file, goal) in entrance.files.iter() {
            self.reach(realm, file, goal, (None, entrance.page));
        }
        for (text, goal, start) in &entrance.inline {
            let source = self.sources.len() as u32;
            let script = self.texts.get(text).cloned();
            if script.is_none() {
                let waiting = self.unread_texts.entry(text.clone()).or_default();
                if waiting.is_empty() {
                    self.wanted.push(WantedScript::Inline(text.clone()));
                }
                waiting.push(source);
            }
            self.sources.push(PlacedScript {
                file: entrance.page,
                start: *start,
                base: entrance.base(self.site),
                is_inline: true,
                is_entry: true,
                script,
                of_bundle: Vec::new(),
            });
            let node = self.node(realm, source, (None, entrance.page));
            self.nodes[node as usize].is_run_as_classic = *goal == Goal::Script;
        }
    }

    /// The realm of a page: pages share it where specifiers mean the same.
    fn realm(&mut self, entrance: &Entrance) -> u32 {
        let is_relative = |map: &ImportMap| {
            let mut all = map.scopes.iter().flat_map(|(_, inside)| inside).chain(&map.imports);
            let begins = |address: &str| address.starts_with('.');
            all.any(|one| begins(&one.specifier) || one.address.as_deref().is_some_and(begins))
                || map.scopes.iter().any(|(prefix, _)| !is_absolute(prefix))
        };
        let map = entrance.map.clone();
        let folder = map
            .as_deref()
            .is_some_and(is_relative)
            .then(|| entrance.base(self.site).join(".").map(String::from));
        let key = (map.clone(), folder.flatten());
        let next = self.realms.len() as u32;
        let realm = *self.realm_of.entry(key).or_insert(next);
        if realm == next {
            let names = map.map(|map| Names::new(&map, &entrance.base(self.site)));
            self.realms.push(Realm { names, document: None });
        }
        realm
    }

    /// The realm of a worker: it knows no import map, and its own URL is the document's.
    fn worker_realm(&mut self, file: FileId) -> u32 {
        let next = self.realms.len() as u32;
        let realm = *self.worker_realm_of.entry(file).or_insert(next);
        if realm == next {
            let base = self.site.resolver.document(file);
            self.realms.push(Realm { names: None, document: Some(base) });
        }
        realm
    }

    /// A script file is run.
    fn reach(&mut self, realm: u32, file: FileId, goal: Option<Goal>, from: (Option<u32>, FileId)) {
        let path = self.site.tree.path(file);
        if !is_script_name(path)
            && (goal.is_none() || self.site.format(file) != Format::Other || is_data(path))
        {
            return;
        }
        if !self.steps.take(Steps::NODE) {
            return;
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
                of_bundle: Vec::new(),
            });
            self.wanted.push(WantedScript::File(file));
        }
        let node = self.node(realm, source, from);
        self.nodes[node as usize].is_run_as_classic |= goal == Some(Goal::Script);
        self.sources[source as usize].is_entry |= goal.is_some() && from.0.is_none();
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

    /// What is to be read before the graph can be followed on; nothing, where all of it is known.
    pub fn wanted(&mut self) -> Vec<WantedScript> {
        loop {
            self.follow_pending();
            if !self.wanted.is_empty() {
                return std::mem::take(&mut self.wanted);
            }
            self.settle_open();
            self.follow_bundles(false);
            if !self.is_settled() {
                continue;
            }
            self.follow_bundles(true);
            if self.is_settled() {
                return Vec::new();
            }
        }
    }

    /// Whether all that is known so far has been followed.
    fn is_settled(&self) -> bool {
        self.wanted.is_empty() && self.pending.is_empty() && self.open.is_empty()
    }

    /// Takes a script that was read.
    pub fn take(&mut self, wanted: WantedScript, script: Arc<Script>) {
        match wanted {
            WantedScript::File(file) => {
                if let Some(source) = self.source_of.get(&file) {
                    self.sources[*source as usize].script = Some(script);
                }
            }
            WantedScript::Inline(text) => {
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
            let of_bundle = source.of_bundle.clone();
            for load in script.loads.iter().chain(&of_bundle) {
                self.follow(node, load);
            }
        }
        self.pending = unreadable;
    }

    /// Follows what a script loads.
    fn follow(&mut self, node: u32, load: &ScriptLoad) {
        let Node { realm, source, .. } = self.nodes[node as usize];
        let (realm, source) = (&self.realms[realm as usize], &self.sources[source as usize]);
        let base = match load.against {
            Against::Specifier => {
                match specifier::resolve(&load.address, &source.base, realm.names.as_ref()) {
                    Specified::Url(url) => {
                        let base = source.base.clone();
                        // A path from the root says more than the URL that it means, where no map changes it.
                        let is_as_written = load.address.starts_with('/')
                            && base.join(&load.address).is_some_and(|own| own.as_str() == url);
                        let address = if is_as_written { &*load.address } else { &url };
                        let target = self.resolve(load, &base, address);
                        self.arrive(node, load, target, (&base, address));
                    }
                    Specified::Bare => self.bare(node, load),
                }
                return;
            }
            Against::Script => source.base.clone(),
            Against::Anywhere => {
                self.open.push(OpenLoad { node, load: load.clone() });
                return;
            }
            Against::Document => match (&realm.document, source.is_inline) {
                (Some(worker), _) => worker.clone(),
                (None, true) => source.base.clone(),
                (None, false) if is_absolute(&load.address) => self.site.resolver.root(),
                (None, false) => {
                    self.open.push(OpenLoad { node, load: load.clone() });
                    return;
                }
            },
        };
        let target = self.resolve(load, &base, &load.address);
        self.arrive(node, load, target, (&base, &load.address));
    }

    fn resolve(&self, load: &ScriptLoad, base: &Base, address: &str) -> Target {
        let target = self.site.resolver.resolve(base, address, &mut Vec::new());
        self.site.unless_page(target, ReferenceKind::of_script(load.kind), base, address)
    }

    /// A load has led somewhere.
    fn arrive(&mut self, node: u32, load: &ScriptLoad, target: Target, (base, address): (&Base, &str)) {
        let Node { realm, source, page, .. } = self.nodes[node as usize];
        let PlacedScript { file, start, .. } = self.sources[source as usize];
        self.links += 1;
        match target {
            Target::File { file: target, route } => {
                let kind = ReferenceKind::of_script(load.kind);
                if self.edges.insert((file, target)) {
                    self.used.push((file, kind, (target, route)));
                }
                if kind.is_loaded() {
                    self.loaded.push((file, target));
                }
                let is_worker = matches!(load.kind, LoadKind::Worker | LoadKind::ServiceWorker);
                let realm = if is_worker { self.worker_realm(target) } else { realm };
                if load.goal.is_some() {
                    self.reach(realm, target, load.goal, (Some(node), page));
                }
            }
            Target::Missing(reason) if load.grade != Grade::Seen => {
                let path = self.site.resolver.local_path(base, address).unwrap_or_default();
                let span = start + load.span.start..start + load.span.end;
                let key = (file, span.start, address.into());
                let trail = self.trail(node);
                let dead = self.dead.entry(key).or_insert_with(|| DeadLoad {
                    file,
                    span,
                    kind: ReferenceKind::of_script(load.kind),
                    address: load.address.clone(),
                    grade: load.grade,
                    reason,
                    path: String::from_utf8_lossy(&path).into_owned(),
                    near: None,
                    trail,
                });
                dead.grade = dead.grade.max(load.grade);
            }
            Target::External => self.foreign.add((file, start), load, (base, address)),
            _ => {}
        }
    }

    /// A name that no import map has: a static import of it always fails, and one that is made while the script runs
    /// is often meant for another place than browsers.
    fn bare(&mut self, node: u32, load: &ScriptLoad) {
        if load.kind == LoadKind::Import {
            let PlacedScript { file, start, .. } = self.sources[self.nodes[node as usize].source as usize];
            let span = start + load.span.start..start + load.span.end;
            let what = FaultKind::BareSpecifier(load.address.clone());
            self.faults.push(ScriptFault { file, span, what, trail: self.trail(node) });
        }
    }

    /// How a page gets to a script: the page, and the files between.
    fn trail(&self, node: u32) -> Vec<FileId> {
        let mut trail = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at.filter(|_| trail.len() < MAX_TRAIL) {
            let Node { source, from, .. } = &self.nodes[node as usize];
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

    /// Why not all was followed, where that is so.
    pub fn cut(&self) -> Option<&'static str> {
        self.steps.cut()
    }

    /// All that was learnt, once nothing is wanted any more.
    pub fn finish(mut self) -> Scripts {
        for index in 0..self.nodes.len() {
            let Node { source, is_run_as_classic, .. } = self.nodes[index];
            let PlacedScript { file, start, .. } = self.sources[source as usize];
            let Some(script) = self.sources[source as usize].script.clone() else { continue };
            let mut found = Vec::new();
            if let (true, Some(span)) = (is_run_as_classic, &script.module_syntax) {
                found.push((span.clone(), FaultKind::RunAsClassic));
            }
            if let Some(error) = &script.unreadable {
                found.push((error.offset()..error.offset(), FaultKind::Unreadable(error.to_string())));
            }
            for (span, what) in found {
                let span = start + span.start..start + span.end;
                self.faults.push(ScriptFault { file, span, what, trail: self.trail(index as u32) });
            }
        }
        self.faults.sort_by_key(|fault| (fault.file, fault.span.start));
        self.faults.dedup_by(|a, b| (a.file, &a.span, &a.what) == (b.file, &b.span, &b.what));
        let mut dead: Vec<DeadLoad> = self.dead.into_values().collect();
        dead.sort_by(|a, b| (a.file, a.span.start, &a.address).cmp(&(b.file, b.span.start, &b.address)));
        // What is imported in vain need not be said to be preloaded in vain.
        let needed: HashSet<String> =
            dead.iter().filter(|load| load.grade == Grade::Needed).map(|load| load.path.clone()).collect();
        dead.retain(|load| load.kind != ReferenceKind::JsPreload || !needed.contains(&load.path));
        suggest(self.site, &mut dead);
        let files = self.sources.iter().filter(|source| !source.is_inline);
        let mut counted = HashSet::new();
        let computed = self.sources.iter().filter_map(|source| {
            let script = source.script.as_ref()?;
            counted.insert(Arc::as_ptr(script)).then(|| script.computed.len())
        });
        let (computed, read) = (computed.sum(), files.count());
        let foreign = self.foreign.sorted();
        let depths = depths(&self.edges);
        Scripts {
            dead,
            foreign,
            faults: self.faults,
            idle: Vec::new(),
            depths,
            read,
            computed,
            used: self.used,
            loaded: self.loaded,
            links: self.links,
        }
    }
}

/// Whether a file is surely no script, whatever asks for it.
fn is_data(path: &[u8]) -> bool {
    [".json", ".wasm", ".map", ".png", ".jpg", ".webp", ".avif", ".gif", ".ico", ".woff", ".woff2", ".txt"]
        .iter()
        .any(|ending| path.ends_with(ending.as_bytes()))
}

/// Whether an address is the same from every document of the site.
fn is_absolute(address: &str) -> bool {
    address.starts_with('/') || url::Url::parse(address).is_ok()
}
