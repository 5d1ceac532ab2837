//! Checks the site of every case in `cases/`, and compares the findings with the expected ones, one line each. A text file
//! has the cases of one rule, in the format of `checker/textcase/README.md`. Each case is a separate test:
//! `cargo test --test cases broken-link/utf-16`.
//!
//! A case lists the findings of its own rule, and of rules about links, hosting and the contract. Findings of other rules
//! are left out, because a page that shows one problem may have others.
//!
//! `UPDATE=1 cargo test` rewrites what tests compare with: expected findings, the output formats, the schema, and the
//! output in the documentation. Read the diff before you commit it. `checker/textcase/examples/write.rs` writes the files
//! of all cases, to look at them.
//!
//! Files of a case:
//! - `site/`: the export. Its contract is `sitegate.toml`.
//! - `source/`: authored files, if the contract lists them. Findings then have a certain (`@`) or possible (`?`) source.
//! - `external.txt`: the answers of external hosts, if external links are checked.
//! - `live.txt`: the answers of a live site's server.
//!
//! Files that are not plain text (images, other encodings, control characters) are in `cases/<rule>/<case>/`.

#![allow(clippy::disallowed_methods)] // tests start programs

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use libtest_mimic::{Failed, Trial};
use sitegate_check::{Category, CheckTarget, Checker, Contract, Report, rules};
use sitegate_textcase::TextCase;

use crate::external_answers::ExternalReferences;
use crate::live_server;

/// The name of the expected section of a case.
const FINDINGS: &str = "findings";

/// Returns a trial for each case.
pub fn trials() -> Vec<Trial> {
    let update = env::var_os("UPDATE").is_some();
    let cases = sitegate_textcase::read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"));
    let cases = cases.unwrap_or_else(|error| panic!("{error}"));
    let complete = {
        let cases = cases.clone();
        Trial::test("every_rule_has_a_case_with_a_finding", move || {
            every_rule_has_a_case_with_a_finding(&cases)
        })
    };
    let trial = |case: TextCase| Trial::test(case.full_name(), move || compare_with_expected(&case, update));
    let mut trials: Vec<Trial> = cases.into_iter().map(trial).collect();
    // While the expected findings are rewritten, they are unknown.
    trials.push(complete.with_ignored_flag(update));
    trials
}

fn compare_with_expected(case: &TextCase, update: bool) -> Result<(), Failed> {
    let folder = tempfile::tempdir().unwrap();
    case.write_files(folder.path())?;
    let (found, expected) = (run(folder.path(), &case.group), case.expected(FINDINGS));
    if found == expected {
        return Ok(());
    }
    if update {
        return Ok(case.update_expected(FINDINGS, &found)?);
    }
    let location = case.location();
    Err(format!("{location}\n--- expected\n{expected}--- found\n{found}`UPDATE=1 cargo test` rewrites it")
        .into())
}

/// Checks the site in a folder, for a rule.
fn run(folder: &Path, rule: &str) -> String {
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
    let here = env::current_dir().unwrap();
    let below = folder.strip_prefix(&here).unwrap_or(folder);
    let text = lines(&report, rule).replace(&format!("{}/", folder.display()), "");
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

fn every_rule_has_a_case_with_a_finding(cases: &[TextCase]) -> Result<(), Failed> {
    for rule in rules() {
        let finding = format!(" {}: ", rule.id);
        let mut own = cases.iter().filter(|case| case.group == rule.id);
        if !own.any(|case| case.expected(FINDINGS).contains(&finding)) {
            return Err(format!("no case in cases/{}.txt finds {}", rule.id, rule.id).into());
        }
    }
    Ok(())
}
