//! What the scripts of one build ask for together: a chunk is asked for in one, named by the runtime in another.
//!
//! Pages may have a runtime each, and workers have their own; so a script is told by those runtimes that ask for it, or, as
//! what pages run themselves, by all but the workers'.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::part::{Ask, Part, What};
use super::runtime::{Public, Runtime};
use crate::facts::{BundlePiece, Bundled};
use crate::load::{Against, Goal, Grade, LoadKind, ScriptLoad};

/// How the globals begin that a build has without being told.
const GLOBALS: [&str; 3] = ["webpackChunk", "rspackChunk", "webpackJsonp"];

/// What the scripts of webpack's builds load. `is_all` says that there are no more scripts to come: then chunks that nobody
/// asks for in words are told of, too.
pub(crate) fn loads(scripts: &[Bundled], is_all: bool) -> Vec<(usize, ScriptLoad)> {
    let mut builds: Vec<Build<'_>> = Vec::new();
    let mut build_of: HashMap<&str, usize> = HashMap::new();
    for (index, bundled) in scripts.iter().enumerate() {
        let part = bundled.script.pieces.iter().find_map(|piece| match piece {
            BundlePiece::Webpack(part) => Some(&**part),
            _ => None,
        });
        let Some(part) = part else { continue };
        let global = global(part);
        let build = *build_of.entry(global).or_insert_with(|| {
            builds.push(Build::default());
            builds.len() - 1
        });
        builds[build].parts.push(Member { index, part, path: &bundled.path, is_entry: bundled.is_entry });
    }
    builds.iter_mut().for_each(Build::make_ready);
    builds.iter().flat_map(|build| build.loads(is_all)).collect()
}

/// The global that tells a script's build: where it has several, the one that is named as they are.
fn global(part: &Part) -> &str {
    let is_usual = |global: &&&str| GLOBALS.iter().any(|begin| global.starts_with(begin));
    let globals: Vec<&str> = part.globals.iter().map(|global| &**global).collect();
    globals.iter().find(is_usual).or(globals.last()).copied().unwrap_or("")
}

/// Runtimes that a script is told by, and folders that a chunk may be brought from, at the most: what the others say is not sure.
const MOST: usize = 64;

#[derive(Default)]
struct Build<'s> {
    parts: Vec<Member<'s>>,
    /// The chunks that any runtime knows.
    known: HashSet<&'s str>,
    /// The folders of the scripts that pages run, by the chunks that they bring.
    brought: HashMap<&'s str, HashSet<&'s str>>,
    moves_public_path: bool,
}

/// A script of a build.
struct Member<'s> {
    /// Its place in the list of all.
    index: usize,
    part: &'s Part,
    path: &'s str,
    /// Whether a page runs it.
    is_entry: bool,
}

/// A runtime, by its script and its place there.
type RuntimeId = (usize, usize);

/// An address that a runtime makes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    kind: LoadKind,
    address: String,
    against: Against,
    grade: Grade,
    goal: Option<Goal>,
}

