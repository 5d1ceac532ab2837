//! Checks the documentation against the program: its commands, contracts and output.
//!
//! A block of code after `<!-- run in FOLDER -->` is run there, and must show the current output.
//! `UPDATE=1 cargo test` updates it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use regex::Regex;

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

/// Returns the arguments of each call of the program in a block: lines after `$ `, lines of scripts, and commands in
/// settings of other tools.
fn calls(block: &Block) -> Vec<Vec<String>> {
    let call = match block.info.as_str() {
        "console" => r"(?m)^\$ (?:npx )?sitegate(?<arguments>(?: [^#\n]*)?)",
        "sh" => r"(?m)^(?:npx )?sitegate(?<arguments> [^#\n]*)",
        _ => r#"(?:npx|&&|- run:) sitegate(?<arguments> [^"&|#\n]*)"#,
    };
    let words =
        |text: &str| text.split_whitespace().map(|word| word.trim_matches(['"', '\'']).to_owned()).collect();
    let call = Regex::new(call).unwrap();
    let found = call.captures_iter(&block.text);
    found.map(|found| words(&found["arguments"])).collect()
}

fn sitegate(folder: &Path, arguments: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.args(arguments).current_dir(folder).env("COLUMNS", "100").env("NO_COLOR", "1").env_remove("CI");
    command.output().unwrap()
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
const REFERENCED_FILES: [(&str, &str); 4] = [
    ("base.toml", ""),
    ("site/known.json", r#"{ "schema_version": 1, "kind": "sitegate-baseline", "findings": [] }"#),
    ("site/site.json", r#"{ "origin": "https://www.example.org" }"#),
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
    let here = folder.path().join("site");
    let arguments = ["check", "export", "--config", "shown.toml"].map(str::to_owned);
    let mut seen = 0;
    for document in documents() {
        for block in
            blocks(&fs::read_to_string(&document).unwrap()).iter().filter(|block| block.info == "toml")
        {
            fs::write(here.join("shown.toml"), &block.text).unwrap();
            let output = sitegate(&here, &arguments);
            let printed = String::from_utf8_lossy(&output.stderr);
            assert!(
                matches!(output.status.code(), Some(0 | 1)),
                "{}:\n{}\n{printed}",
                document.display(),
                block.text
            );
            seen += 1;
        }
    }
    assert!(seen > 8, "{seen} contracts");
}

/// Runs the commands of a block and returns them with their output. The duration of a check is always 2 ms.
fn run_block(block: &Block, folder: &Path) -> String {
    let time = Regex::new(r" in [\d.]+ m?s").unwrap();
    let lines = block.text.lines().filter(|line| line.starts_with("$ ")).zip(calls(block));
    lines
        .map(|(line, call)| {
            let output = sitegate(folder, &call);
            format!("{line}\n{}", time.replace(&String::from_utf8(output.stdout).unwrap(), " in 2 ms"))
        })
        .collect()
}

#[test]
fn shown_output_is_current() {
    let _only = UPDATE_LOCK.lock();
    let mut seen = 0;
    for path in documents() {
        let before = fs::read_to_string(&path).unwrap();
        let mut after = before.clone();
        for block in blocks(&before).iter().rev() {
            let Some(folder) = &block.runs_in else { continue };
            after.replace_range(
                block.start..block.start + block.text.len(),
                &run_block(block, &repository_root().join(folder)),
            );
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
