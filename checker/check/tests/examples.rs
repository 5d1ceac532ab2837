//! Runs the examples that `sitegate explain` shows: of each rule, `bad` is found, and `good` is not, and leads
//! nowhere wrong either. Each is a test of its own: `cargo test --test cases -- "broken-link: bad"`.
//!
//! How an example is written, [`RuleInfo`] says. Here each becomes an export: its pages stand beside those of
//! `examples/`, which it may link to and may replace.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use sitegate_check::internal::contract::{Contract, FILE_NAME};
use sitegate_check::internal::raw_finding::{Category, DocumentId, RuleInfo};
use sitegate_check::internal::report::sources::Sources;
use sitegate_check::internal::rules::RULES;
use sitegate_check::{CheckTarget, Checker};
use toml::{Table, Value};

use crate::external::ExternalReferences;
use crate::{copying, live};

/// The part of an example that says what other hosts answer.
const EXTERNAL: &str = "external";

/// The part of an example that says what the server of a live site answers.
const LIVE: &str = "live";

/// The name that the page of an example gets where the example does not name one.
const PAGE: &str = "example.html";

/// Two trials for each rule.
pub fn trials() -> Vec<Trial> {
    let needs_unix = |example: &str| cfg!(not(unix)) && example.starts_with("$ ");
    let both = |rule: &'static RuleInfo| {
        let bad = Trial::test(format!("{}: bad", rule.id), || is_found(rule));
        let good = Trial::test(format!("{}: good", rule.id), || is_in_order(rule));
        [bad.with_ignored_flag(needs_unix(rule.bad)), good.with_ignored_flag(needs_unix(rule.good))]
    };
    RULES.iter().flat_map(|rule| both(rule.info)).collect()
}

fn is_found(rule: &RuleInfo) -> Result<(), Failed> {
    let found = findings(rule, rule.bad);
    if found.iter().any(|(by, _)| by.id == rule.id) {
        Ok(())
    } else {
        Err(format!("{} finds nothing in\n{}\nand others find {found:#?}", rule.id, rule.bad).into())
    }
}

fn is_in_order(rule: &RuleInfo) -> Result<(), Failed> {
    let counts =
        |by: &RuleInfo| by.id == rule.id || matches!(by.category, Category::Links | Category::Contract);
    let mut found = findings(rule, rule.good);
    found.retain(|(by, _)| counts(by));
    if found.is_empty() { Ok(()) } else { Err(format!("{found:#?} in\n{}", rule.good).into()) }
}

/// What is found in the export that an example makes, with its rule at level error, and by which rules. What the
/// files beside it are blamed for, such as that nothing links to them, is left out.
fn findings(rule: &RuleInfo, example: &str) -> Vec<(&'static RuleInfo, String)> {
    let folder = tempfile::tempdir().unwrap();
    let stock = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples");
    copying::copy(&stock, folder.path());
    let files = files(example);
    write(folder.path(), &files);
    if example.starts_with("$ ") {
        run(folder.path(), example);
    }
    let contract = contract(folder.path(), rule, &files);
    let checker = Checker::new(&contract).unwrap();
    let told = |part: &str| files.iter().find(|(name, _)| name == part).map(|(_, told)| told.as_str());
    let external = ExternalReferences::told(told(EXTERNAL).unwrap_or_default());
    let report = match told(LIVE) {
        Some(told) => live::check(folder.path(), told, &checker),
        None => checker.external(&external).run(CheckTarget::Export(folder.path())).unwrap(),
    };
    assert!(report.unreadable.is_empty(), "{:?}", report.unreadable);
    let mut sources = Sources::new(&report, &contract);
    let is_of_the_stock = |name: &str| {
        name == FILE_NAME || stock.join(name).exists() && files.iter().all(|(own, _)| own != name)
    };
    let mut found = Vec::new();
    for finding in &report.findings {
        let name = sources.name(&finding.location.place);
        if !(matches!(finding.location.place, DocumentId::File(_)) && is_of_the_stock(&name)) {
            let line = sources.position(finding).line;
            found.push((finding.rule, format!("{name}:{line}: {}", finding.message)));
        }
    }
    found
}

/// The files that an example holds, each with its name.
fn files(example: &str) -> Vec<(String, String)> {
    if example.starts_with("$ ") {
        return Vec::new();
    }
    if example.starts_with('<') {
        return vec![(PAGE.to_owned(), format!("{example}\n"))];
    }
    let mut files: Vec<(String, String)> = Vec::new();
    for line in example.lines() {
        match (line.strip_prefix("  "), files.last_mut()) {
            (Some(line), Some((_, content))) => *content += &format!("{line}\n"),
            _ => match line.strip_suffix(':') {
                Some(name) => files.push((name.to_owned(), String::new())),
                None => panic!("`{line}` is neither a path and a colon nor indented by two spaces"),
            },
        }
    }
    files
}

fn write(folder: &Path, files: &[(String, String)]) {
    for (name, content) in files.iter().filter(|(name, _)| name != EXTERNAL && name != LIVE) {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, page(name, content)).unwrap();
    }
}

/// The whole page that a part of one stands in. HTML itself puts what belongs there into its head.
fn page(name: &str, content: &str) -> String {
    let begins_with = |start: &str| content.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start));
    let is_whole = ["<!doctype", "<html", "<head"].into_iter().any(begins_with);
    if !name.ends_with(".html") || content.is_empty() || is_whole {
        return content.to_owned();
    }
    let title = if content.contains("<title") { String::new() } else { format!("<title>{name}</title>\n") };
    format!("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n{title}{content}")
}

/// Runs the commands of an example.
fn run(folder: &Path, example: &str) {
    for line in example.lines() {
        let Some(command) = line.strip_prefix("$ ") else { panic!("`{line}` does not begin with `$ `") };
        let status = Command::new("sh").args(["-c", command]).current_dir(folder).status().unwrap();
        assert!(status.success(), "{command}: {status}");
    }
}

/// The example's contract, with its rule at level error.
fn contract(folder: &Path, rule: &RuleInfo, files: &[(String, String)]) -> Contract {
    let own = files.iter().find(|(name, _)| name == FILE_NAME).map_or("", |(_, content)| content.as_str());
    let mut contract: Table = own.parse().unwrap();
    let rules = contract.entry("rules").or_insert_with(|| Table::new().into()).as_table_mut().unwrap();
    let setting = rules.entry(rule.id).or_insert_with(|| Table::new().into()).as_table_mut().unwrap();
    setting.insert("level".to_owned(), Value::from("error"));
    let file = folder.join(FILE_NAME);
    fs::write(&file, contract.to_string()).unwrap();
    Contract::load(&file).unwrap_or_else(|error| panic!("{error}"))
}
