//! Checks the documentation against the program: its commands, contracts and output.
//!
//! A block of commands after `<!-- run in FOLDER -->` is run there. The block after it must show the current output.
//! `UPDATE=1 cargo test` updates it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Mutex;

use regex::Regex;
use sitegate_textcase::TextCase;

use crate::folders::program;

/// A block of code in a document.
struct Block {
    /// The info string after the three backticks.
    info: String,
    /// The folder to run it in, relative to the root of the repository.
    runs_in: Option<String>,
    /// Its text.
    text: String,
    /// Byte offset of the text in the document.
    start: usize,
}

/// Lock for tests that read a page and, with `UPDATE`, rewrite it.
pub static UPDATE_LOCK: Mutex<()> = Mutex::new(());

fn repository_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns the README, CONTRIBUTING and the pages of the documentation.
fn documents() -> Vec<PathBuf> {
    let folders = ["docs", "docs/guides", "docs/concepts", "docs/internals"];
    let pages = folders.iter().flat_map(|folder| fs::read_dir(repository_root().join(folder)).unwrap());
    let mut documents: Vec<PathBuf> = pages
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    documents.extend(["README.md", "CONTRIBUTING.md"].map(|name| repository_root().join(name)));
    documents
}

/// Returns the code blocks of a document.
fn blocks(document: &str) -> Vec<Block> {
    let fence = Regex::new(
        r"(?m)^(?:<!-- run in (?<folder>\S+) -->\n)?[ ]*```(?<info>[^\n]+)\n(?<text>(?s:.*?))^[ ]*```$",
    )
    .unwrap();
    let found = fence.captures_iter(document);
    found
        .map(|block| Block {
            info: block["info"].to_owned(),
            runs_in: block.name("folder").map(|folder| folder.as_str().to_owned()),
            text: block["text"].to_owned(),
            start: block.name("text").unwrap().start(),
        })
        .collect()
}

/// Returns the arguments of each call of the program in a block: lines of scripts, and commands in settings of other
/// tools.
fn calls(block: &Block) -> Vec<Vec<String>> {
    let call = match block.info.as_str() {
        "sh" => r"(?m)^(?:npx |npm run --silent )?sitegate(?: --)?(?<arguments> [^#>\n]*)",
        _ => r#"(?:npx|&&|- run:) sitegate(?<arguments> [^"&|#>\n]*)"#,
    };
    let words =
        |text: &str| text.split_whitespace().map(|word| word.trim_matches(['"', '\'']).to_owned()).collect();
    let call = Regex::new(call).unwrap();
    let text = block.text.replace("\\\n", " ");
    let found = call.captures_iter(&text);
    found.map(|found| words(&found["arguments"])).collect()
}

/// What documents say next to commands that need a release, until there is one.
const NO_RELEASE: &str = "**Before 0.1.0** there is no release";

#[test]
fn documents_say_that_install_commands_need_a_release() {
    let manifest = fs::read_to_string(repository_root().join("Cargo.toml")).unwrap();
    let is_released = manifest.contains("\nreleased = true\n");
    assert!(is_released || manifest.contains("\nreleased = false\n"), "Cargo.toml has no setting `released`");
    let install = Regex::new(
        r"npx sitegate|npm (?:i|install)\b[^\n]* sitegate|cargo install (?:--locked )?sitegate|OWNER",
    )
    .unwrap();
    let package = repository_root().join("packages/sitegate/README.md");
    let mut seen = 0;
    for path in documents().into_iter().chain([package]) {
        let text = fs::read_to_string(&path).unwrap();
        let needs_release = install.is_match(&text.replace("https://OWNER.github.io", ""));
        let is_said = text.contains(NO_RELEASE);
        assert_eq!(needs_release && !is_released, is_said, "{}: `{NO_RELEASE}`", path.display());
        seen += usize::from(needs_release);
    }
    assert!(seen > 5, "{seen} documents");
}

fn sitegate(folder: &Path, arguments: &[String]) -> Output {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = program(folder, &arguments);
    command.env("COLUMNS", "75").env("NO_COLOR", "1").env_remove("CI").output().unwrap()
}

#[test]
fn all_commands_are_valid() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = 0;
    for document in documents() {
        for mut call in blocks(&fs::read_to_string(&document).unwrap()).iter().flat_map(calls) {
            let shown = format!("{}: sitegate {}", document.display(), call.join(" "));
            call.push("--help".to_owned());
            let output = sitegate(folder.path(), &call);
            assert!(output.status.success(), "{shown}\n{}", String::from_utf8_lossy(&output.stderr));
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen} commands");
}

