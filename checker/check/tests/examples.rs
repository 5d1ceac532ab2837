//! Tests the examples that `sitegate explain` shows: each rule reports `bad`, and reports nothing for `good`, nor do rules
//! about links. Each example is a separate test: `cargo test --test cases -- "broken-link: bad"`.
//!
//! [`RuleInfo`] documents the format of examples. Each becomes an export together with the pages of `examples/`, which it
//! may link to and replace.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use sitegate_check::{
    CONTRACT_FILE, Category, CheckTarget, Checker, Contract, DocumentId, FindingLocator, RuleInfo, rules,
};
use toml::{Table, Value};

use crate::external_answers::ExternalReferences;
use crate::{copying, live_server};

/// The part of an example with the answers of external hosts.
const EXTERNAL: &str = "external";

/// The part of an example with the answers of a live site's server.
const LIVE: &str = "live";

/// The name of an example's page if the example does not set one.
const PAGE: &str = "example.html";

/// Returns two trials for each rule.
pub fn trials() -> Vec<Trial> {
    let needs_unix = |example: &str| cfg!(not(unix)) && example.starts_with("$ ");
    let both = |rule: &'static RuleInfo| {
        let bad = Trial::test(format!("{}: bad", rule.id), || reports_bad(rule));
        let good = Trial::test(format!("{}: good", rule.id), || accepts_good(rule));
        [bad.with_ignored_flag(needs_unix(rule.bad)), good.with_ignored_flag(needs_unix(rule.good))]
    };
    rules().flat_map(both).collect()
}

fn reports_bad(rule: &RuleInfo) -> Result<(), Failed> {
    let found = findings(rule, rule.bad);
    if found.iter().any(|(by, _)| by.id == rule.id) {
        Ok(())
    } else {
        Err(format!("{} finds nothing in\n{}\nand others find {found:#?}", rule.id, rule.bad).into())
    }
}

fn accepts_good(rule: &RuleInfo) -> Result<(), Failed> {
    let counts =
        |by: &RuleInfo| by.id == rule.id || matches!(by.category, Category::Links | Category::Contract);
    let mut found = findings(rule, rule.good);
    found.retain(|(by, _)| counts(by));
    if found.is_empty() { Ok(()) } else { Err(format!("{found:#?} in\n{}", rule.good).into()) }
}

/// Returns the findings in an example, with its rule at level error. Findings in the shared pages, such as missing links to
/// them, are left out.
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
    let answers = |part: &str| files.iter().find(|(name, _)| name == part).map(|(_, text)| text.as_str());
    let external = ExternalReferences::parse(answers(EXTERNAL).unwrap_or_default());
    let report = match answers(LIVE) {
        Some(answers) => live_server::check(folder.path(), answers, &checker),
        None => checker.external(&external).run(CheckTarget::Export(folder.path())).unwrap(),
    };
    assert!(report.unreadable.is_empty(), "{:?}", report.unreadable);
    let mut locator = FindingLocator::new(&report, &contract);
    let is_of_the_stock = |name: &str| {
        name == CONTRACT_FILE || stock.join(name).exists() && files.iter().all(|(own, _)| own != name)
    };
    let mut found = Vec::new();
    for finding in &report.findings {
        let name = locator.name(&finding.location.document);
        if !(matches!(finding.location.document, DocumentId::File(_)) && is_of_the_stock(&name)) {
            let line = locator.locate(finding).start.line;
            found.push((finding.rule, format!("{name}:{line}: {}", finding.message)));
        }
    }
    found
}

/// Returns the files of an example with their names.
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

/// Completes a partial page. HTML puts the elements of the head in the right place.
fn page(name: &str, content: &str) -> String {
    let starts_with = |start: &str| content.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start));
    let is_whole = ["<!doctype", "<html", "<head"].into_iter().any(starts_with);
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

/// Returns the example's contract, with its rule at level error.
fn contract(folder: &Path, rule: &RuleInfo, files: &[(String, String)]) -> Contract {
    let own =
        files.iter().find(|(name, _)| name == CONTRACT_FILE).map_or("", |(_, content)| content.as_str());
    let mut contract: Table = own.parse().unwrap();
    let rules = contract.entry("rules").or_insert_with(|| Table::new().into()).as_table_mut().unwrap();
    let setting = rules.entry(rule.id).or_insert_with(|| Table::new().into()).as_table_mut().unwrap();
    setting.insert("level".to_owned(), Value::from("error"));
    let file = folder.join(CONTRACT_FILE);
    fs::write(&file, contract.to_string()).unwrap();
    Contract::load(&file).unwrap_or_else(|error| panic!("{error}"))
}
