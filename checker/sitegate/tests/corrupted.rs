//! Tests with randomly corrupted documents: contract, baseline, seal and target state. The program must end with an exit
//! code and a message, and never crash. All runs use the same corruptions.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Output;

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::Value;
use sitegate_check::{
    BaselineFile, CheckTarget, Checker, Contract, OutputFormat, RenderOptions, Seal, SealedFile, tree_digest,
};
use tempfile::TempDir;

use crate::folders::{sitegate, write};
use crate::sample;

const SEED: [u8; 32] = *b"reproducible corruption seed 001";

/// A generator of reproducible corruptions.
struct Corruptor(TestRng);

impl Corruptor {
    fn new() -> Corruptor {
        Corruptor(TestRng::from_seed(RngAlgorithm::ChaCha, &SEED))
    }

    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end.max(1) as u64) as usize
    }

    fn one_of<'t, T: ?Sized>(&mut self, things: &[&'t T]) -> &'t T {
        things[self.below(things.len())]
    }

    fn random_range(&mut self, text: &[u8]) -> Range<usize> {
        let (a, b) = (self.below(text.len() + 1), self.below(text.len() + 1));
        a.min(b)..a.max(b)
    }

    /// Returns the range of a random number or quoted string.
    fn value_range(&mut self, text: &[u8], is_number: bool) -> Option<Range<usize>> {
        let from = self.below(text.len());
        let at = |from: usize, is: &dyn Fn(u8) -> bool| {
            text[from..].iter().position(|&b| is(b)).map(|at| from + at)
        };
        if is_number {
            let start = at(from, &|b| b.is_ascii_digit())?;
            return Some(start..at(start, &|b| !b.is_ascii_digit()).unwrap_or(text.len()));
        }
        let start = at(from, &|b| b == b'"')? + 1;
        Some(start..at(start, &|b| b == b'"')?)
    }

    fn corrupt(&mut self, text: &mut Vec<u8>, others: &[Vec<u8>]) {
        const NUMBERS: [&str; 9] = [
            "0",
            "-1",
            "18446744073709551615",
            "18446744073709551616",
            "9223372036854775807",
            "4294967296",
            "65536",
            "1e999",
            "0.1",
        ];
        const STRINGS: [&str; 14] = [
            "",
            "/",
            "..",
            "../../x",
            "é",
            "😀\u{202e}",
            "\\u0000",
            "\\ud800",
            "**",
            "[",
            "{{{{",
            "(((((",
            "a\\nb",
            "*.é",
        ];
        match self.below(10) {
            0 => (0..=self.below(4)).for_each(|_| {
                let at = self.below(text.len());
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= 1 << (self.0.next_u32() % 8);
                }
            }),
            1 => text.truncate(self.below(text.len() + 1)),
            2 => {
                let part = self.random_range(text);
                let copy = text[part.clone()].to_vec();
                text.splice(part.end..part.end, copy);
            }
            3 => {
                let other = &others[self.below(others.len())];
                let (here, there) = (self.random_range(text), self.random_range(other));
                text.splice(here, other[there].iter().copied());
            }
            4 | 5 => {
                let number = self.one_of(&NUMBERS);
                if let Some(place) = self.value_range(text, true) {
                    text.splice(place, number.bytes());
                }
            }
            6 | 7 => {
                let mut string = self.one_of(&STRINGS).to_owned();
                if self.below(8) == 0 {
                    string = string.repeat(70_000 / string.len().max(1));
                }
                if let Some(place) = self.value_range(text, false) {
                    text.splice(place, string.bytes());
                }
            }
            8 => {
                let nest = self.one_of(&["[", "{\"a\":", "{a=", "[[", "a."]).repeat(20_000);
                let at = self.below(text.len() + 1);
                text.splice(at..at, nest.bytes());
            }
            _ => {
                let mut lines: Vec<Vec<u8>> = text.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
                let (a, b) = (self.below(lines.len()), self.below(lines.len()));
                lines.swap(a, b);
                *text = lines.join(&b'\n');
            }
        }
    }

    fn corrupted(&mut self, text: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
        let mut text = text.to_vec();
        (0..=self.below(3)).for_each(|_| self.corrupt(&mut text, others));
        text
    }
}

/// Runs the program and asserts that it did not crash: a panic exits with 101, a stack overflow with a signal.
fn run_on_corrupted(arguments: &[&str], folder: &Path, damaged: &[u8]) -> Output {
    let output = sitegate(folder, arguments);
    let code = output.status.code();
    assert!(
        code.is_some_and(|code| code < 64),
        "{arguments:?} ends with {:?}\n{}\n--- when it reads\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(damaged)
    );
    output
}

/// Creates a folder with a small export, `site`, that passes the check.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "site/index.html", &page("<a href='/a.html'>a</a><img src='x.svg'>"));
    write(folder.path(), "site/a.html", &page("<p id='é'>1. words</p><a href='/#:~:text=é,-x'>b</a>"));
    write(folder.path(), "site/x.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    folder
}

fn page(body: &str) -> String {
    format!("<!doctype html><html lang='en'><meta charset='utf-8'><title>{}</title><body>{body}", body.len())
}

/// Collects all files of a name below a folder of this repository.
fn files_named(folder: &Path, name: &str, found: &mut Vec<Vec<u8>>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() && !entry.is_symlink() {
            files_named(&entry, name, found);
        } else if entry.file_name().is_some_and(|found| found == name) {
            found.extend(fs::read(entry));
        }
    }
}

