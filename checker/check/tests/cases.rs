//! Runs every folder below `cases/`: `<rule>/<case>/site` is checked, and what is found must equal
//! `expected.txt`, a line for each finding. `UPDATE=1 cargo test --test cases` writes the files anew: read the
//! difference before you commit it.
//!
//! A case shows what its own rule finds, and what rules about links, hosting and the contract find: a page that
//! shows one fault need not be a model in everything else.
//!
//! `fifos.txt` names FIFOs that the case needs and no repository can hold.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sitegate_check::contract::Contract;
use sitegate_check::diagnostic::Category;
use sitegate_check::report::Report;
use sitegate_check::report::sources::Sources;
use sitegate_check::rules::RULES;
use sitegate_check::{Options, Ruleset, check};

fn folders(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    folders(&root).iter().flat_map(|rule| folders(rule)).collect()
}

fn run(case: &Path) -> String {
    let contract = case.join("sitegate.toml");
    let config = match contract.is_file() {
        true => Contract::load(&contract).unwrap_or_else(|error| panic!("{error}")),
        false => Contract::defaults(),
    };
    let rules = Ruleset::new(&config).unwrap();
    let site = case.join("site");
    let fifos: Vec<PathBuf> = fs::read_to_string(case.join("fifos.txt"))
        .unwrap_or_default()
        .lines()
        .map(|name| site.join(name))
        .collect();
    for fifo in &fifos {
        let _ = fs::remove_file(fifo);
        assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
    }
    let report = check(&site, &config, &rules, &Options::default()).unwrap();
    let own = case.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let text = lines(&report, &config, own).replace(&format!("{}/", case.display()), "");
    for fifo in &fifos {
        fs::remove_file(fifo).unwrap();
    }
    text
}

fn lines(report: &Report, config: &Contract, own: &str) -> String {
    let mut sources = Sources::new(report, config);
    let mut text = String::new();
    let shown = |id: &str, category| {
        id == own || matches!(category, Category::Links | Category::Contract | Category::Hosting)
    };
    for found in report.diagnostics.iter().filter(|found| shown(found.rule.id, found.rule.category)) {
        let at = sources.position(found);
        let name = sources.name(&found.location.place);
        let rule = found.rule.id;
        writeln!(text, "{name}:{}:{}: {} {rule}: {}", at.line, at.column, found.severity, found.message)
            .unwrap();
        if let Some(help) = &found.help {
            writeln!(text, "    = {help}").unwrap();
        }
    }
    for unread in &report.unread {
        writeln!(text, "cannot check {unread}").unwrap();
    }
    text
}

#[test]
fn every_case_finds_what_is_expected() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = String::new();
    for case in cases() {
        let found = run(&case);
        let file = case.join("expected.txt");
        if update {
            fs::write(&file, &found).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if found != expected {
            writeln!(wrong, "{}\n--- expected\n{expected}--- found\n{found}", case.display()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_rule_has_a_case_that_it_fails() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for rule in RULES.iter().map(|rule| rule.info) {
        let found = folders(&root.join(rule.id)).iter().any(|case| {
            let expected = fs::read_to_string(case.join("expected.txt")).unwrap_or_default();
            expected.contains(&format!(" {}: ", rule.id))
        });
        assert!(found, "no case in cases/{} finds {}", rule.id, rule.id);
    }
}
