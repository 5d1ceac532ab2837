//! Keeps the README's rules table equal to the registry. `UPDATE=1 cargo test` writes it anew.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sitegate_check::rules::RULES;

const BEGIN: &str = "<!-- rules: made by `UPDATE=1 cargo test` -->\n";
const END: &str = "<!-- end of rules -->\n";

#[test]
fn the_rules_table_is_the_registry() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (shown, after) = rest.split_once(END).unwrap();
    let mut table = "| rule | category | by default | finds |\n|---|---|---|---|\n".to_owned();
    for rule in RULES.iter().map(|rule| rule.info) {
        let summary = rule.summary.replace('|', "\\|").replace('<', "&lt;");
        writeln!(table, "| `{}` | {} | {} | {summary} |", rule.id, rule.category, rule.default).unwrap();
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(shown, table, "`UPDATE=1 cargo test` writes it anew");
    }
}
