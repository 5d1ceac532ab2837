//! Tests of generated contracts, of schemas and of completions. `commands/contract.txt` has the other tests.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;

use crate::folders::{folder, sitegate, stdout, write};

const PAGE: &str = "<!doctype html><html lang=\"en\"><head><title>x</title></head><body><h1>x</h1></body>";

/// Returns the error message for an invalid contract.
fn error_of(contract: &str) -> String {
    let folder = folder(&[("site/index.html", PAGE), ("sitegate.toml", contract)]);
    let output = sitegate(folder.path(), &["check", "site"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    text
}

#[test]
fn deeply_combined_selector_is_an_error_and_no_crash() {
    for unit in ["p ", "a>", ":not("] {
        let select = format!("{}p", unit.repeat(50_000));
        let text = error_of(&format!("[[assert]]\npages = \"/**\"\nselect = \"{select}\"\n"));
        let error =
            "sitegate.toml:3:10: `assert.select`: combines more than 100 selectors; use a shorter one";
        assert!(text.contains(error), "{}", &text[..200.min(text.len())]);
    }
    let longest = "p ".repeat(100);
    let contract = format!("[[assert]]\npages = \"/**\"\nselect = \"{longest}\"\nmax = 0\n");
    let folder = folder(&[("site/index.html", PAGE), ("sitegate.toml", &contract)]);
    assert_eq!(sitegate(folder.path(), &["check", "site"]).status.code(), Some(0));
}

#[test]
fn extends_a_long_contract_and_rejects_a_long_chain() {
    let long = format!("extends = \"base.toml\"\n{}", "# more\n".repeat(10_000));
    let base = "[rules]\nbroken-link = \"wrong\"\n";
    let folder = folder(&[("sitegate.toml", &long), ("base.toml", base), ("site/index.html", PAGE)]);
    let check_error = || {
        let output = sitegate(folder.path(), &["check", "site"]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(check_error().contains("base.toml:2:15: "), "{}", check_error());
    for number in 0..150 {
        let next = format!("extends = \"{}.toml\"\n", number + 1);
        write(folder.path(), &format!("{number}.toml"), &next);
    }
    write(folder.path(), "base.toml", "extends = \"0.toml\"\n");
    assert!(
        check_error().contains("97.toml:1:11: `extends`: a contract has at most 100 files"),
        "{}",
        check_error()
    );
}

/// The validator of the schema of `sitegate schema`. It is shared, because to compile the schema takes longer than to
/// validate all contracts.
static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema: Value = serde_json::from_slice(&sitegate(Path::new("."), &["schema"]).stdout).unwrap();
    jsonschema::draft7::new(&schema).unwrap()
});

/// Validates a contract against the schema of `sitegate schema`.
fn validate_against_schema(contract: &Value) -> Result<(), String> {
    VALIDATOR.validate(contract).map_err(|error| error.to_string())
}

#[test]
fn shipped_contract_schema_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sitegate.schema.json");
    let printed = stdout(&sitegate(Path::new("."), &["schema"]));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &printed).unwrap();
    }
    let shipped = fs::read_to_string(file).unwrap();
    assert!(shipped == printed, "`UPDATE=1 cargo test` updates it");
}

#[test]
fn contracts_of_this_site_all_cases_and_drafts_match_the_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("../../sitegate.toml")];
    let written = tempfile::tempdir().unwrap();
    sitegate_textcase::write_all(&root.join("../check/tests/cases"), written.path()).unwrap();
    for rule in fs::read_dir(written.path()).unwrap() {
        for case in fs::read_dir(rule.unwrap().path()).unwrap() {
            files.push(case.unwrap().path().join("sitegate.toml"));
        }
    }
    files.retain(|file| file.is_file());
    let mut contracts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let drafts = sitegate_textcase::read_file(&root.join("tests/commands/init.txt")).unwrap();
    contracts.extend(drafts.iter().map(|case| case.expected("sitegate.toml").to_owned()));
    for text in contracts {
        let contract: toml::Value = toml::from_str(&text).unwrap();
        validate_against_schema(&serde_json::to_value(contract).unwrap())
            .unwrap_or_else(|e| panic!("{e}:\n{text}"));
    }
}

#[test]
fn schema_rejects_what_the_program_rejects() {
    for contract in [
        serde_json::json!({ "sites": {} }),
        serde_json::json!({ "site": { "trailing-slash": "maybe" } }),
        serde_json::json!({ "rules": { "broken-links": "off" } }),
        serde_json::json!({ "rules": { "broken-anchor": { "ignor": [] } } }),
        serde_json::json!({ "ignore": [{ "rule": "broken-link" }] }),
        serde_json::json!({ "assert": [{ "pages": "/" }] }),
    ] {
        assert!(validate_against_schema(&contract).is_err(), "{contract}");
    }
}

#[test]
fn completions_and_man_page_include_all_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = sitegate(Path::new("."), &["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        let script = stdout(&output);
        assert!(script.contains("write-baseline") && script.contains("explain"), "{shell}");
    }
    let page = stdout(&sitegate(Path::new("."), &["man"]));
    assert!(page.contains(".TH sitegate 1") && page.contains("sitegate\\-check(1)"), "{page}");
    let page = stdout(&sitegate(Path::new("."), &["man", "check"]));
    assert!(page.contains(".TH sitegate-check 1") && page.contains("write\\-baseline"), "{page}");
    assert_eq!(sitegate(Path::new("."), &["man", "chekc"]).status.code(), Some(2));
}
