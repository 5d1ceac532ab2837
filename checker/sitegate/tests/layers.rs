//! Holds the house to its direction: inside each crate no file imports from a layer above its own, and no circle of
//! files import each other. Between crates the compiler sees to it.
//!
//! Imports are read from the sources: `use` declarations, and paths that begin with `crate::`, `super::` or a module
//! declared in the same file. Unit tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The layers of each crate, from the ground up: a file may import from its own layer and from those before it.
/// A name is a file or a folder below `src`; the longest one that fits a file counts.
const LAYERS: &[(&str, &[&[&str]])] = &[
    (
        "base",
        &[
            &[
                "atomic_file",
                "chunks",
                "hashed_name",
                "hex",
                "host_name",
                "json",
                "plural",
                "sanitize",
                "url_secrets",
            ],
            &["file_name", "language_tag", "nearest"],
            &["path_variants"],
            &["lib"],
        ],
    ),
    (
        "script",
        &[
            &["load", "nesting", "prefilter"],
            &["bundlers/webpack", "facts", "syntax"],
            &["address"],
            &["bundlers", "config", "import_map", "speculation"],
            &["data", "reader"],
            &["read"],
            &["lib"],
        ],
    ),
    (
        "check",
        &[
            &["walk", "external"],
            &["report/excerpt"],
            &["raw_finding"],
            &["contract"],
            &["resolve"],
            &["parse"],
            &["generator"],
            &["deployment"],
            &["project"],
            &["index"],
            &["rules"],
            &["report"],
            &["source_map", "seal"],
            &["assemble"],
            &["scan", "output"],
            &["check"],
            &["init"],
            &["lib"],
        ],
    ),
    ("hosting", &[&["error", "headers", "media", "compression"], &["preview", "edge"], &["lib"]]),
    (
        "network",
        &[
            &["address", "profiles"],
            &["resolver"],
            &["settings", "request_failure", "progress"],
            &["error", "pace", "robots", "certificate"],
            &["client", "scheduler"],
            &["request"],
            &["link_request", "fetched"],
            &["url_state"],
            &["external", "crawler"],
            &["external_check", "cache", "dry_run", "crawl"],
            &["lib"],
        ],
    ),
    (
        "publish",
        &[
            &["failure", "events"],
            &["stop"],
            &["aws"],
            &["release/lineage"],
            &["release/manifest"],
            &["target"],
            &["aws/cloudfront", "release"],
            &["target_state", "path_conflicts", "plan"],
            &["publisher", "verify", "history", "recovery", "precompressed"],
            &["gc", "post_publish", "publication", "repair", "status", "unlock"],
            &["rollback"],
            &["publish"],
            &["lib"],
        ],
    ),
    (
        "sitegate",
        &[
            &["error"],
            &["terminal"],
            &["global", "progress"],
            &["export", "external", "external_without_network", "store", "outputs", "plan_output", "watch"],
            &["live", "release"],
            &["commands"],
            &["cli"],
            &["main"],
        ],
    ),
];

/// One import, where it stands.
struct Import {
    from: String,
    to: String,
    line: usize,
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|ending| ending == "rs") => found.push(path),
            false => {}
        }
    }
}

/// A file's module path: `parse/html/mod.rs` is `parse/html`, and `lib.rs` is the crate itself.
fn module(file: &str) -> String {
    let stem = file.trim_end_matches(".rs");
    match stem {
        "lib" | "main" => String::new(),
        stem => stem.strip_suffix("/mod").unwrap_or(stem).to_owned(),
    }
}

/// The sources of a crate without comments and unit tests, by file.
fn read(krate: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(krate).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let comment = Regex::new(r"(?m)//.*$").unwrap();
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    files
        .iter()
        .map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            (name(path), comment.replace_all(text, "").into_owned())
        })
        .collect()
}

/// Spells out `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`.
fn spelt_out(tree: &str) -> Vec<String> {
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
    parts.flat_map(spelt_out).map(|part| format!("{prefix}{part}")).collect()
}