impl<'s> Build<'s> {
    /// Gathers what all scripts say together.
    fn make_ready(&mut self) {
        for Member { part, path, is_entry, .. } in &self.parts {
            let part: &'s Part = part;
            self.known.extend(part.runtimes.iter().flat_map(Runtime::known));
            self.moves_public_path |= part.moves_public_path;
            if !is_entry {
                continue;
            }
            let folder: &'s str = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            for id in &part.brings {
                let folders = self.brought.entry(id).or_default();
                if folders.len() < MOST {
                    folders.insert(folder);
                }
            }
        }
    }

    fn loads(&self, is_all: bool) -> Vec<(usize, ScriptLoad)> {
        let users = self.users();
        let mut loads = Vec::new();
        for (index, member) in self.parts.iter().enumerate() {
            for ask in member.part.asks.iter().filter(|ask| !matches!(ask.what, What::Ahead(_))) {
                for named in self.answers(ask, self.asked(index, ask, &users)) {
                    loads.push((member.index, named.at(ask.span.clone())));
                }
            }
        }
        if is_all {
            self.leftovers(&users, &mut loads);
        }
        loads
    }

    fn runtime(&self, (part, index): RuntimeId) -> (&Runtime, &str) {
        (&self.parts[part].part.runtimes[index], self.parts[part].path)
    }

    /// The runtimes that something is asked of.
    fn asked(&self, part: usize, ask: &Ask, users: &[Vec<RuntimeId>]) -> Vec<RuntimeId> {
        match (ask.runtime, self.parts[part].part.runtimes.is_empty()) {
            (Some(own), _) => vec![(part, own)],
            (None, false) => vec![(part, 0)],
            (None, true) => users[part].clone(),
        }
    }

    /// Which runtimes run which script.
    fn users(&self) -> Vec<Vec<RuntimeId>> {
        let mut users: Vec<Vec<RuntimeId>> = vec![Vec::new(); self.parts.len()];
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut queue = VecDeque::new();
        for (index, member) in self.parts.iter().enumerate() {
            by_name.entry(last_name(member.path)).or_default().push(index);
            queue.extend((0..member.part.runtimes.len()).map(|own| (index, (index, own))));
        }
        self.spread(&mut queue, &by_name, &mut users);
        let orphans: Vec<usize> = (0..self.parts.len()).filter(|index| users[*index].is_empty()).collect();
        let own = |(index, member): (usize, &Member<'_>)| {
            let runtimes = member.part.runtimes.iter().enumerate().filter(|(_, runtime)| !runtime.is_worker);
            runtimes.map(|(own, _)| (index, own)).collect::<Vec<_>>()
        };
        for id in self.parts.iter().enumerate().flat_map(own).take(MOST) {
            queue.extend(orphans.iter().map(|orphan| (*orphan, id)));
        }
        self.spread(&mut queue, &by_name, &mut users);
        users
    }

    fn spread(
        &self,
        queue: &mut VecDeque<(usize, RuntimeId)>,
        by_name: &HashMap<&str, Vec<usize>>,
        users: &mut [Vec<RuntimeId>],
    ) {
        while let Some((part, id)) = queue.pop_front() {
            if users[part].len() >= MOST || users[part].contains(&id) {
                continue;
            }
            users[part].push(id);
            let (runtime, path) = self.runtime(id);
            for ask in &self.parts[part].part.asks {
                let What::Chunk(chunk) = &ask.what else { continue };
                if ask.runtime.is_some_and(|own| own != id.1 || part != id.0) {
                    continue;
                }
                let Some(name) = runtime.script(chunk) else { continue };
                let (address, _) = address(runtime, path, &name);
                let address = address.split(['?', '#']).next().unwrap_or(&address);
                let there = by_name.get(last_name(address)).into_iter().flatten();
                let there = there.filter(|index| is_at(self.parts[**index].path, address));
                let there = there.filter(|index| self.parts[**index].part.runtimes.is_empty());
                queue.extend(there.map(|index| (*index, id)));
            }
        }
    }

    /// What is loaded for an ask. Of several runtimes those are right that know the chunk; where none does, and they do not
    /// agree, one of them is.
    fn answers(&self, ask: &Ask, mut asked: Vec<RuntimeId>) -> Vec<Named> {
        let mut is_sure = asked.len() < MOST;
        if let What::Chunk(id) | What::Worker(id, _) | What::File(id) = &ask.what
            && asked.iter().any(|of| self.runtime(*of).0.knows(id))
        {
            asked.retain(|of| self.runtime(*of).0.knows(id));
            is_sure = true;
        }
        let mut answers: BTreeMap<LoadKind, Vec<Named>> = BTreeMap::new();
        for of in asked {
            for named in self.answer(ask, of) {
                let same = answers.entry(named.kind).or_default();
                if !same.contains(&named) {
                    same.push(named);
                }
            }
        }
        let is_known = matches!(&ask.what, What::Chunk(id) if self.known.contains(&**id));
        if let What::Chunk(id) = &ask.what
            && let Some(folders) = self.brought.get(&**id)
        {
            for named in answers.values_mut().flatten().filter(|named| named.kind == LoadKind::Chunk) {
                // A page has run a script that brings it, under another name.
                let folder = named.address.rsplit_once('/').map_or("", |(folder, _)| folder);
                if folders.iter().any(|own| own.ends_with(folder)) {
                    named.grade = Grade::Seen;
                }
            }
        }
        for same in answers.values_mut().filter(|same| !is_sure || same.len() > 1 && !is_known) {
            for named in same {
                named.grade = Grade::Seen;
            }
        }
        answers.into_values().flatten().collect()
    }

    fn answer(&self, ask: &Ask, of: RuntimeId) -> Vec<Named> {
        let (runtime, path) = self.runtime(of);
        let grade = self.grade(runtime);
        let chunk = |kind, goal, name: String| {
            let (address, against) = address(runtime, path, &name);
            Named { kind, address, against, grade, goal }
        };
        let chunks = Some(if runtime.module_folder.is_some() { Goal::Module } else { Goal::Script });
        let named: Vec<Option<Named>> = match &ask.what {
            What::Chunk(id) | What::Ahead(id) => vec![
                runtime.script(id).map(|name| chunk(LoadKind::Chunk, chunks, name)),
                runtime.style(id).map(|name| {
                    let (address, against) = public_address(runtime, path, &name);
                    Named { kind: LoadKind::Style, address, against, grade, goal: None }
                }),
            ],
            What::Worker(id, goal) => {
                vec![runtime.file(id).map(|name| chunk(LoadKind::Worker, Some(*goal), name))]
            }
            What::File(id) => vec![runtime.file(id).map(|name| chunk(LoadKind::Chunk, chunks, name))],
            What::Asset(name) => {
                let (address, against) = public_address(runtime, path, name);
                vec![Some(Named { kind: LoadKind::Asset, address, against, grade, goal: None })]
            }
            What::Wasm(arguments) => vec![runtime.wasm(arguments).map(|(name, is_public)| {
                let (address, against) =
                    if is_public { public_address(runtime, path, &name) } else { (name, Against::Document) };
                Named { kind: LoadKind::Asset, address, against, grade, goal: None }
            })],
        };
        named.into_iter().flatten().collect()
    }

    /// How sure addresses are: a public path may be another where it is only known when the script runs. Next.js sets it anew
    /// for assets from another host only.
    fn grade(&self, runtime: &Runtime) -> Grade {
        match &runtime.public {
            Public::Computed => Grade::Seen,
            Public::Written(path) if path.contains("/_next/") => Grade::Needed,
            _ if self.moves_public_path => Grade::Spare,
            _ => Grade::Needed,
        }
    }

    /// Chunks that are only fetched ahead, or that a runtime knows though no script asks for them in words.
    fn leftovers(&self, users: &[Vec<RuntimeId>], loads: &mut Vec<(usize, ScriptLoad)>) {
        let mut known: HashSet<&str> = HashSet::new();
        for ask in self.parts.iter().flat_map(|member| &member.part.asks) {
            if let What::Chunk(id) | What::Worker(id, _) | What::File(id) = &ask.what {
                known.insert(id);
            }
        }
        let spare = |named: Named, span: &Range<u32>| {
            Named { grade: Grade::Spare.min(named.grade), goal: None, ..named }.at(span.clone())
        };
        for (index, member) in self.parts.iter().enumerate() {
            for ask in &member.part.asks {
                let What::Ahead(id) = &ask.what else { continue };
                if known.insert(id) {
                    let answers = self.answers(ask, self.asked(index, ask, users));
                    loads.extend(answers.into_iter().map(|named| (member.index, spare(named, &ask.span))));
                }
            }
        }
        for (index, member) in self.parts.iter().enumerate() {
            for (own, runtime) in member.part.runtimes.iter().enumerate() {
                for id in runtime.ids().filter(|id| !known.contains(id)) {
                    let ask = Ask { what: What::Chunk(id.into()), runtime: None, span: runtime.span.clone() };
                    let answers = self.answer(&ask, (index, own));
                    loads.extend(answers.into_iter().map(|named| (member.index, spare(named, &ask.span))));
                }
            }
        }
    }
}