/// Files that contracts in the documentation refer to.
const REFERENCED_FILES: [(&str, &str); 10] = [
    ("base.toml", ""),
    ("site/known.json", r#"{ "schema_version": 1, "kind": "sitegate-baseline", "findings": [] }"#),
    ("site/site.json", r#"{ "origin": "https://www.example.org" }"#),
    ("site/netlify.toml", "[[redirects]]\nfrom = \"/a\"\nto = \"/b\"\n"),
    ("site/published.txt", "/\n"),
    ("site/ops/blog-inventory.txt", "/blog/\n"),
    ("site/ops/sitemap.xml", "<urlset><url><loc>https://www.example.com/</loc></url></urlset>"),
    ("site/ops/search-console.csv", "Top pages,Clicks\nhttps://www.example.com/,1\n"),
    ("site/ops/access.log", "::1 - - [x] \"GET / HTTP/1.1\" 404 1\n"),
    ("site/export/index.html", "<!doctype html><html lang=en><meta charset=utf-8><title>x</title>"),
];

#[test]
fn all_contracts_are_valid() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in REFERENCED_FILES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::create_dir(folder.path().join(".git")).unwrap();
    let here = folder.path().join("site");
    let arguments = ["check", "export", "--config", "shown.toml"].map(str::to_owned);
    let read = |document: PathBuf| fs::read_to_string(document).unwrap();
    let shown = documents().into_iter().flat_map(|document| blocks(&read(document)));
    let mut contracts: Vec<_> = shown.filter(|block| block.info == "toml").map(|block| block.text).collect();
    contracts.push(read(repository_root().join("docs/.vitepress/pages/examples.toml")));
    for contract in &contracts {
        fs::write(here.join("shown.toml"), contract).unwrap();
        let output = sitegate(&here, &arguments);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{contract}\n{printed}");
    }
    assert!(contracts.len() > 8, "{} contracts", contracts.len());
}

/// The documentation is built from these files, without the program.
#[test]
fn descriptions_for_the_documentation_are_current() {
    let root = repository_root();
    let rules = sitegate(&root, &["explain", "--format", "json"].map(str::to_owned)).stdout;
    let mut check = program(&root.join("docs/sample"), &["check"]);
    check.envs([("COLUMNS", "100"), ("CLICOLOR_FORCE", "1")]);
    let output = check.env_remove("CI").env_remove("NO_COLOR").output().unwrap();
    let terminal = constant_time(&String::from_utf8(output.stdout).unwrap());
    for (name, text) in [("rules.json", String::from_utf8(rules).unwrap()), ("terminal.txt", terminal)] {
        let file = root.join("docs/.vitepress/program").join(name);
        if std::env::var_os("UPDATE").is_some() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
        } else {
            let committed = fs::read_to_string(&file).unwrap_or_default();
            assert!(committed == text, "{}: `UPDATE=1 cargo test` updates it", file.display());
        }
    }
}

/// Runs the commands of a block and returns their output, with a constant duration.
fn run_block(block: &Block, folder: &Path) -> String {
    let output = |call: Vec<String>| String::from_utf8(sitegate(folder, &call).stdout).unwrap();
    calls(block).into_iter().map(|call| constant_time(&output(call))).collect()
}

/// Returns output with a duration of 2 ms.
fn constant_time(output: &str) -> String {
    Regex::new(r" in [\d.]+ m?s").unwrap().replace(output, " in 2 ms").into_owned()
}

#[test]
fn shown_output_is_current() {
    let _only = UPDATE_LOCK.lock();
    let mut seen = 0;
    for path in documents() {
        let before = fs::read_to_string(&path).unwrap();
        let mut after = before.clone();
        for pair in blocks(&before).windows(2).rev() {
            let [commands, shown] = pair else { continue };
            let Some(folder) = &commands.runs_in else { continue };
            assert_eq!(shown.info, "text", "{}: no output after {}", path.display(), commands.text);
            let output = run_block(commands, &repository_root().join(folder));
            after.replace_range(shown.start..shown.start + shown.text.len(), &output);
            seen += 1;
        }
        if std::env::var_os("UPDATE").is_some() && before != after {
            fs::write(&path, &after).unwrap();
        } else {
            assert_eq!(before, after, "{}: `UPDATE=1 cargo test` updates it", path.display());
        }
    }
    assert!(seen > 1, "{seen} blocks");
}

/// Adds the sources below a folder: their paths and texts.
fn add_sources(folder: &Path, sources: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !matches!(name.as_str(), "cases" | "target" | "node_modules") {
            add_sources(&path, sources);
        } else if name.ends_with(".rs") {
            let stem = path.with_extension("").to_string_lossy().replace('\\', "/");
            sources.push((stem, fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn tests_that_the_threat_model_names_exist() {
    let text = fs::read_to_string(repository_root().join("docs/concepts/security.md")).unwrap();
    let mut sources = Vec::new();
    add_sources(&repository_root().join("checker"), &mut sources);
    let commands = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands");
    let cases: Vec<String> =
        sitegate_textcase::read_folder(&commands).unwrap().iter().map(TextCase::full_name).collect();
    let (mut is_table, mut named) = (false, 0);
    for line in text.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let last = cells.last().copied().unwrap_or_default();
        is_table = line.starts_with('|') && (is_table || last == "tested by");
        if !is_table || last == "tested by" || last.starts_with("---") {
            continue;
        }
        let tests: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "no test: {line}");
        for test in tests {
            let is_test = |(stem, text): &(String, String)| {
                stem.ends_with(&format!("/{test}")) && text.contains("#[test]")
                    || text.contains(&format!("fn {test}("))
            };
            assert!(
                sources.iter().any(is_test) || cases.iter().any(|case| case == test),
                "there is no test `{test}`: {line}"
            );
            named += 1;
        }
    }
    assert!(named > 20, "{named}");
}
