//! Compares `sitegate redirects` with a simple model of random changes. `commands/redirects.txt` has its other tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{folder, json, sitegate, write};
use crate::sample::rounds;

const CONTRACT: &str = "[site]\norigin = \"https://www.example.com\"\n";

/// Runs the command, and returns its exit code with its JSON. Files of folders without a repository may be written.
fn redirects(folder: &Path, args: &[&str]) -> (i32, Value) {
    let allowed: &[&str] = if args.contains(&"--write") { &["--allow-dirty"] } else { &[] };
    let output = sitegate(folder, &[&["redirects", "--format", "json"], args, allowed].concat());
    (output.status.code().unwrap(), json(&output))
}

/// Returns 120 words that differ for each name.
fn words(name: &str) -> String {
    let seed = name.bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let words = (1..=120_u64).map(|number| format!("w{}", seed.wrapping_mul(number).rotate_left(17) % 9973));
    words.collect::<Vec<String>>().join(" ")
}

fn page(title: &str, content: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <nav><a href=\"/\">Home of all pages</a></nav><h1 id=\"top\">{title}</h1><p>{content}</p>"
    )
}

/// Returns a page whose content nothing else has.
fn unique(title: &str) -> String {
    page(title, &words(title))
}

/// Writes two exports: `old` and `new`.
fn exports(old: &[(&str, String)], new: &[(&str, String)]) -> TempDir {
    let folder = folder(&[("sitegate.toml", CONTRACT)]);
    for (name, pages) in [("old", old), ("new", new)] {
        write(folder.path(), &format!("{name}/index.html"), &unique("Home"));
        pages.iter().for_each(|(path, text)| write(folder.path(), &format!("{name}/{path}"), text));
    }
    folder
}

/// What happens to a page between two releases.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Stays,
    IsRenamed,
    IsRenamedAndEdited,
    IsDeleted,
    /// Another page takes its address.
    IsReplaced,
}

const CHANGES: [Change; 5] =
    [Change::Stays, Change::IsRenamed, Change::IsRenamedAndEdited, Change::IsDeleted, Change::IsReplaced];

/// Names of pages that are not similar to one another.
const NAMES: [&str; 8] = ["apples", "bicycle", "curtain", "dolphin", "engine", "forest", "guitar", "harbour"];

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(64) as u32, failure_persistence: None, ..Default::default() })]

    /// Lost addresses and certain proposals are those of a simple model.
    #[test]
    fn follows_random_changes(changes in prop::collection::vec(prop::sample::select(&CHANGES[..]), 1..8)) {
        let mut old: Vec<(&str, String)> = Vec::new();
        let mut new: Vec<(&str, String)> = Vec::new();
        let mut expected: BTreeMap<String, Option<String>> = BTreeMap::new();
        for (name, change) in NAMES.iter().zip(&changes) {
            let path: &str = format!("{name}/index.html").leak();
            let moved: &str = format!("moved/to-{}/index.html", name.chars().rev().collect::<String>()).leak();
            let address = format!("/{}", path.trim_end_matches("index.html"));
            let destination = format!("/{}", moved.trim_end_matches("index.html"));
            old.push((path, unique(name)));
            match change {
                Change::Stays => new.push((path, unique(name))),
                Change::IsRenamed => {
                    new.push((moved, unique(name)));
                    expected.insert(address, Some(destination));
                }
                Change::IsRenamedAndEdited => {
                    new.push((moved, page(name, &format!("{} A new last sentence", words(name)))));
                    expected.insert(address, Some(destination));
                }
                Change::IsDeleted => { expected.insert(address, None); }
                Change::IsReplaced => {
                    new.push((path, page("Other", &words(&format!("other {name}")))));
                    new.push((moved, unique(name)));
                }
            }
        }
        let folder = exports(&old, &new);
        let (code, document) = redirects(folder.path(), &["new", "--before", "old"]);
        prop_assert_eq!(code, i32::from(!expected.is_empty()));
        let proposals = &document["proposals"];
        prop_assert_eq!(proposals["lost"].as_u64(), Some(expected.len() as u64));
        let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
        for redirect in proposals["redirects"].as_array().unwrap() {
            prop_assert_eq!(&redirect["certainty"], "certain");
            let text = |key: &str| redirect[key].as_str().unwrap().to_owned();
            found.insert(text("from"), Some(text("to")));
        }
        let unexplained = proposals["unexplained"].as_array().unwrap();
        found.extend(unexplained.iter().map(|address| (address.as_str().unwrap().to_owned(), None)));
        prop_assert_eq!(found, expected.clone());

        // All certain redirects are added, and then only pages without a proposal are lost.
        redirects(folder.path(), &["new", "--before", "old", "--write"]);
        let (_, document) = redirects(folder.path(), &["new", "--before", "old"]);
        let lost: BTreeSet<&str> =
            document["proposals"]["unexplained"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
        let deleted: BTreeSet<&str> =
            expected.iter().filter(|(_, to)| to.is_none()).map(|(from, _)| from.as_str()).collect();
        prop_assert_eq!(lost, deleted);
        // A restored page needs no redirect.
        for (path, text) in &old {
            write(folder.path(), &format!("new/{path}"), text);
        }
        let (code, _) = redirects(folder.path(), &["new", "--before", "old"]);
        prop_assert_eq!(code, 0);
    }
}

/// Ids of headings that are not similar to one another.
const IDS: [&str; 6] = ["quartz", "velvet", "thunder", "blossom", "jigsaw", "mackerel"];

/// What happens to a heading between two releases.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HeadingChange {
    Stays,
    IsDeleted,
    /// It is on another page.
    Moves,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(32) as u32, failure_persistence: None, ..Default::default() })]

    /// Lost anchors and their present addresses are those of a simple model.
    #[test]
    fn follows_random_changes_of_headings(
        changes in prop::collection::vec(
            prop::sample::select(vec![HeadingChange::Stays, HeadingChange::IsDeleted, HeadingChange::Moves]),
            IDS.len(),
        )
    ) {
        let with = |ids: Vec<&str>| {
            let headings: String = ids.iter().map(|id| format!("<h2 id=\"{id}\">{id}</h2>")).collect();
            page("Page", &headings)
        };
        let those = |change| {
            IDS.iter().zip(&changes).filter(|(_, one)| **one == change).map(|(id, _)| *id).collect::<Vec<&str>>()
        };
        let old = [("a/index.html", with(IDS.to_vec())), ("b/index.html", with(Vec::new()))];
        let new = [
            ("a/index.html", with(those(HeadingChange::Stays))),
            ("b/index.html", with(those(HeadingChange::Moves))),
        ];
        let folder = exports(&old, &new);
        let (code, document) = redirects(folder.path(), &["new", "--before", "old"]);
        prop_assert_eq!((code, &document["proposals"]["lost"]), (0, &Value::from(0)));
        let anchors = document["proposals"]["anchors"].as_array().unwrap();
        let found: BTreeMap<&str, Option<&str>> =
            anchors.iter().map(|anchor| (anchor["from"].as_str().unwrap(), anchor["to"].as_str())).collect();
        let expected: BTreeMap<String, Option<String>> = IDS
            .iter()
            .zip(&changes)
            .filter(|(_, change)| **change != HeadingChange::Stays)
            .map(|(id, change)| {
                let moved = (*change == HeadingChange::Moves).then(|| format!("/b/#{id}"));
                (format!("/a/#{id}"), moved)
            })
            .collect();
        let expected: BTreeMap<&str, Option<&str>> =
            expected.iter().map(|(from, to)| (from.as_str(), to.as_deref())).collect();
        prop_assert_eq!(found, expected);
    }
}
