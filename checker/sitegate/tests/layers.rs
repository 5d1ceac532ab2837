//! Checks the architecture: in each crate, no file imports from a layer above its own, and there are no import cycles.
//! Between crates, the compiler checks the same.
//!
//! `layers.txt` has the layers of each crate, from the lowest to the highest. A file may import from its own layer and from
//! lower ones. A name is a file or a folder below `src`; the longest that matches a file counts.
//!
//! Imports are read from the sources: `use` declarations, and paths that begin with `crate::`, `super::` or a module
//! declared in the same file. Unit tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// Names in layers, from the lowest to the highest.
type Layers = Vec<Vec<&'static str>>;

/// The layers of each crate.
static LAYERS: LazyLock<Vec<(&str, Layers)>> = LazyLock::new(|| {
    let crates = include_str!("layers.txt").trim_end().split("\n\n").map(|layers| {
        let (krate, layers) = layers.split_once('\n').unwrap();
        (krate, layers.lines().map(|layer| layer.split_whitespace().collect()).collect())
    });
    crates.collect()
});

/// An import and its location.
struct Import {
    from: String,
    to: String,
    line: usize,
}

fn find_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => find_sources(&path, found),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            false => {}
        }
    }
}

/// Returns a file's module path: `parse/html/mod.rs` is `parse/html`, and `lib.rs` is the crate itself.
fn module_path(file: &str) -> String {
    let stem = file.trim_end_matches(".rs");
    match stem {
        "lib" | "main" => String::new(),
        stem => stem.strip_suffix("/mod").unwrap_or(stem).to_owned(),
    }
}

/// Reads the sources of a crate, without comments and unit tests, by file.
fn read_sources(krate: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(krate).join("src");
    let mut files = Vec::new();
    find_sources(&root, &mut files);
    let comment = Regex::new(r"(?m)//.*$").unwrap();
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    files
        .iter()
        .map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            (name(path), comment.replace_all(text, "").into_owned())
        })
        .collect()
}

/// Expands `a::{b, c::{d, e}}` to `a::b`, `a::c::d`, `a::c::e`.
fn expand_use_tree(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else {
        return vec![tree.split(" as ").next().unwrap().trim().to_owned()];
    };
    let (prefix, rest) = (tree[..open].trim(), &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())]);
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in rest.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&rest[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&rest[start..]);
    let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(expand_use_tree).map(|part| format!("{prefix}{part}")).collect()
}

/// Resolves a path in a file to the module that it names or is in. Returns `None` for other crates.
fn resolve_module(
    path: &str,
    from: &str,
    modules: &BTreeMap<String, String>,
    children: &BTreeSet<&str>,
) -> Option<String> {
    let mut segments: Vec<&str> = path.split("::").map(str::trim).collect();
    let mut at: Vec<&str> = from.split('/').filter(|part| !part.is_empty()).collect();
    match segments[0] {
        "crate" => at.clear(),
        "self" => {}
        "super" => {
            at.pop();
            while segments.get(1) == Some(&"super") {
                segments.remove(0);
                at.pop();
            }
        }
        first if children.contains(first) => segments.insert(0, "self"),
        _ => return None,
    }
    for segment in &segments[1..] {
        let mut deeper = at.clone();
        deeper.push(segment);
        if !modules.contains_key(&deeper.join("/")) {
            break;
        }
        at = deeper;
    }
    Some(at.join("/"))
}