/// The module that a path names or lies in, seen from a file; none for other crates.
fn target(
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
    let modules: BTreeMap<String, String> = files.keys().map(|file| (module(file), file.clone())).collect();
    let uses = Regex::new(r"(?m)^\s*(?:pub(?:\([a-z]+\))?\s+)?use\s+([^;]+);").unwrap();
    let declared = Regex::new(r"(?m)^\s*(?:pub(?:\([a-z]+\))?\s+)?mod\s+(\w+);").unwrap();
    let inline = Regex::new(r"(?:^|[^\w:])([a-z_]+(?:::\w+)+)").unwrap();
    let mut found = Vec::new();
    for (file, text) in files {
        let from = module(file);
        let children: BTreeSet<&str> =
            declared.captures_iter(text).map(|found| found.get(1).unwrap().as_str()).collect();
        let mut paths: Vec<(usize, String)> = Vec::new();
        for used in uses.captures_iter(text) {
            let tree = used.get(1).unwrap();
            paths.extend(spelt_out(tree.as_str()).into_iter().map(|path| (tree.start(), path)));
        }
        let without_uses = uses.replace_all(text, |used: &regex::Captures<'_>| " ".repeat(used[0].len()));
        for used in inline.captures_iter(&without_uses) {
            let path = used.get(1).unwrap();
            paths.push((path.start(), path.as_str().to_owned()));
        }
        for (at, path) in paths {
            if let Some(to) = target(&path, &from, &modules, &children)
                && to != from
            {
                let line = text[..at].matches('\n').count() + 1;
                found.push(Import { from: file.clone(), to: modules[&to].clone(), line });
            }
        }
    }
    found
}

/// The layer of a file, from 0; none where the list does not have it.
fn layer(file: &str, layers: &[&[&str]]) -> Option<usize> {
    let stem = file.trim_end_matches(".rs");
    let fits = |name: &&&str| stem == **name || stem.starts_with(&format!("{name}/"));
    let best = layers.iter().flat_map(|names| names.iter()).filter(fits).max_by_key(|name| name.len())?;
    layers.iter().position(|names| names.contains(best))
}

#[test]
fn no_import_runs_upwards() {
    let mut wrong = String::new();
    for (krate, layers) in LAYERS {
        let files = read(krate);
        for file in files.keys().filter(|file| layer(file, layers).is_none()) {
            writeln!(wrong, "checker/{krate}/src/{file}: stands in no layer; give it one in LAYERS").unwrap();
        }
        for Import { from, to, line } in imports(&files) {
            if layer(&to, layers).is_some_and(|to| layer(&from, layers).is_some_and(|from| from < to)) {
                writeln!(wrong, "checker/{krate}/src/{from}:{line}: imports upwards, from {to}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Takes files away that import nothing that is left, or that nothing left imports, over and over: what stays is
/// tied in circles.
fn in_circles(mut arrows: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let imported: BTreeSet<String> = arrows.values().flatten().cloned().collect();
        let before = arrows.len();
        arrows.retain(|from, to| !to.is_empty() && imported.contains(from));
        let left: BTreeSet<String> = arrows.keys().cloned().collect();
        arrows.values_mut().for_each(|to| to.retain(|file| left.contains(file)));
        if arrows.len() == before {
            return arrows;
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut wrong = String::new();
    for (krate, _) in LAYERS {
        let files = read(krate);
        let mut arrows: BTreeMap<String, BTreeSet<String>> =
            files.keys().map(|file| (file.clone(), BTreeSet::new())).collect();
        for import in imports(&files) {
            arrows.entry(import.from).or_default().insert(import.to);
        }
        for (from, to) in in_circles(arrows) {
            let to: Vec<String> = to.into_iter().collect();
            writeln!(wrong, "checker/{krate}/src/{from} imports {}", to.join(", ")).unwrap();
        }
    }
    assert!(wrong.is_empty(), "these files import each other in circles, or stand between two:\n{wrong}");
}

#[test]
fn no_type_name_stands_twice() {
    let defined = Regex::new(r"(?m)^(?:pub(?:\([a-z]+\))?\s+)?(?:struct|enum|trait|type)\s+(\w+)").unwrap();
    // Every command has its own arguments, and every crate its own error.
    let shared = ["Args", "Error"];
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (krate, _) in LAYERS {
        for (file, text) in read(krate) {
            for found in defined.captures_iter(&text) {
                places.entry(found[1].to_owned()).or_default().push(format!("checker/{krate}/src/{file}"));
            }
        }
    }
    let twice: Vec<String> = places
        .into_iter()
        .filter(|(name, places)| places.len() > 1 && !shared.contains(&name.as_str()))
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert!(twice.is_empty(), "\n{}", twice.join("\n"));
}
