//! Resolves the calls of all scripts of a build: one script calls for a chunk, and the runtime in another names its
//! file.
//!
//! Pages may have different runtimes, and workers have their own. The runtimes of a script are those that load it, or
//! for scripts of pages, all but those of workers.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use sitegate_address::{SitePath, UrlReference};

use super::runtime::{PublicPath, Runtime};
use super::webpack_script::{CallKind, RuntimeCall, WebpackScript};
use crate::facts::{BundleFact, BundledScript};
use crate::load::{Goal, Grade, LoadKind, RelativeTo, ScriptLoad};

/// Prefixes of webpack's default globals.
const GLOBALS: [&str; 3] = ["webpackChunk", "rspackChunk", "webpackJsonp"];

/// Returns the loads of webpack's builds. `is_all` means that there are no more scripts; then chunks without calls are
/// included.
pub(crate) fn loads(scripts: &[BundledScript], is_all: bool) -> Vec<(usize, ScriptLoad)> {
    let mut builds: Vec<Build<'_>> = Vec::new();
    let mut build_of: HashMap<&str, usize> = HashMap::new();
    for (index, bundled) in scripts.iter().enumerate() {
        let part = bundled.script.bundle_facts.iter().find_map(|piece| match piece {
            BundleFact::Webpack(part) => Some(&**part),
            _ => None,
        });
        let Some(part) = part else { continue };
        let global = global(part);
        let build = *build_of.entry(global).or_insert_with(|| {
            builds.push(Build::default());
            builds.len() - 1
        });
        builds[build].parts.push(BuildScript {
            index,
            part,
            path: &bundled.path,
            is_entry: bundled.is_entry,
        });
    }
    builds.iter_mut().for_each(Build::collect_facts);
    builds.iter().flat_map(|build| build.loads(is_all)).collect()
}

/// Returns the global that identifies a script's build; of several, the one with a default name.
fn global(part: &WebpackScript) -> &str {
    let is_usual = |global: &&&str| GLOBALS.iter().any(|begin| global.starts_with(begin));
    let globals: Vec<&str> = part.globals.iter().map(|global| &**global).collect();
    globals.iter().find(is_usual).or(globals.last()).copied().unwrap_or("")
}

/// Maximum number of runtimes per script, and of folders per chunk. With more, loads are uncertain.
const MAX_RUNTIMES: usize = 64;

#[derive(Default)]
struct Build<'s> {
    parts: Vec<BuildScript<'s>>,
    /// Chunks that any runtime knows.
    known: HashSet<&'s str>,
    /// Folders of scripts that pages run, by the chunks that they contain.
    folders_of_chunk: HashMap<&'s str, HashSet<&'s str>>,
    changes_public_path: bool,
}

/// A script of a build.
struct BuildScript<'s> {
    /// Index in the list of all scripts.
    index: usize,
    part: &'s WebpackScript,
    path: &'s str,
    /// Whether a page runs it.
    is_entry: bool,
}

/// A runtime, by its script and its index there.
type RuntimeId = (usize, usize);

impl<'s> Build<'s> {
    /// Collects the facts of all scripts.
    fn collect_facts(&mut self) {
        for BuildScript { part, path, is_entry, .. } in &self.parts {
            let part: &'s WebpackScript = part;
            self.known.extend(part.runtimes.iter().flat_map(Runtime::known));
            self.changes_public_path |= part.changes_public_path;
            if !is_entry {
                continue;
            }
            let folder: &'s str = SitePath::new(*path).folder();
            for id in &part.chunks {
                let folders = self.folders_of_chunk.entry(id).or_default();
                if folders.len() < MAX_RUNTIMES {
                    folders.insert(folder);
                }
            }
        }
    }

