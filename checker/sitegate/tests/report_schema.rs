//! Validates the JSON reports of all cases against the schema of `sitegate schema report`.

#[path = "../../check/tests/folders/external_answers.rs"]
mod external_answers;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use sitegate_check::{
    CheckTarget, Checker, Contract, OutputFormat, RenderOptions, Report, report_schema, write,
};

use external_answers::ExternalReferences;

#[test]
fn shipped_report_schema_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sitegate.report.schema.json");
    let output = Command::new(env!("CARGO_BIN_EXE_sitegate")).args(["schema", "report"]).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &printed).unwrap();
    }
    let shipped = fs::read_to_string(file).unwrap_or_default();
    assert!(
        shipped == printed,
        "`UPDATE=1 cargo test` updates it, and `npm run package -- --types` updates the types"
    );
}

/// Changes a schema so that it rejects unknown fields.
fn without_additional_properties(mut schema: Value) -> Value {
    if let Value::Object(object) = &mut schema {
        if object.contains_key("properties") {
            object.insert("additionalProperties".to_owned(), json!(false));
        }
        object.values_mut().for_each(|held| *held = without_additional_properties(held.take()));
    }
    schema
}

#[test]
fn reports_of_all_cases_match_the_schema() {
    let schema = without_additional_properties(serde_json::from_str(&report_schema()).unwrap());
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../check/tests/cases");
    let written = tempfile::tempdir().unwrap();
    sitegate_textcase::write_all(&cases, written.path()).unwrap();
    let mut fields = std::collections::BTreeSet::new();
    for rule in fs::read_dir(written.path()).unwrap() {
        for case in fs::read_dir(rule.unwrap().path()).unwrap() {
            let case = case.unwrap().path();
            let contract = case.join("sitegate.toml");
            let contract =
                if contract.is_file() { Contract::load(&contract).unwrap() } else { Contract::defaults() };
            let answers = fs::read_to_string(case.join("external.txt")).ok();
            let external = answers.as_deref().map(ExternalReferences::parse);
            let mut checker = Checker::new(&contract).unwrap();
            if let Some(external) = &external {
                checker = checker.external(external);
            }
            let Ok(result) = checker.run(CheckTarget::Export(&case.join("site"))) else { continue };
            let report = result.into_report(&contract).0.with_elapsed(std::time::Duration::from_millis(1234));
            let render = |report: &Report, format| {
                let mut text = Vec::new();
                write(format, report, &RenderOptions { all: true, ..RenderOptions::default() }, &mut text)
                    .unwrap();
                String::from_utf8(text).unwrap()
            };
            let text = render(&report, OutputFormat::Json);
            let saved = Report::from_json(text.as_bytes()).unwrap();
            for format in OutputFormat::ALL {
                assert_eq!(render(&report, format), render(&saved, format), "{format:?} {}", case.display());
            }
            let written: Value = serde_json::from_str(&text).unwrap();
            validator.validate(&written).unwrap_or_else(|e| panic!("{}: {e}\n{written:#}", case.display()));
            fields.extend(written.as_object().unwrap().keys().cloned());
        }
    }
    let known: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    let unmet: Vec<&str> = known.into_iter().filter(|field| !fields.contains(*field)).collect();
    assert!(unmet.is_empty() || unmet == ["skipped", "unreadable"], "no case has {unmet:?}");
}
