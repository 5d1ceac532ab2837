//! Tests of `sitegate redirects`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{folder, git, sitegate, write};
use crate::sample::rounds;

const CONTRACT: &str = "[site]\norigin = \"https://www.example.com\"\n";

/// Runs the command, and returns its exit code with its JSON. Files of folders without a repository may be written.
fn redirects(folder: &Path, args: &[&str]) -> (i32, Value) {
    let allowed: &[&str] = if args.contains(&"--write") { &["--allow-dirty"] } else { &[] };
    let output = sitegate(folder, &[&["redirects", "--format", "json"], args, allowed].concat());
    let document = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap(), document)
}

/// Returns the proposals as `certain /from /to`.
fn proposals(document: &Value) -> Vec<String> {
    let redirects = document["proposals"]["redirects"].as_array().unwrap();
    let text = |redirect: &Value, key: &str| redirect[key].as_str().unwrap().to_owned();
    let line = |redirect: &Value| ["certainty", "from", "to"].map(|key| text(redirect, key)).join(" ");
    redirects.iter().map(line).collect()
}

fn error(folder: &Path, args: &[&str]) -> String {
    let output = sitegate(folder, &[&["redirects"], args].concat());
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
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

#[test]
fn finds_moved_pages_by_content() {
    let old = [
        ("install.html", unique("Install")),
        ("about.html", page("About", "short")),
        ("gone/index.html", unique("Gone")),
        ("twice/index.html", unique("Twice")),
        ("manual.pdf", "%PDF-1.4\n%%EOF".to_owned()),
        ("part/index.html", page("Part", &words("Part"))),
    ];
    let new = [
        ("setup/install/index.html", page("Install", &format!("{} and a sentence more", words("Install")))),
        ("about/index.html", page("About", "short")),
        ("first/index.html", unique("Twice")),
        ("second/index.html", unique("Twice")),
        ("files/manual-2.pdf", "%PDF-1.4\n%%EOF".to_owned()),
        ("whole/index.html", page("Whole", &format!("{} {}", words("Part"), words("Other")))),
    ];
    let folder = exports(&old, &new);
    write(folder.path(), "kept.txt", "/manual.pdf\n");
    write(folder.path(), "sitegate.toml", &format!("{CONTRACT}[permalinks]\nkeep = [\"kept.txt\"]\n"));
    let (code, document) = redirects(folder.path(), &["new", "--before", "old"]);
    assert_eq!(code, 1);
    assert_eq!(
        proposals(&document),
        [
            "certain /about.html /about/",
            "certain /install.html /setup/install/",
            "certain /manual.pdf /files/manual-2.pdf",
            "likely /part/ /whole/",
            "likely /twice/ /first/",
        ]
    );
    assert_eq!(document["proposals"]["unexplained"], serde_json::json!(["/gone/"]));
    assert_eq!(document["written"], Value::Null);

    let output = sitegate(folder.path(), &["redirects", "new", "--before", "old", "--color", "never"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for line in [
        "6 of 7 addresses are lost\n",
        "\nCertain (3)\n  /about.html\n    → /about/\n      only the form of the address differs\n",
        "\nCandidates (2): check them before you add them\n  /part/\n    → /whole/\n",
        "\nNo proposal (1): keep the page, redirect it, or list it in `gone`\n  /gone/\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn a_pattern_replaces_redirects_of_a_whole_folder() {
    let names = ["a", "b", "deep/c"];
    let in_folder =
        |folder: &str| names.map(|name| (format!("{folder}/{name}/index.html"), unique(name))).to_vec();
    let as_pages = |pages: &[(String, String)]| -> Vec<(&'static str, String)> {
        pages.iter().map(|(path, text)| (&*path.clone().leak(), text.clone())).collect()
    };
    let (old, new) = (as_pages(&in_folder("docs")), as_pages(&in_folder("guides")));
    let folder = exports(&old, &new);
    let (_, document) = redirects(folder.path(), &["new", "--before", "old"]);
    assert_eq!(proposals(&document), ["certain /docs/* /guides/:splat"]);
    // A page that stays, or an address that other lists keep, would be redirected, too.
    write(folder.path(), "old/docs/stays/index.html", &unique("Stays"));
    write(folder.path(), "new/docs/stays/index.html", &unique("Stays"));
    let (_, document) = redirects(folder.path(), &["new", "--before", "old"]);
    assert_eq!(proposals(&document).len(), 3);
    // The contract has no patterns.
    let (code, document) = redirects(folder.path(), &["new", "--before", "old", "--write"]);
    assert_eq!((code, &document["written"]), (0, &Value::from("sitegate.toml")));
    let (code, document) = redirects(folder.path(), &["new", "--before", "old"]);
    assert_eq!((code, &document["proposals"]["lost"]), (0, &Value::from(0)));
}

#[test]
fn writes_to_the_source_of_the_redirects_file() {
    let old = ["x", "y", "größe"].map(|name| (format!("{name}.html"), unique(name)));
    let new = ["x", "y", "größe"].map(|name| (format!("in/{name}.html"), unique(name)));
    let of = |pages: &'static [(String, String)]| -> Vec<(&str, String)> {
        pages.iter().map(|(path, text)| (path.as_str(), text.clone())).collect()
    };
    let folder = exports(&of(Box::leak(Box::new(old))), &of(Box::leak(Box::new(new))));
    let lines = "# Ours\r\n/z  /in/x.html  302\r\n/*  /404.html  404\r\n";
    write(folder.path(), "new/_redirects", lines);
    let before = ["new", "--before", "old", "--write"];
    let message = error(folder.path(), &before);
    assert!(message.contains("no single source with the same content was found"), "{message}");
    write(folder.path(), "public/_redirects", lines);
    let (code, document) = redirects(folder.path(), &before);
    assert_eq!((code, &document["written"]), (0, &Value::from("public/_redirects")), "{document:#}");
    let written = fs::read_to_string(folder.path().join("public/_redirects")).unwrap();
    assert_eq!(
        written,
        "# Ours\r\n/z  /in/x.html  302\r\n/gr%C3%B6%C3%9Fe.html  /in/gr%C3%B6%C3%9Fe.html  301\r\n\
         /x.html  /in/x.html  301\r\n/y.html  /in/y.html  301\r\n/*  /404.html  404\r\n"
    );
    // The next build has them.
    fs::copy(folder.path().join("public/_redirects"), folder.path().join("new/_redirects")).unwrap();
    let (code, document) = redirects(folder.path(), &before);
    assert_eq!((code, &document["written"]), (0, &Value::Null), "{document:#}");
    assert_eq!(fs::read_to_string(folder.path().join("public/_redirects")).unwrap(), written);
}

#[test]
fn writes_to_the_contract_and_keeps_the_rest() {
    let old = [("größe/index.html", unique("Size")), ("x/index.html", unique("x")), ("kept", unique("k"))];
    let new = [("size/index.html", unique("Size")), ("y/index.html", unique("x"))];
    let folder = exports(&old, &new);
    let contract = "# Ours\r\n[site]\r\norigin = \"https://www.example.com\"\r\nbase-path = \"/p/\"\r\n\
                    [permalinks]\r\nkeep = [\"kept.txt\"]\r\ngone = [{ paths = [\"/p/kept\"], reason = \"old\" }]";
    write(folder.path(), "sitegate.toml", contract);
    write(folder.path(), "kept.txt", "/p/x\n/p/x/\n");
    let (code, document) = redirects(folder.path(), &["new", "--before", "old", "--write"]);
    assert_eq!(code, 1, "{document:#}");
    let reason = "`from` of `[[redirects]]` has only plain ASCII characters";
    let refused = serde_json::json!([{ "from": "/p/größe/", "to": "/p/size/", "reason": reason }]);
    assert_eq!(document["refused"], refused);
    let written = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
    let table = "\r\n\r\n[[redirects]]\r\nfrom = \"/x\"\r\nto = \"/p/y/\"";
    assert_eq!(written, format!("{contract}{table}"));
}

#[test]
fn writes_below_the_inferred_base_path() {
    let at = |path: &str, title: &str| {
        let link =
            format!("<title>{title}</title><link rel=canonical href=https://www.example.com/latest/{path}>");
        unique(title).replace(&format!("<title>{title}</title>"), &link)
    };
    for redirects_file in [false, true] {
        let folder = exports(&[("x.html", at("x.html", "x"))], &[("y.html", at("y.html", "x"))]);
        for name in ["old/index.html", "new/index.html"] {
            write(folder.path(), name, &at("", "Home"));
        }
        if redirects_file {
            write(folder.path(), "new/_redirects", "# Ours\n");
            write(folder.path(), "public/_redirects", "# Ours\n");
        }
        let (code, document) = redirects(folder.path(), &["new", "--before", "old", "--write"]);
        assert_eq!(proposals(&document), ["certain /latest/x.html /latest/y.html"]);
        let file = document["written"].as_str().unwrap();
        let written = fs::read_to_string(folder.path().join(file)).unwrap();
        let added = if redirects_file {
            fs::copy(folder.path().join(file), folder.path().join("new/_redirects")).unwrap();
            "/x.html  /latest/y.html  301\n"
        } else {
            "from = \"/x.html\"\nto = \"/latest/y.html\"\n"
        };
        assert!(code == 0 && written.ends_with(added), "{written}");
        let (_, document) = redirects(folder.path(), &["new", "--before", "old"]);
        assert_eq!(document["proposals"]["lost"], 0, "{document:#}");
    }
}

/// The sources of a site in a git repository, whose build copies them.
fn repository() -> TempDir {
    let folder = folder(&[("sitegate.toml", &format!("{CONTRACT}[source]\ninclude = [\"content/**\"]\n"))]);
    git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
    folder
}

/// Replaces the sources, and builds them to an export.
fn build(folder: &Path, export: &str, sources: &[(&str, &str)]) {
    fs::remove_dir_all(folder.join("content")).ok();
    for (name, text) in sources {
        write(folder, &format!("content/{name}.md"), &format!("# {name}\n\n{text}\n"));
        write(folder, &format!("{export}/{name}/index.html"), &page(name, text));
    }
    write(folder, &format!("{export}/index.html"), &page("Home", "The home of all pages"));
    write(folder, "content/index.md", "# Home\n\nThe home of all pages\n");
    git(folder, &["add", "content", "sitegate.toml"]);
    git(folder, &["commit", "--quiet", "--message", export]);
}

#[test]
fn follows_renames_of_sources() {
    let folder = repository();
    let (short, long) = ("Too short to compare pages", words("long"));
    let keep = "[permalinks]\nkeep = [\"kept.txt\"]\n";
    let contract = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
    write(folder.path(), "sitegate.toml", &format!("{contract}{keep}"));
    write(folder.path(), "kept.txt", "/guide/setup/\n/guide/long/\n/guide/gone/\n");
    build(
        folder.path(),
        "old",
        &[("guide/setup", short), ("guide/long", &long), ("guide/gone", "Nothing like it remains here")],
    );
    git(folder.path(), &["tag", "v1"]);
    // Two steps, of which the last is not committed.
    build(folder.path(), "middle", &[("start/install", short), ("guide/length", &long)]);
    build(folder.path(), "new", &[("start/install-it", short), ("guide/length", &long)]);
    git(folder.path(), &["reset", "--quiet", "--soft", "HEAD^"]);
    let (code, document) = redirects(folder.path(), &["new", "--base", "v1"]);
    assert_eq!(code, 1);
    assert_eq!(
        proposals(&document),
        ["certain /guide/long/ /guide/length/", "likely /guide/setup/ /start/install-it/"]
    );
    let reason = document["proposals"]["redirects"][0]["reason"].as_str().unwrap();
    assert_eq!(reason, "content/guide/long.md was renamed to content/guide/length.md");
    assert_eq!(document["proposals"]["unexplained"], serde_json::json!(["/guide/gone/"]));
}

#[test]
fn explains_what_it_cannot_use() {
    let folder = exports(&[], &[]);
    let path = folder.path();
    assert!(error(path, &["new"]).contains("no address to keep: name lists of addresses in `keep`"));
    assert!(error(path, &["new", "--before", "none"]).contains("none: No such file"));
    assert!(error(path, &["new", "--before", "old", "--base", "v1"]).contains("`include` of [source]"));
    write(path, "old/x.html", &unique("x"));
    write(path, "new/y.html", &unique("x"));
    let message = error(path, &["new", "--before", "old", "--write", "--no-config"]);
    assert!(message.contains("there is no `_redirects` file and no contract"), "{message}");

    write(path, "sitegate.toml", &format!("{CONTRACT}[source]\ninclude = [\"content/**\"]\n"));
    let base = |revision| ["new", "--before", "old", "--base", revision];
    assert!(error(path, &base("v1")).contains("--base v1: fatal: not a git repository"));
    git(path, &["init", "--quiet"]);
    assert!(error(path, &base("v1")).contains("--base v1: there is no such commit\n"));
    git(path, &["commit", "--quiet", "--allow-empty", "--message", "1"]);
    git(path, &["commit", "--quiet", "--allow-empty", "--message", "2"]);
    let clone = tempfile::tempdir().unwrap();
    let address = format!("file://{}", path.display());
    git(clone.path(), &["clone", "--quiet", "--depth", "1", &address, "shallow"]);
    let shallow = clone.path().join("shallow");
    for name in ["old/index.html", "new/index.html"] {
        write(&shallow, name, &unique("Home"));
    }
    fs::copy(path.join("sitegate.toml"), shallow.join("sitegate.toml")).unwrap();
    let message = error(&shallow, &base("HEAD^"));
    assert!(message.contains("this clone is shallow, fetch more of its history"), "{message}");
}

#[test]
fn does_not_add_a_redirect_after_a_broken_one() {
    let folder = exports(&[("x/index.html", unique("x"))], &[("y/index.html", unique("x"))]);
    let lines = "/x/  /z/  301\n";
    write(folder.path(), "new/_redirects", lines);
    write(folder.path(), "public/_redirects", lines);
    let (code, document) = redirects(folder.path(), &["new", "--before", "old", "--write"]);
    assert_eq!((code, proposals(&document)), (1, vec!["likely /x/ /y/".to_owned()]));
    let reason = document["proposals"]["redirects"][0]["reason"].as_str().unwrap();
    assert!(reason.ends_with("change its redirect to /z/, which does not exist"), "{reason}");
    assert_eq!(fs::read_to_string(folder.path().join("public/_redirects")).unwrap(), lines);
}

#[test]
fn lists_lost_anchors_with_their_present_addresses() {
    let with = |ids: &[&str]| {
        let headings = ids.iter().map(|id| format!("<h2 id=\"{id}\">{id}</h2>")).collect::<String>();
        page("Guide", &headings)
    };
    let old = [("a/index.html", with(&["install", "configure", "moved-away", "nothing-like-it"]))];
    let new = [("a/index.html", with(&["instal", "configure"])), ("b/index.html", with(&["moved-away"]))];
    let folder = exports(&old, &new);
    let (code, document) = redirects(folder.path(), &["new", "--before", "old"]);
    assert_eq!(code, 0);
    let anchors = document["proposals"]["anchors"].as_array().unwrap();
    let pairs: Vec<(&str, Option<&str>)> =
        anchors.iter().map(|anchor| (anchor["from"].as_str().unwrap(), anchor["to"].as_str())).collect();
    assert_eq!(
        pairs,
        [
            ("/a/#install", Some("/a/#instal")),
            ("/a/#moved-away", Some("/b/#moved-away")),
            ("/a/#nothing-like-it", None)
        ]
    );
}

#[test]
fn ids_of_scripts_and_themes_are_no_lost_anchors() {
    let with = |script: &str, theme: &str, ids: &[&str]| {
        let items: String = ids.iter().map(|id| format!("<dt id=\"{id}\">{id}</dt>")).collect();
        page("API", &format!("<script {script}>0</script><div {theme}></div><dl>{items}</dl>"))
            .replace("<meta ", &format!("<meta {script}2 "))
    };
    let (script, theme) = ("id=options", "id=searchbox");
    let names = ["a.html", "b.html", "c.html", "api.html"];
    let ids = |name: &str| match name {
        "api.html" => vec!["lib.Operations.get_bind", "lib.Operations.create"],
        _ => Vec::new(),
    };
    let old = names.map(|name| (name, with(script, theme, &ids(name))));
    let new_ids = ["lib.Operations.get_bin_dir", "lib.Abstract.get_bind"];
    let new = names.map(|name| (name, with("", "", if name == "api.html" { &new_ids } else { &[] })));
    let folder = exports(&old, &new);
    let (_, document) = redirects(folder.path(), &["new", "--before", "old"]);
    let expected = serde_json::json!([
        { "from": "/api.html#lib.Operations.create", "to": null },
        { "from": "/api.html#lib.Operations.get_bind", "to": "/api.html#lib.Abstract.get_bind" },
    ]);
    assert_eq!(document["proposals"]["anchors"], expected);
}

#[test]
fn a_file_that_the_host_does_not_read_gets_no_redirects() {
    let old = [("x/index.html", unique("x"))];
    let new = [("y/index.html", unique("x")), ("_redirects", "# Of another host\n".to_owned())];
    let folder = exports(&old, &new);
    write(folder.path(), "public/_redirects", "# Of another host\n");
    write(folder.path(), "sitegate.toml", "[site]\nhost = \"s3-website\"\n");
    let args = ["redirects", "new", "--before", "old", "--write", "--allow-dirty", "--color", "never"];
    let output = sitegate(folder.path(), &args);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = "\nAdded 1 redirect to sitegate.toml; `sitegate publish` puts them on s3-website.\n\n\
                 Note: s3-website does not read the export's `_redirects`\n";
    assert!(output.status.success() && text.ends_with(lines), "{text}");
    let (code, document) = redirects(folder.path(), &["new", "--before", "old", "--write"]);
    assert_eq!((code, &document["proposals"]["lost"]), (0, &Value::from(0)));
    assert_eq!(fs::read_to_string(folder.path().join("public/_redirects")).unwrap(), "# Of another host\n");
}

#[test]
fn a_configuration_that_is_only_read_is_named_with_what_to_add() {
    let folder = exports(&[("x/index.html", unique("x"))], &[("y/index.html", unique("x"))]);
    write(folder.path(), "vercel.json", "{}\n");
    write(folder.path(), "sitegate.toml", "[site]\nhost-config = \"vercel.json\"\nhost = \"vercel\"\n");
    let (code, document) = redirects(folder.path(), &["new", "--before", "old", "--write"]);
    let entry = "{ \"source\": \"/x/\", \"destination\": \"/y/\", \"permanent\": true }";
    assert_eq!((code, &document["entries_to_add"]), (1, &serde_json::json!([entry])), "{document:#}");
    assert_eq!(document["written"], Value::Null);
    write(folder.path(), "vercel.json", &format!("{{ \"redirects\": [{entry}] }}\n"));
    assert_eq!(redirects(folder.path(), &["new", "--before", "old", "--write"]).0, 0);
}

#[test]
fn a_page_that_has_come_back_loses_its_redirect() {
    // Between both, `/x/` was redirected to `/y/`.
    let folder = exports(&[("y/index.html", unique("x"))], &[("x/index.html", unique("x"))]);
    let table = |from: &str, to: &str| format!("\n[[redirects]]\nfrom = \"{from}\"\nto = \"{to}\"\n");
    let contract = |tables: &str| format!("{CONTRACT}[permalinks]\nkeep = [\"kept.txt\"]\n{tables}");
    let kept = "sitegate-inventory 1\nanchors: listed\n\n/x/\t301\t/y/\n/y/\n";
    write(folder.path(), "kept.txt", kept);
    write(folder.path(), "sitegate.toml", &contract(&table("/x/", "/y/")));
    let (code, document) = redirects(folder.path(), &["new", "--before", "old", "--write"]);
    assert_eq!((code, &document["refused"]), (0, &serde_json::json!([])), "{document:#}");
    let written = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
    assert_eq!(written, contract(&table("/y/", "/x/")));
}

#[test]
fn an_earlier_redirect_keeps_its_query_and_fragment() {
    let folder = exports(&[], &[("y/index.html", page("y", "<h2 id=part>Part</h2>"))]);
    let kept = "sitegate-inventory 1\nanchors: listed\n\n/a/\t301\t/y/?q=1#part\n/b/\t301\thttps://other.example/x?y\n";
    write(folder.path(), "kept.txt", kept);
    write(folder.path(), "sitegate.toml", &format!("{CONTRACT}[permalinks]\nkeep = [\"kept.txt\"]\n"));
    let (code, document) = redirects(folder.path(), &["new", "--write"]);
    assert_eq!((code, &document["refused"]), (0, &serde_json::json!([])), "{document:#}");
    let written = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
    for (from, to) in [("/a/", "/y/?q=1#part"), ("/b/", "https://other.example/x?y")] {
        assert!(written.contains(&format!("from = \"{from}\"\nto = \"{to}\"\n")), "{written}");
    }
    assert_eq!(redirects(folder.path(), &["new"]).1["proposals"]["lost"], 0);
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

fn change() -> impl Strategy<Value = Change> {
    prop::sample::select(vec![
        Change::Stays,
        Change::IsRenamed,
        Change::IsRenamedAndEdited,
        Change::IsDeleted,
        Change::IsReplaced,
    ])
}

/// Names of pages that are not similar to one another.
const NAMES: [&str; 8] = ["apples", "bicycle", "curtain", "dolphin", "engine", "forest", "guitar", "harbour"];

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(64) as u32, failure_persistence: None, ..Default::default() })]

    /// Lost addresses and certain proposals are those of a simple model.
    #[test]
    fn follows_random_changes(changes in prop::collection::vec(change(), 1..8)) {
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

#[test]
fn a_file_that_git_could_not_restore_is_not_changed() {
    let page = |name: &str| format!("<!doctype html><title>{name}</title><p>{}", words(name));
    let folder = folder(&[
        ("sitegate.toml", CONTRACT),
        ("old/a.html", &page("a")),
        ("old/index.html", &page("home")),
        ("new/b.html", &page("a")),
        ("new/index.html", &page("home")),
    ]);
    let arguments = ["new", "--before", "old", "--write"];
    let message = error(folder.path(), &arguments);
    assert!(
        message.contains("sitegate.toml is in no Git repository; edit it with --allow-dirty"),
        "{message}"
    );
    git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "--message=start"]);
    let changed = CONTRACT.to_owned() + "# changed\n";
    write(folder.path(), "sitegate.toml", &changed);
    let message = error(folder.path(), &arguments);
    let expected = "sitegate.toml has uncommitted changes; commit them first, or edit it with --allow-dirty";
    assert!(message.contains(expected), "{message}");
    assert_eq!(fs::read_to_string(folder.path().join("sitegate.toml")).unwrap(), changed);
    write(folder.path(), "sitegate.toml", CONTRACT);
    let output = sitegate(folder.path(), &[&["redirects"], &arguments[..]].concat());
    let contract = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
    assert!(contract.contains("to = \"/b.html\""), "{contract}{}", String::from_utf8_lossy(&output.stderr));
}
