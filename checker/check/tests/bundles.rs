//! Removes each file of the small sites in `bundles/` in turn, and compares the check with what happened in a browser: `breaks.txt`
//! is what the walk of `lab/bundlers` found. The sites are our own work: those of webpack, Parcel and Vite are written by hand in
//! the shape that their bundlers write, those of esbuild and Rollup are built of our sources and contain no runtime.
//!
//! `break` is a file without which a visitor sees something else: there must be an error. `warned` is one whose absence
//! breaks the site too, but that a script says how to do without, or that may be an API: there must be a warning. Without a
//! `calm` file nothing was seen to change. The whole site has no error.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use libtest_mimic::{Failed, Trial};
use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::raw_finding::Severity;
use sitegate_check::{CheckTarget, Checker};

use crate::copying;

/// A trial for each folder: `bundles/vite`.
pub fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bundles");
    let mut names: Vec<String> =
        fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let trial = |name: String| {
        let folder = root.join(&name);
        Trial::test(format!("bundles/{name}"), move || every_break_is_noticed(&folder))
    };
    names.into_iter().map(trial).collect()
}

/// What a check says, at one level.
fn said(site: &Path, severity: Severity) -> BTreeSet<String> {
    let contract = Contract::defaults();
    let report = Checker::new(&contract).unwrap().run(CheckTarget::Export(site)).unwrap();
    assert!(report.unreadable.is_empty(), "{:?}", report.unreadable);
    let found = report.findings.iter().filter(|finding| finding.severity == severity);
    found.map(|finding| format!("{}: {}", finding.raw.rule.id, finding.raw.message)).collect()
}

fn every_break_is_noticed(folder: &Path) -> Result<(), Failed> {
    let work = tempfile::tempdir().unwrap();
    let site = work.path().join("site");
    copying::copy(&folder.join("site"), &site);
    let errors = said(&site, Severity::Error);
    if !errors.is_empty() {
        return Err(format!("the whole site has errors: {errors:#?}").into());
    }
    let warnings = said(&site, Severity::Warn);
    let mut unnoticed = Vec::new();
    let truth = fs::read_to_string(folder.join("breaks.txt")).unwrap();
    for line in truth.lines() {
        let (what, file) = line.split_once(' ').unwrap();
        let aside = work.path().join("aside");
        fs::rename(site.join(file), &aside).unwrap();
        let is_noticed = match what {
            "break" => !said(&site, Severity::Error).is_empty(),
            "warned" => said(&site, Severity::Warn).difference(&warnings).next().is_some(),
            _ => true,
        };
        fs::rename(&aside, site.join(file)).unwrap();
        if !is_noticed {
            unnoticed.push(line.to_owned());
        }
    }
    if unnoticed.is_empty() { Ok(()) } else { Err(format!("not noticed: {unnoticed:#?}").into()) }
}