    fn loads(&self, is_all: bool) -> Vec<(usize, ScriptLoad)> {
        let users = self.users();
        let mut loads = Vec::new();
        for (index, member) in self.parts.iter().enumerate() {
            for call in member.part.calls.iter().filter(|call| !matches!(call.kind, CallKind::Prefetch(_))) {
                for file in self.resolve_call(call, self.runtimes_for(index, call, &users)) {
                    loads.push((member.index, file));
                }
            }
        }
        if is_all {
            self.add_uncalled_chunks(&users, &mut loads);
        }
        loads
    }

    fn runtime(&self, (part, index): RuntimeId) -> (&Runtime, &str) {
        (&self.parts[part].part.runtimes[index], self.parts[part].path)
    }

    /// Returns the runtimes that handle a call.
    fn runtimes_for(&self, part: usize, call: &RuntimeCall, users: &[Vec<RuntimeId>]) -> Vec<RuntimeId> {
        match (call.runtime, self.parts[part].part.runtimes.is_empty()) {
            (Some(own), _) => vec![(part, own)],
            (None, false) => vec![(part, 0)],
            (None, true) => users[part].clone(),
        }
    }

    /// Returns the runtimes of each script.
    fn users(&self) -> Vec<Vec<RuntimeId>> {
        let mut users: Vec<Vec<RuntimeId>> = vec![Vec::new(); self.parts.len()];
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut queue = VecDeque::new();
        for (index, member) in self.parts.iter().enumerate() {
            by_name.entry(SitePath::new(member.path).name()).or_default().push(index);
            queue.extend((0..member.part.runtimes.len()).map(|own| (index, (index, own))));
        }
        self.assign_users(&mut queue, &by_name, &mut users);
        let orphans: Vec<usize> = (0..self.parts.len()).filter(|index| users[*index].is_empty()).collect();
        let own = |(index, member): (usize, &BuildScript<'_>)| {
            let runtimes = member.part.runtimes.iter().enumerate().filter(|(_, runtime)| !runtime.is_worker);
            runtimes.map(|(own, _)| (index, own)).collect::<Vec<_>>()
        };
        for id in self.parts.iter().enumerate().flat_map(own).take(MAX_RUNTIMES) {
            queue.extend(orphans.iter().map(|orphan| (*orphan, id)));
        }
        self.assign_users(&mut queue, &by_name, &mut users);
        users
    }

    fn assign_users(
        &self,
        queue: &mut VecDeque<(usize, RuntimeId)>,
        by_name: &HashMap<&str, Vec<usize>>,
        users: &mut [Vec<RuntimeId>],
    ) {
        while let Some((part, id)) = queue.pop_front() {
            if users[part].len() >= MAX_RUNTIMES || users[part].contains(&id) {
                continue;
            }
            users[part].push(id);
            let (runtime, path) = self.runtime(id);
            for call in &self.parts[part].part.calls {
                let CallKind::Chunk(chunk) = &call.kind else { continue };
                if call.runtime.is_some_and(|own| own != id.1 || part != id.0) {
                    continue;
                }
                let Some(name) = runtime.script(chunk) else { continue };
                let (address, _) = address(runtime, path, &name);
                let address = UrlReference::new(&*address).path();
                let loaded = by_name.get(SitePath::new(address).name()).into_iter().flatten();
                let loaded = loaded.filter(|index| is_at(self.parts[**index].path, address));
                let loaded = loaded.filter(|index| self.parts[**index].part.runtimes.is_empty());
                queue.extend(loaded.map(|index| (*index, id)));
            }
        }
    }

