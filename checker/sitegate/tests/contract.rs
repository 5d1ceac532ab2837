//! Tests features around the contract: ignores, baselines, base contracts, `init`, schemas, completions.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

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

#[test]
fn extending_file_overrides_values_and_merges_tables() {
    let page = "<a href=\"#L1\">x</a><a href=\"#gone\">x</a><a href=\"/gone\">x</a>";
    let folder = folder(&[
        ("site/index.html", page),
        ("a.toml", "\u{feff}[site]\nroot = \"nowhere\"\n[rules]\nbroken-anchor = { ignore = [\"^L\"] }\n"),
        ("b.toml", "extends = \"a.toml\"\n[site]\nroot = \"site\"\n[rules]\nbroken-anchor = \"warn\"\n"),
    ]);
    let run = |contract: &str| {
        write(folder.path(), "sitegate.toml", contract);
        let output = sitegate(folder.path(), &["check", "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        (report["summary"]["errors"].as_u64().unwrap(), report["summary"]["warnings"].as_u64().unwrap())
    };
    assert_eq!(run("extends = [\"a.toml\", \"b.toml\"]\n"), (1, 1), "a level joins the options of a base");
    let options = "extends = \"b.toml\"\n[rules]\nbroken-anchor = { ignore = [] }\n";
    assert_eq!(run(options), (1, 2), "options join the level of a base");
    let nearer = "extends = \"b.toml\"\n[rules]\nbroken-anchor = \"off\"\nbroken-link = \"off\"\n";
    assert_eq!(run(nearer), (0, 0));
    let ignore = |url: &str| format!("[[ignore]]\nurl = \"{url}\"\nreason = \"because\"\n");
    write(folder.path(), "a.toml", &ignore("^#gone"));
    let joined = format!("extends = \"b.toml\"\n{}", ignore("^/gone"));
    assert_eq!(run(&joined), (0, 1), "lists of tables are joined");
}

#[test]
fn only_new_findings_fail_with_a_baseline() {
    let two = "<a href=\"/gone\">a</a>\n<a href=\"/gone\">b</a>";
    let folder = folder(&[("site/index.html", two), ("sitegate.toml", "[site]\nroot = \"site\"\n")]);
    let run = |args: &[&str]| sitegate(folder.path(), args);
    assert_eq!(run(&["check"]).status.code(), Some(1));
    let output = run(&["check", "--write-baseline", "known.json"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("wrote 2 findings to known.json"));
    let written = fs::read(folder.path().join("known.json")).unwrap();
    run(&["check", "--write-baseline", "known.json"]);
    assert_eq!(fs::read(folder.path().join("known.json")).unwrap(), written, "the same bytes again");

    let output = run(&["check", "--baseline", "known.json"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("passed  2 in the baseline"), "{}", stdout(&output));
    // Moved lines are known findings. The third link is new.
    write(folder.path(), "site/index.html", &format!("\n\n{two}\n<a href=\"/gone\">c</a>"));
    let output = run(&["check", "--baseline", "known.json", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["summary"]["errors"], &report["summary"]["baselined"]), (&1.into(), &2.into()));

    write(folder.path(), "site/index.html", "<a href=\"/gone\">a</a>");
    let output = run(&["check", "--baseline", "known.json"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stdout(&output)
            .contains("this finding is fixed, but still in the baseline: index.html: /gone (broken-link)")
    );
}

#[test]
fn seal_covers_the_baseline() {
    let folder = folder(&[
        ("site/index.html", "<a href=\"/gone\">a</a>"),
        ("sitegate.toml", "[site]\nroot = \"site\"\n[check]\nbaseline = \"known.json\"\n"),
    ]);
    let run = |args: &[&str]| sitegate(folder.path(), args);
    let missing = run(&["check"]);
    assert_eq!(missing.status.code(), Some(2));
    let text = String::from_utf8(missing.stderr).unwrap();
    assert!(text.contains("write it with `sitegate check --write-baseline known.json`"), "{text}");
    assert_eq!(run(&["check", "--write-baseline", "known.json"]).status.code(), Some(0));
    let digest = || {
        assert_eq!(run(&["check", "--seal", "seal.json"]).status.code(), Some(0));
        let seal: Value =
            serde_json::from_slice(&fs::read(folder.path().join("seal.json")).unwrap()).unwrap();
        seal["contract"].as_str().unwrap().to_owned()
    };
    let first = digest();
    let known = fs::read_to_string(folder.path().join("known.json")).unwrap();
    write(folder.path(), "known.json", &known.replace("\"count\": 1", "\"count\": 2"));
    assert_ne!(digest(), first);
    write(folder.path(), "known.json", &known);
    assert_eq!(digest(), first);
}

#[test]
fn counts_ignored_findings() {
    let page = "<a href=\"/gone\" data-sitegate-ignore=\"broken-link: soon\">a</a>";
    let folder = folder(&[("site/index.html", page)]);
    let output = sitegate(folder.path(), &["check", "site"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("\npassed  1 ignored"), "{}", stdout(&output));
}

#[test]
fn init_writes_a_contract_that_passes() {
    let page = |canonical: &str, h1: &str| {
        format!(
            "<!doctype html><html lang=\"en\"><head><title>x</title><link rel=\"canonical\" \
             href=\"https://docs.example.org{canonical}\"></head><body>{h1}<a href=\"/terms\">t</a></body>"
        )
    };
    let folder = folder(&[
        ("dist/index.html", &page("/", "<h1>x</h1>")),
        ("dist/terms/index.html", &page("/terms", "<h1>x</h1>")),
        ("dist/about/index.html", &page("/about", "<h1>x</h1>")),
        ("dist/a/deep/page.html", &page("/a/deep/page.html", "<h1>x</h1>")),
        ("dist/404.html", &page("/404.html", "")),
        ("dist/assets/app-B3xk9a2Z.js", "1"),
    ]);
    let output = sitegate(folder.path(), &["init"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout(&output).contains("the export passes"), "{}", stdout(&output));
    let text = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
    for line in [
        "root = \"dist\"",
        "origin = \"https://docs.example.org\" # canonical links of 4 pages",
        "not-found = \"404.html\" # served for unknown paths",
        "trailing-slash = \"never\" # canonical links of 2 index pages end without it",
        "  \"/terms\",",
        "except = \"/404.html\"",
        "#   one description: not on 5 pages, such as 404.html",
        "paths = [\"/assets/**\"]",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert!(!text.contains("/a/deep"), "only routes of the top level\n{text}");
    assert_eq!(sitegate(folder.path(), &["check"]).status.code(), Some(0));
    assert_eq!(sitegate(folder.path(), &["init"]).status.code(), Some(2), "refuses to replace it");
    assert_eq!(sitegate(folder.path(), &["init", "--force"]).status.code(), Some(0));
    let contract: toml::Value = toml::from_str(&text).unwrap();
    validate_against_schema(&serde_json::to_value(contract).unwrap()).unwrap();
}

#[test]
fn init_lists_failing_rules() {
    let folder = folder(&[("export/index.html", "<h1>x</h1><a href=\"/gone\">x</a>")]);
    let output = sitegate(folder.path(), &["init"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("name its folder: `sitegate init DIR`"));
    let output = sitegate(folder.path(), &["init", "export"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("does not pass yet") && text.contains("1  error    broken-link"), "{text}");
    assert_eq!(sitegate(folder.path(), &["check"]).status.code(), Some(1));
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
fn contracts_of_this_site_and_all_cases_match_the_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut contracts = vec![root.join("../../sitegate.toml")];
    let written = tempfile::tempdir().unwrap();
    sitegate_textcase::write_all(&root.join("../check/tests/cases"), written.path()).unwrap();
    for rule in fs::read_dir(written.path()).unwrap() {
        for case in fs::read_dir(rule.unwrap().path()).unwrap() {
            contracts.push(case.unwrap().path().join("sitegate.toml"));
        }
    }
    for file in contracts.iter().filter(|file| file.is_file()) {
        let contract: toml::Value = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        validate_against_schema(&serde_json::to_value(contract).unwrap())
            .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
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
fn reads_a_contract_from_standard_input() {
    let folder =
        folder(&[("site/index.html", PAGE), ("base.toml", "[rules]\nmissing-description = \"error\"\n")]);
    let checked = |args: &[&str], contract: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        let command = command.current_dir(folder.path()).args(args).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(contract.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (code, text) =
        checked(&["check", "--config", "-"], "extends = \"base.toml\"\nsite.root = \"site\"\n");
    assert!(code == Some(1) && text.contains("missing-description"), "{text}");
    let (code, text) = checked(&["check", "site", "--config", "-"], "[site]\nroof = 1\n");
    assert!(code == Some(2) && text.contains("standard input:2:1: unknown key `roof`"), "{text}");
    let (code, text) = checked(&["check", "site", "--watch", "--config", "-"], "");
    assert!(code == Some(2) && text.contains("needs a contract file"), "{text}");
}

#[test]
fn only_a_check_reads_inventories() {
    let contract = "[permalinks]\nkeep = [\"gone.txt\"]\n";
    let text = error_of(contract);
    assert!(text.contains("sitegate.toml:2:9: gone.txt: "), "{text}");
    let folder = folder(&[("site/index.html", PAGE), ("sitegate.toml", contract)]);
    for command in [&["host-config", "nginx"][..], &["serve", "site", "--port", "0", "--stop-after", "0"]] {
        let output = sitegate(folder.path(), command);
        assert_eq!(output.status.code(), Some(0), "{command:?}");
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

/// Creates an export with findings ignored by a page, by the contract and by a baseline.
fn export_with_ignored_findings() -> TempDir {
    let page = "<!doctype html><html lang=\"en\"><head><title>x</title></head><body><h1>x</h1>\n\
                <a href=\"/a\" data-sitegate-ignore=\"broken-link: another *app* answers <it>\">a</a>\n\
                <a href=\"/b\" data-sitegate-ignore=\"broken-link\" data-sitegate-reason=\"another *app* answers &lt;it>\">b</a>\n\
                <a href=\"/c\">c</a><a href=\"/d\">d</a></body>";
    let contract =
        "[check]\nbaseline = \"known.json\"\n\n[[ignore]]\nurl = \"/c\"\nreason = \"made on request\"\n";
    let folder =
        folder(&[("site/index.html", page), ("sitegate.toml", "[[ignore]]\nurl = \"/c\"\nreason = \"x\"\n")]);
    let wrote = sitegate(folder.path(), &["check", "site", "--write-baseline", "known.json"]);
    assert!(wrote.status.success());
    write(folder.path(), "sitegate.toml", contract);
    folder
}

#[test]
fn reports_and_seal_list_ignored_findings() {
    let folder = export_with_ignored_findings();
    let check = |more: &[&str]| {
        let output = sitegate(folder.path(), &[&["check", "site"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        stdout(&output)
    };
    let human = check(&["--seal", "seal.json"]);
    for line in [
        "ignored: 2 broken-link findings, in site-relative",
        "ignored: 1 broken-link finding, by sitegate.toml:5: made on request",
        "ignored: 1 broken-link finding, in the baseline known.json",
    ] {
        let line = line.replace("site-relative", "index.html:2: another *app* answers <it>");
        assert!(human.contains(&line), "{line}\n{human}");
    }
    let sealed: Value = serde_json::from_slice(&fs::read(folder.path().join("seal.json")).unwrap()).unwrap();
    let report: Value = serde_json::from_str(&check(&["--format", "json"])).unwrap();
    assert_eq!(sealed["ignored"], report["ignores"]);
    let kinds: Vec<&str> =
        sealed["ignored"].as_array().unwrap().iter().map(|entry| entry["by"].as_str().unwrap()).collect();
    assert_eq!(kinds[..3], ["page", "contract", "baseline"]);
    assert_eq!(sealed["ignored"][0]["findings"], 2);
    let ignored = report["ignored"].as_array().unwrap();
    let urls: Vec<&str> = ignored.iter().filter_map(|found| found["url"].as_str()).collect();
    assert!(urls.starts_with(&["/a", "/b", "/c"]) && urls.contains(&"/d"), "{urls:?}");
    assert_eq!(report["ignored"][0]["reason"], "another *app* answers <it>");
    let log: Value = serde_json::from_str(&check(&["--format", "sarif"])).unwrap();
    let suppressed = log["runs"][0]["results"].as_array().unwrap();
    let suppressions: Vec<(&str, &str)> = suppressed
        .iter()
        .map(|result| &result["suppressions"][0])
        .map(|why| (why["kind"].as_str().unwrap(), why["justification"].as_str().unwrap()))
        .collect();
    assert_eq!(suppressions[1], ("inSource", "another *app* answers <it>"));
    assert_eq!(suppressions[2], ("external", "made on request"));
    assert_eq!(suppressions[3], ("external", "in the baseline"));
    let markdown = check(&["--format", "markdown"]);
    assert!(
        markdown.contains("### Ignored") && markdown.contains("another &#42;app&#42; answers &#60;it&#62;")
    );
    let html = check(&["--format", "html"]);
    assert!(html.contains("<h2>Ignored</h2>") && html.contains("another *app* answers &lt;it&gt;"));
}
