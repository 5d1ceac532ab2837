//! Tests the limits of hosts for an upload, with files that are too large for a case.

use std::fs::{self, File};

use sitegate_check::{CheckTarget, Checker, Contract};

/// Returns the findings of `dropped-file` for an export with a file of this size, which takes no space on disk.
fn findings(host: &str, size: u64) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    fs::create_dir(&site).unwrap();
    fs::write(
        site.join("index.html"),
        "<!doctype html><html lang=en><title>Acme</title><a href=large.bin>Large</a>",
    )
    .unwrap();
    File::create(site.join("large.bin")).unwrap().set_len(size).unwrap();
    let file = folder.path().join("sitegate.toml");
    fs::write(&file, format!("[site]\nhost = \"{host}\"\n")).unwrap();
    let contract = Contract::load(&file).unwrap();
    let report = Checker::new(&contract).unwrap().run(CheckTarget::Export(&site)).unwrap();
    let (report, _) = report.into_report(&contract);
    let dropped = report.findings.iter().filter(|found| &*found.rule == "dropped-file");
    dropped.map(|found| format!("{}: {}", found.file, found.message)).collect()
}

#[test]
fn names_the_limit_that_a_file_exceeds() {
    const MIB: u64 = 1 << 20;
    let expected = ["large.bin: too large: 26 MiB, but Cloudflare Pages accepts files of 25 MiB"];
    assert_eq!(findings("cloudflare-pages", 25 * MIB + 1), expected);
    assert_eq!(findings("cloudflare-pages", 25 * MIB), [""; 0]);
    assert_eq!(findings("netlify", 26 * MIB), [""; 0]);
}