    /// Returns the loads of a call. Of several runtimes, those that know the chunk are right. If none does and they
    /// disagree, only one of them is right.
    fn resolve_call(&self, call: &RuntimeCall, mut runtimes: Vec<RuntimeId>) -> Vec<ScriptLoad> {
        let mut is_certain = runtimes.len() < MAX_RUNTIMES;
        if let CallKind::Chunk(id) | CallKind::Worker(id, _) | CallKind::File(id) = &call.kind
            && runtimes.iter().any(|id_of_runtime| self.runtime(*id_of_runtime).0.knows(id))
        {
            runtimes.retain(|id_of_runtime| self.runtime(*id_of_runtime).0.knows(id));
            is_certain = true;
        }
        let mut files: BTreeMap<LoadKind, Vec<ScriptLoad>> = BTreeMap::new();
        for id_of_runtime in runtimes {
            for file in self.resolve_with(call, id_of_runtime) {
                let same = files.entry(file.kind).or_default();
                if !same.contains(&file) {
                    same.push(file);
                }
            }
        }
        let is_known = matches!(&call.kind, CallKind::Chunk(id) if self.known.contains(&**id));
        if let CallKind::Chunk(id) = &call.kind
            && let Some(folders) = self.folders_of_chunk.get(&**id)
        {
            for file in files.values_mut().flatten().filter(|file| file.kind == LoadKind::Chunk) {
                // A page has run a script that contains it, under another name.
                let folder = SitePath::new(&*file.address).folder();
                if folders.iter().any(|own| own.ends_with(folder)) {
                    file.grade = Grade::Uncertain;
                }
            }
        }
        for same in files.values_mut().filter(|same| !is_certain || same.len() > 1 && !is_known) {
            for file in same {
                file.grade = Grade::Uncertain;
            }
        }
        files.into_values().flatten().collect()
    }

    fn resolve_with(&self, call: &RuntimeCall, id_of_runtime: RuntimeId) -> Vec<ScriptLoad> {
        let (runtime, path) = self.runtime(id_of_runtime);
        let is_computed = runtime.public_path == PublicPath::Computed;
        let grade = if is_computed { Grade::Uncertain } else { Grade::Required };
        let is_movable = !is_computed && self.is_public_path_movable(runtime);
        let named = |kind, goal, (address, relative_to)| {
            let relative_to = if is_movable { RelativeTo::MovablePath } else { relative_to };
            ScriptLoad { relative_to, grade, goal, ..ScriptLoad::new(kind, address, call.span.clone()) }
        };
        let chunk = |kind, goal, name: String| named(kind, goal, address(runtime, path, &name));
        let public_file = |kind, name: &str| named(kind, None, public_address(runtime, path, name));
        let chunks = Some(if runtime.module_folder.is_some() { Goal::Module } else { Goal::Script });
        let file: Vec<Option<ScriptLoad>> = match &call.kind {
            CallKind::Chunk(id) | CallKind::Prefetch(id) => vec![
                runtime.script(id).map(|name| chunk(LoadKind::Chunk, chunks, name)),
                runtime.style(id).map(|name| public_file(LoadKind::Style, &name)),
            ],
            CallKind::Worker(id, goal) => {
                vec![runtime.file(id).map(|name| chunk(LoadKind::Worker, Some(*goal), name))]
            }
            CallKind::File(id) => vec![runtime.file(id).map(|name| chunk(LoadKind::Chunk, chunks, name))],
            CallKind::Asset(name) => vec![Some(public_file(LoadKind::Asset, name))],
            CallKind::Wasm(arguments) => vec![runtime.wasm(arguments).map(|(name, is_public)| {
                let file = public_file(LoadKind::Asset, &name);
                let relative_to = RelativeTo::Document;
                if is_public { file } else { ScriptLoad { address: name.into(), relative_to, ..file } }
            })],
        };
        file.into_iter().flatten().collect()
    }

    /// Whether scripts may set another public path at run time. Next.js only changes it for external assets.
    fn is_public_path_movable(&self, runtime: &Runtime) -> bool {
        let is_next = matches!(&runtime.public_path, PublicPath::Written(path) if path.contains("/_next/"));
        self.changes_public_path && !is_next
    }