impl Named {
    fn at(self, span: Range<u32>) -> ScriptLoad {
        let Named { kind, address, against, grade, goal } = self;
        ScriptLoad { kind, address: address.into(), against, grade, goal, span }
    }
}

/// The address of a chunk's script.
fn address(runtime: &Runtime, path: &str, name: &str) -> (String, Against) {
    match &runtime.module_folder {
        Some(folder) if !folder.is_empty() => (beside(path, &format!("{folder}{name}")), Against::Document),
        _ => public_address(runtime, path, name),
    }
}

/// What is behind the public path.
fn public_address(runtime: &Runtime, path: &str, name: &str) -> (String, Against) {
    match &runtime.public {
        Public::Written(public) => (format!("{public}{name}"), Against::Document),
        Public::Folder(suffix) => (beside(path, &format!("{suffix}{name}")), Against::Document),
        Public::Computed => (name.to_owned(), Against::Anywhere),
    }
}

/// A path from the root, for one that is relative to a script.
fn beside(path: &str, relative: &str) -> String {
    let (relative, query) = match relative.find(['?', '#']) {
        Some(at) => relative.split_at(at),
        None => (relative, ""),
    };
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    for part in relative.split('/') {
        match part {
            // The first is what stands before the root's slash.
            ".." if folders.len() > 1 => drop(folders.pop()),
            "." | ".." => {}
            part => folders.push(part),
        }
    }
    folders.join("/") + query
}

/// Whether an address may be that of a script.
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

fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{beside, is_at};

    #[test]
    fn paths_beside_a_script_are_told_from_the_root() {
        assert_eq!(beside("/js/main.js", "../js/407.js?a/../b"), "/js/407.js?a/../b");
        assert_eq!(beside("/main.js", "../../x.js"), "/x.js");
        assert_eq!(beside("/sub/js/main.js", "./x.js"), "/sub/js/x.js");
    }

    #[test]
    fn addresses_are_matched_as_far_as_they_go() {
        assert!(is_at("/sub/js/407.js", "js/407.js"));
        assert!(!is_at("/sub/xjs/407.js", "js/407.js"));
        assert!(is_at("/js/407.js", "/js/407.js"));
        assert!(is_at("/js/407.js", "https://example.com/js/407.js"));
        assert!(!is_at("/sub/js/407.js", "/js/407.js"));
    }
}
