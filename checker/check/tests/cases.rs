//! Checks every folder `cases/<rule>/<case>/site`, and compares the findings with `expected.txt`, one line each. Each case
//! is a separate test: `cargo test --test cases broken-link/utf-16`.
//!
//! A case lists the findings of its own rule, and of rules about links, hosting and the contract. Findings of other rules
//! are left out, because a page that shows one problem may have others.
//!
//! `UPDATE=1 cargo test` rewrites all files that tests compare with: `expected.txt`, the output formats, the schema, and
//! the output in the documentation. Read the diff before you commit it.
//!
//! Optional files of a case:
//! - `source/`: authored files, if the contract lists them. Findings then have a certain (`@`) or possible (`?`) source.
//! - `external.txt`: the answers of external hosts, if external links are checked.
//! - `live.txt`: the answers of a live site's server.
//! - `fifos.txt`: names of FIFOs, which Git cannot store.

#![allow(clippy::disallowed_methods)] // tests start programs

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use sitegate_check::{Category, CheckTarget, Checker, Contract, Report, rules};

use crate::external_answers::ExternalReferences;
use crate::{case_folders, copying, live_server};

/// Returns a trial for each folder.
pub fn trials() -> Vec<Trial> {
    let update = std::env::var_os("UPDATE").is_some();
    let mut trials: Vec<Trial> = case_folders::cases()
        .into_iter()
        .map(|case| Trial::test(name(&case), move || compare_with_expected(&case, update)))
        .collect();
    // While the files are rewritten, their content is unknown.
    let complete = Trial::test("every_rule_has_a_case_with_a_finding", every_rule_has_a_case_with_a_finding);
    trials.push(complete.with_ignored_flag(update));
    trials
}

/// Returns the name of a case on the command line: `broken-link/utf-16`.
fn name(case: &Path) -> String {
    format!("{}/{}", rule_of(case), case.file_name().unwrap().to_str().unwrap())
}

/// Returns the rule that a case tests.
fn rule_of(case: &Path) -> &str {
    case.parent().unwrap().file_name().unwrap().to_str().unwrap()
}

fn compare_with_expected(case: &Path, update: bool) -> Result<(), Failed> {
    let fifos = fs::read_to_string(case.join("fifos.txt")).unwrap_or_default();
    let found = if fifos.is_empty() {
        run(case, case)
    } else {
        let folder = tempfile::tempdir().unwrap();
        copying::copy(case, folder.path());
        for fifo in fifos.lines().map(|name| folder.path().join("site").join(name)) {
            assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
        }
        run(folder.path(), case)
    };
    let file = case.join("expected.txt");
    let expected = fs::read_to_string(&file).unwrap_or_default();
    if found == expected {
        return Ok(());
    }
    if update {
        fs::write(&file, &found).unwrap();
        return Ok(());
    }
    Err(format!("--- expected\n{expected}--- found\n{found}`UPDATE=1 cargo test` rewrites it").into())
}

/// Checks a folder, for the case.
fn run(folder: &Path, case: &Path) -> String {
    let contract = folder.join("sitegate.toml");
    let config = if contract.is_file() {
        Contract::load(&contract).unwrap_or_else(|error| panic!("{error}"))
    } else {
        Contract::defaults()
    };
    let answers = fs::read_to_string(folder.join("external.txt")).ok();
    let external = answers.as_deref().map(ExternalReferences::parse);
    let mut checker = Checker::new(&config).unwrap();
    if let Some(external) = &external {
        checker = checker.external(external);
    }
    let site = folder.join("site");
    let report = match fs::read_to_string(folder.join("live.txt")) {
        Ok(answers) => live_server::check(&site, &answers, &checker),
        Err(_) => checker.run(CheckTarget::Export(&site)).unwrap(),
    };
    let (report, _) = report.into_report(&config);
    // Sources are named from the working directory, if they are below it.
    let here = std::env::current_dir().unwrap();
    let below = folder.strip_prefix(&here).unwrap_or(folder);
    let text = lines(&report, rule_of(case)).replace(&format!("{}/", folder.display()), "");
    text.replace(&format!("{}/", below.display()), "")
}

fn lines(report: &Report, own: &str) -> String {
    let mut text = String::new();
    let shown = |id: &str, category| {
        id == own
            || matches!(category, Category::Links | Category::Contract | Category::Hosting | Category::Live)
    };
    for found in report.findings.iter().filter(|found| shown(&found.rule, found.category)) {
        let (at, rule) = (format!("{}:{}:{}", found.file, found.line, found.column), &found.rule);
        writeln!(text, "{at}: {} {rule}: {}", found.severity, found.message).unwrap();
        if let Some(help) = &found.help {
            writeln!(text, "    = {help}").unwrap();
        }
        let sign = if found.certain_source().is_some() { '@' } else { '?' };
        for place in found.source_places() {
            writeln!(text, "    {sign} {}:{}:{}", place.file, place.line, place.column).unwrap();
        }
    }
    for unreadable in &report.unreadable {
        writeln!(text, "cannot check {unreadable}").unwrap();
    }
    text
}

fn every_rule_has_a_case_with_a_finding() -> Result<(), Failed> {
    let cases = case_folders::cases();
    for rule in rules() {
        let found = cases.iter().filter(|case| rule_of(case) == rule.id).any(|case| {
            let expected = fs::read_to_string(case.join("expected.txt")).unwrap_or_default();
            expected.contains(&format!(" {}: ", rule.id))
        });
        if !found {
            return Err(format!("no case in cases/{} finds {}", rule.id, rule.id).into());
        }
    }
    Ok(())
}
