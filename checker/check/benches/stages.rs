//! Times each stage of a check on generated documentation: `cargo bench --package sitegate-check`.
//! `npm run bench` times whole checks, compared with other programs.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use sitegate_check::{
    CachedExport, CheckTarget, Checker, Contract, OutputFormat, RenderOptions, Resolver, Ruleset, Tree,
    check_again, found_urls, write,
};
use sitegate_host::redirects::Redirects;
use tempfile::TempDir;
use url::Url;

/// Pages of the documentation.
const PAGES: usize = 1_000;

fn main() {
    divan::main();
}

/// Returns a page with a menu, chapters with ids, and some 120 links. One link of twenty is broken.
fn page(number: usize) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Page {number}</title>\n<link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n<nav><ul class=\"menu\">\n"
    );
    for entry in 0..60 {
        let other = (number + entry * 7) % PAGES;
        writeln!(page, "<li class=\"item\"><a class=\"link\" href=\"p{other}.html\">Page {other}</a></li>")
            .unwrap();
    }
    page.push_str("</ul></nav>\n<main>\n");
    for chapter in 0..30 {
        let other = (number * 31 + chapter * 17) % (PAGES + PAGES / 20);
        let words =
            "caches answer repeated requests, and metrics show how many requests that saved. ".repeat(8);
        writeln!(page, "<section id=\"c{chapter}\"><h2>Chapter {chapter}</h2>\n<p>{words}<a href=\"./p{other}.html#c{chapter}\">More</a> <a href=\"#c{chapter}\">Here</a></p></section>").unwrap();
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn documentation() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..PAGES {
        fs::write(folder.path().join(format!("p{number}.html")), page(number)).unwrap();
    }
    folder
}

/// Parses the bytes of a page, and joins the URLs in it.
#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    let content = page(0).into_bytes();
    let address = Url::parse("https://www.example.com/p0.html").unwrap();
    bencher
        .counter(BytesCount::of_slice(&content))
        .with_inputs(|| content.clone())
        .bench_local_values(|content| found_urls(content, b"p0.html", &address, usize::MAX));
}

/// Resolves references: plain paths, paths that climb, URLs, and a broken link.
#[divan::bench(args = ["p7.html", "../p7.html#c1", "/p%37.html", "//www.example.com/", "gone.html"])]
fn resolve(bencher: Bencher<'_, '_>, reference: &str) {
    let folder = documentation();
    let (tree, contract) = (Tree::walk(folder.path()).unwrap(), Contract::defaults());
    let resolver =
        Resolver::new(&tree, &contract.site, Arc::new(Redirects::of_contract(&contract.redirects)));
    let base = resolver.document(tree.find(b"p0.html").unwrap());
    let mut buffer = Vec::new();
    bencher
        .counter(ItemsCount::new(1_usize))
        .bench_local(|| resolver.resolve(&base, black_box(reference), &mut buffer));
}

/// Checks an export, from the folder to the report.
#[divan::bench(sample_count = 20)]
fn check_export(bencher: Bencher<'_, '_>) {
    let folder = documentation();
    let contract = Contract::defaults();
    let bench = bencher.counter(ItemsCount::new(PAGES));
    let checker = Checker::new(&contract).unwrap();
    bench.bench_local(|| checker.run(CheckTarget::Export(folder.path())).unwrap());
}

/// Checks the export again when all facts are cached: joins them, runs the rules of the whole site, and builds the
/// report.
#[divan::bench(sample_count = 20)]
fn check_again_with_cached_facts(bencher: Bencher<'_, '_>) {
    let folder = documentation();
    let (contract, rules) = defaults();
    let mut cache = CachedExport::default();
    let mut again = |root: &Path| check_again(root, &contract, &rules, &mut cache).unwrap();
    again(folder.path());
    bencher.counter(ItemsCount::new(PAGES)).bench_local(|| again(folder.path()));
}

/// Renders a report of some thousand findings in every format.
#[divan::bench(sample_count = 20, args = OutputFormat::ALL)]
fn output(bencher: Bencher<'_, '_>, format: OutputFormat) {
    let folder = documentation();
    let contract = Contract::defaults();
    let report = Checker::new(&contract).unwrap().run(CheckTarget::Export(folder.path())).unwrap();
    let bench = bencher.counter(ItemsCount::new(report.findings.len()));
    bench.bench_local(|| {
        let (report, _) = report.clone().into_report(&contract);
        let mut out = Vec::new();
        write(format, &report, &RenderOptions::default(), &mut out).unwrap();
        out
    });
}

fn defaults() -> (Contract, Ruleset) {
    let contract = Contract::defaults();
    let rules = Ruleset::new(&contract).unwrap();
    (contract, rules)
}