/// Checks the export against a possibly corrupted contract, and writes all formats.
fn check(contract: &Path, site: &Path, baseline: Option<&Path>) {
    let mut contract = match Contract::load(contract) {
        Ok(contract) => contract,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    contract.baseline = baseline.map(BaselineFile::read);
    let Ok(checker) = Checker::new(&contract) else { return };
    let Ok(report) = checker.check(CheckTarget::Export(site)) else { return };
    for format in [OutputFormat::Human, OutputFormat::Json, OutputFormat::Sarif, OutputFormat::Junit] {
        sitegate_check::write(format, &report, &RenderOptions::default(), &mut Vec::new()).unwrap();
    }
}

#[test]
fn corrupted_contracts_do_not_crash() {
    let folder = folder();
    let mut whole = Vec::new();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    whole.push(fs::read(repository.join("sitegate.toml")).unwrap());
    let written = tempfile::tempdir().unwrap();
    sitegate_textcase::write_all(&repository.join("checker/check/tests/cases"), written.path()).unwrap();
    files_named(written.path(), "sitegate.toml", &mut whole);
    whole.push(b"extends = [\"base.toml\"]\n[site]\norigin = \"https://acme.test\"\n".to_vec());
    assert!(whole.len() > 50);
    let mut vandal = Corruptor::new();
    let (file, base) = (folder.path().join("sitegate.toml"), folder.path().join("base.toml"));
    for _ in 0..sample::rounds(1_500) {
        let at = vandal.below(whole.len());
        fs::write(&file, vandal.corrupted(&whole[at], &whole)).unwrap();
        let at = vandal.below(whole.len());
        fs::write(&base, vandal.corrupted(&whole[at], &whole)).unwrap();
        check(&file, &folder.path().join("site"), None);
    }
}

#[test]
fn corrupted_baselines_do_not_crash() {
    let folder = folder();
    write(folder.path(), "site/b.html", &page("<a href='/gone'>x</a><a href='/gone'>y</a><p id=a><p id=a>"));
    write(folder.path(), "sitegate.toml", "");
    let wrote = |name: &str, more: &[&str]| {
        let arguments = [&["check", "site", "--write-baseline", name], more].concat();
        assert!(sitegate(folder.path(), &arguments).status.success());
        fs::read(folder.path().join(name)).unwrap()
    };
    let whole = [wrote("one.json", &[]), wrote("two.json", &["--by-cause"])];
    let mut vandal = Corruptor::new();
    let file = folder.path().join("known.json");
    for turn in 0..sample::rounds(1_000) {
        fs::write(&file, vandal.corrupted(&whole[turn % 2], &whole)).unwrap();
        check(&folder.path().join("sitegate.toml"), &folder.path().join("site"), Some(&file));
    }
}

#[test]
fn corrupted_seals_do_not_crash() {
    let folder = folder();
    assert!(sitegate(folder.path(), &["check", "site", "--seal", "seal.json"]).status.success());
    let whole = [fs::read(folder.path().join("seal.json")).unwrap()];
    let mut vandal = Corruptor::new();
    let file = folder.path().join("damaged.json");
    let target = format!("file://{}", folder.path().join("live").display());
    for turn in 0..sample::rounds(1_500) {
        let damaged = vandal.corrupted(&whole[0], &whole);
        // Every other seal gets a matching digest, as a forger would add it.
        let text = if turn % 2 == 0 { with_matching_digest(&damaged).unwrap_or(damaged) } else { damaged };
        fs::write(&file, &text).unwrap();
        if Seal::read(&file).is_ok() {
            run_on_corrupted(
                &["publish", "--dry-run", &target, "site", "--seal", "damaged.json"],
                folder.path(),
                &text,
            );
        }
    }
}

/// Returns a seal with a digest that matches its files, if it still has files.
fn with_matching_digest(text: &[u8]) -> Option<Vec<u8>> {
    let mut seal: Value = serde_json::from_slice(text).ok()?;
    let mut files: Vec<SealedFile> = serde_json::from_value(seal.get("files")?.clone()).ok()?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    seal["tree"] = tree_digest(&files).into();
    seal["files"] = serde_json::to_value(files).ok()?;
    serde_json::to_vec(&seal).ok()
}

#[test]
fn corrupted_target_state_does_not_crash() {
    let folder = folder();
    let target = format!("file://{}", folder.path().join("live").display());
    for body in ["<p>one", "<p>two"] {
        write(folder.path(), "site/index.html", &page(body));
        assert!(sitegate(folder.path(), &["check", "site", "--seal", "seal.json"]).status.success());
        let output = sitegate(folder.path(), &["publish", &target, "site", "--seal", "seal.json"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let state = folder.path().join("live/.sitegate");
    let mut files: Vec<PathBuf> = ["runs", "releases"]
        .iter()
        .flat_map(|name| fs::read_dir(state.join(name)).unwrap().map(|entry| entry.unwrap().path()))
        .collect();
    files.sort();
    let whole: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let commands: [&[&str]; 4] = [
        &["target", "status", &target],
        &["publish", "--dry-run", &target, "site", "--seal", "seal.json", "--format", "json"],
        &["rollback", &target, "--dry-run"],
        &["target", "gc", &target, "--dry-run"],
    ];
    let mut vandal = Corruptor::new();
    for turn in 0..sample::rounds(320) {
        let at = vandal.below(files.len());
        let damaged = vandal.corrupted(&whole[at], &whole);
        fs::write(&files[at], &damaged).unwrap();
        run_on_corrupted(commands[turn % commands.len()], folder.path(), &damaged);
        fs::write(&files[at], &whole[at]).unwrap();
    }
}