fn imports(files: &BTreeMap<String, String>) -> Vec<Import> {
    let modules: BTreeMap<String, String> =
        files.keys().map(|file| (module_path(file), file.clone())).collect();
    let uses = Regex::new(r"(?m)^\s*(?:pub(?:\([a-z]+\))?\s+)?use\s+([^;]+);").unwrap();
    let declared = Regex::new(r"(?m)^\s*(?:pub(?:\([a-z]+\))?\s+)?mod\s+(\w+);").unwrap();
    let inline = Regex::new(r"(?:^|[^\w:])([a-z_]+(?:::\w+)+)").unwrap();
    let mut found = Vec::new();
    for (file, text) in files {
        let from = module_path(file);
        let children: BTreeSet<&str> =
            declared.captures_iter(text).map(|found| found.get(1).unwrap().as_str()).collect();
        let mut paths: Vec<(usize, String)> = Vec::new();
        for used in uses.captures_iter(text) {
            let tree = used.get(1).unwrap();
            paths.extend(expand_use_tree(tree.as_str()).into_iter().map(|path| (tree.start(), path)));
        }
        let without_uses = uses.replace_all(text, |used: &regex::Captures<'_>| " ".repeat(used[0].len()));
        for used in inline.captures_iter(&without_uses) {
            let path = used.get(1).unwrap();
            paths.push((path.start(), path.as_str().to_owned()));
        }
        for (at, path) in paths {
            if let Some(to) = resolve_module(&path, &from, &modules, &children)
                && to != from
            {
                let line = text[..at].matches('\n').count() + 1;
                found.push(Import { from: file.clone(), to: modules[&to].clone(), line });
            }
        }
    }
    found
}

/// Returns the layer of a file, counted from 0, or `None` if the file is in no layer.
fn layer_of(file: &str, layers: &[Vec<&str>]) -> Option<usize> {
    let stem = file.trim_end_matches(".rs");
    let fits = |name: &&&str| stem == **name || stem.starts_with(&format!("{name}/"));
    let best = layers.iter().flat_map(|names| names.iter()).filter(fits).max_by_key(|name| name.len())?;
    layers.iter().position(|names| names.contains(best))
}

#[test]
fn no_import_is_from_a_higher_layer() {
    let mut wrong = String::new();
    for (krate, layers) in LAYERS.iter() {
        let files = read_sources(krate);
        for file in files.keys().filter(|file| layer_of(file, layers).is_none()) {
            writeln!(wrong, "checker/{krate}/src/{file}: is in no layer; add it to layers.txt").unwrap();
        }
        for Import { from, to, line } in imports(&files) {
            if layer_of(&to, layers).is_some_and(|to| layer_of(&from, layers).is_some_and(|from| from < to)) {
                writeln!(wrong, "checker/{krate}/src/{from}:{line}: imports from a higher layer: {to}")
                    .unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Repeatedly removes files that import no remaining file, or that no remaining file imports. The rest are in import
/// cycles.
fn find_cycles(mut edges: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let imported: BTreeSet<String> = edges.values().flatten().cloned().collect();
        let before = edges.len();
        edges.retain(|from, to| !to.is_empty() && imported.contains(from));
        let left: BTreeSet<String> = edges.keys().cloned().collect();
        edges.values_mut().for_each(|to| to.retain(|file| left.contains(file)));
        if edges.len() == before {
            return edges;
        }
    }
}

#[test]
fn there_are_no_import_cycles() {
    let mut wrong = String::new();
    for (krate, _) in LAYERS.iter() {
        let files = read_sources(krate);
        let mut edges: BTreeMap<String, BTreeSet<String>> =
            files.keys().map(|file| (file.clone(), BTreeSet::new())).collect();
        for import in imports(&files) {
            edges.entry(import.from).or_default().insert(import.to);
        }
        for (from, to) in find_cycles(edges) {
            let to: Vec<String> = to.into_iter().collect();
            writeln!(wrong, "checker/{krate}/src/{from} imports {}", to.join(", ")).unwrap();
        }
    }
    assert!(wrong.is_empty(), "these files are in import cycles, or between two of them:\n{wrong}");
}

#[test]
fn type_names_are_unique() {
    let defined = Regex::new(r"(?m)^(?:pub(?:\([a-z]+\))?\s+)?(?:struct|enum|trait|type)\s+(\w+)").unwrap();
    // Every command has its own arguments, and every crate its own error.
    let shared = ["Args", "Error"];
    // A program without the network has this file instead of others, with the same items.
    let instead = "offline.rs";
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (krate, _) in LAYERS.iter() {
        for (file, text) in read_sources(krate).into_iter().filter(|(file, _)| file != instead) {
            for found in defined.captures_iter(&text) {
                files.entry(found[1].to_owned()).or_default().push(format!("checker/{krate}/src/{file}"));
            }
        }
    }
    let duplicates: Vec<String> = files
        .into_iter()
        .filter(|(name, files)| files.len() > 1 && !shared.contains(&name.as_str()))
        .map(|(name, files)| format!("{name}: {}", files.join(", ")))
        .collect();
    assert!(duplicates.is_empty(), "\n{}", duplicates.join("\n"));
}
