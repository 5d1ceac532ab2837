//! Tests the examples in the table of attributes with URLs: a check finds the missing file `gone`, and a policy that allows
//! nothing blocks the request, if browsers send one. Each is a separate test: `cargo test --test cases "img srcset"`.

use std::fs;

use libtest_mimic::{Failed, Trial};
use sitegate_check::{CheckTarget, Checker, Contract};
use sitegate_html::element_table::URL_ATTRIBUTES;
use sitegate_html::url_attribute::{Effect, Scope, UrlAttribute};

/// The rules about missing files, all on, and a policy that blocks every request, but not styles in the page.
const CONTRACT: &str = "[rules]\nmissing-lazy-asset = 'error'\n[[headers]]\npaths = ['/**']\n\
    set.Content-Security-Policy = \"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action \
    'none'\"\n";

/// Returns two trials for each row.
pub fn trials() -> Vec<Trial> {
    let both = |row: &'static UrlAttribute| {
        let element = row.elements.first().map_or("any element", |name| name.as_str());
        let name = format!("{element} {}", row.attribute.as_str());
        let name = if row.scope == Scope::Svg { format!("svg {name}") } else { name };
        let missing = Trial::test(format!("{name}: missing file"), || finds_missing_file(row));
        [missing, Trial::test(format!("{name}: policy"), || blocks_request(row))]
    };
    URL_ATTRIBUTES.iter().flat_map(both).collect()
}

/// Returns the rules of the findings about `gone` in an example.
fn rules_of_findings(row: &UrlAttribute) -> Result<Vec<String>, Failed> {
    let folder = tempfile::tempdir()?;
    let page = format!("<!doctype html><html lang=en><title>x</title>{}", row.example);
    fs::write(folder.path().join("index.html"), page)?;
    let contract = folder.path().join("sitegate.toml");
    fs::write(&contract, CONTRACT)?;
    let contract = Contract::load(&contract)?;
    let report = Checker::new(&contract)?.check(CheckTarget::Export(folder.path()))?;
    let about_gone = report.findings.iter().filter(|finding| finding.message.contains("gone"));
    Ok(about_gone.map(|finding| finding.rule.to_string()).collect())
}

fn finds_missing_file(row: &UrlAttribute) -> Result<(), Failed> {
    let expected: &[&str] = match row.effect {
        Effect::Navigate | Effect::Ping | Effect::Base => &["broken-link"],
        Effect::Load(_) | Effect::LoadByScript | Effect::Depends => &["missing-asset"],
        // The methods decide.
        Effect::Submit => &["broken-link", "broken-form"],
        Effect::Request => &["missing-asset", "broken-form"],
        // An image without another file is needed.
        Effect::Defer => &["missing-asset", "missing-lazy-asset"],
        // A description may be an image.
        Effect::Describe => &["broken-link", "missing-asset"],
    };
    let found = rules_of_findings(row)?;
    if found.iter().any(|rule| expected.contains(&rule.as_str())) {
        return Ok(());
    }
    Err(format!("none of {expected:?} finds the missing file in {}, only {found:?}", row.example).into())
}

fn blocks_request(row: &UrlAttribute) -> Result<(), Failed> {
    let is_request = matches!(
        row.effect,
        Effect::Load(_) | Effect::Submit | Effect::Ping | Effect::Base | Effect::Depends
    );
    let is_blocked = rules_of_findings(row)?.iter().any(|rule| rule == "blocked-by-csp");
    if is_request == is_blocked {
        return Ok(());
    }
    Err(format!("blocked-by-csp is {is_blocked} for {}", row.example).into())
}
