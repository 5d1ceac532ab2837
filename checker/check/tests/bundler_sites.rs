//! Removes each file of the sites in `bundles.txt` in turn, and compares the findings with the behavior of a browser, which
//! `lab/bundlers` recorded in `breaks.txt`. All sites are our own work. Those of webpack, Parcel and Vite are written by
//! hand in the format of these bundlers. Those of esbuild and Rollup are built from our sources and contain no runtime.
//!
//! A line starts with the effect of the missing file:
//! - `break`: visitors see a different page. An error is required.
//! - `warned`: the site breaks, too, but a script handles the failure, or the file may be an API. A warning is required.
//! - `calm`: nothing changes.
//!
//! The complete site must have no errors.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use libtest_mimic::{Failed, Trial};
use sitegate_check::{CheckTarget, Checker, Contract, Severity};
use sitegate_textcase::TextCase;

/// Returns a trial for each site: `bundles/vite`.
pub fn trials() -> Vec<Trial> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bundles.txt");
    let bundles = sitegate_textcase::read_file(&file).unwrap_or_else(|error| panic!("{error}"));
    let trial =
        |bundle: TextCase| Trial::test(bundle.full_name(), move || reports_every_broken_page(&bundle));
    bundles.into_iter().map(trial).collect()
}

/// Returns the findings at one level.
fn findings(site: &Path, severity: Severity) -> BTreeSet<String> {
    let contract = Contract::defaults();
    let report = Checker::new(&contract).unwrap().run(CheckTarget::Export(site)).unwrap();
    assert!(report.unreadable.is_empty(), "{:?}", report.unreadable);
    let found = report.findings.iter().filter(|finding| finding.severity == severity);
    found.map(|finding| format!("{}: {}", finding.rule.id, finding.message)).collect()
}

fn reports_every_broken_page(bundle: &TextCase) -> Result<(), Failed> {
    let work = tempfile::tempdir().unwrap();
    let site = work.path().join("site");
    bundle.write_files(work.path())?;
    let errors = findings(&site, Severity::Error);
    if !errors.is_empty() {
        return Err(format!("the whole site has errors: {errors:#?}").into());
    }
    let warnings = findings(&site, Severity::Warn);
    let mut unreported = Vec::new();
    for line in bundle.content("breaks.txt").unwrap().lines() {
        let (effect, file) = line.split_once(' ').unwrap();
        let aside = work.path().join("aside");
        fs::rename(site.join(file), &aside).unwrap();
        let is_reported = match effect {
            "break" => !findings(&site, Severity::Error).is_empty(),
            "warned" => findings(&site, Severity::Warn).difference(&warnings).next().is_some(),
            _ => true,
        };
        fs::rename(&aside, site.join(file)).unwrap();
        if !is_reported {
            unreported.push(line.to_owned());
        }
    }
    if unreported.is_empty() { Ok(()) } else { Err(format!("not reported: {unreported:#?}").into()) }
}