    /// Adds chunks that are only prefetched, or that a runtime knows but no script calls for.
    fn add_uncalled_chunks(&self, users: &[Vec<RuntimeId>], loads: &mut Vec<(usize, ScriptLoad)>) {
        let mut known: HashSet<&str> = HashSet::new();
        for call in self.parts.iter().flat_map(|member| &member.part.calls) {
            if let CallKind::Chunk(id) | CallKind::Worker(id, _) | CallKind::File(id) = &call.kind {
                known.insert(id);
            }
        }
        let spare =
            |file: ScriptLoad| ScriptLoad { grade: Grade::Optional.min(file.grade), goal: None, ..file };
        for (index, member) in self.parts.iter().enumerate() {
            for call in &member.part.calls {
                let CallKind::Prefetch(id) = &call.kind else { continue };
                if known.insert(id) {
                    let files = self.resolve_call(call, self.runtimes_for(index, call, users));
                    loads.extend(files.into_iter().map(|file| (member.index, spare(file))));
                }
            }
        }
        for (index, member) in self.parts.iter().enumerate() {
            for (own, runtime) in member.part.runtimes.iter().enumerate() {
                for id in runtime.ids().filter(|id| !known.contains(id)) {
                    let call = RuntimeCall {
                        kind: CallKind::Chunk(id.into()),
                        runtime: None,
                        span: runtime.span.clone(),
                    };
                    let files = self.resolve_with(&call, (index, own));
                    loads.extend(files.into_iter().map(|file| (member.index, spare(file))));
                }
            }
        }
    }
}

/// Returns the URL of a chunk's script.
fn address(runtime: &Runtime, path: &str, name: &str) -> (String, RelativeTo) {
    match &runtime.module_folder {
        Some(folder) if !folder.is_empty() => {
            (relative_to_root(path, &format!("{folder}{name}")), RelativeTo::Document)
        }
        _ => public_address(runtime, path, name),
    }
}

/// Returns a URL below the public path.
fn public_address(runtime: &Runtime, path: &str, name: &str) -> (String, RelativeTo) {
    match &runtime.public_path {
        PublicPath::Written(public_path) => (format!("{public_path}{name}"), RelativeTo::Document),
        PublicPath::Folder(suffix) => {
            (relative_to_root(path, &format!("{suffix}{name}")), RelativeTo::Document)
        }
        PublicPath::Computed => (name.to_owned(), RelativeTo::Anywhere),
    }
}

/// Resolves a path relative to a script to a path from the root.
fn relative_to_root(path: &str, relative: &str) -> String {
    let reference = UrlReference::new(relative);
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    for part in reference.path().split('/') {
        match part {
            // The first part is empty, before the root's slash.
            ".." if folders.len() > 1 => drop(folders.pop()),
            "." | ".." => {}
            part => folders.push(part),
        }
    }
    folders.join("/") + reference.query_and_fragment()
}

/// Whether a URL may be that of a script.
fn is_at(path: &str, address: &str) -> bool {
    let relative = address.strip_prefix("./").unwrap_or(address);
    if address.starts_with('/') {
        path == address
    } else if relative.contains("://") {
        relative.ends_with(path)
    } else {
        path.strip_suffix(relative).is_some_and(|folder| folder.ends_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::{is_at, relative_to_root};

    #[test]
    fn resolves_paths_relative_to_a_script() {
        assert_eq!(relative_to_root("/js/main.js", "../js/407.js?a/../b"), "/js/407.js?a/../b");
        assert_eq!(relative_to_root("/main.js", "../../x.js"), "/x.js");
        assert_eq!(relative_to_root("/sub/js/main.js", "./x.js"), "/sub/js/x.js");
    }

    #[test]
    fn matches_the_end_of_urls() {
        assert!(is_at("/sub/js/407.js", "js/407.js"));
        assert!(!is_at("/sub/xjs/407.js", "js/407.js"));
        assert!(is_at("/js/407.js", "/js/407.js"));
        assert!(is_at("/js/407.js", "https://example.com/js/407.js"));
        assert!(!is_at("/sub/js/407.js", "/js/407.js"));
    }
}
