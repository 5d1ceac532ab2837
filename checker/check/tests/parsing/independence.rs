//! Checks that findings depend only on the export and the contract: not on parallel checks, and not on the files that
//! were read before.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use crate::contract::{Assertion, Contract};
use crate::parse::{self, Algorithm, ContentNeeds, Facts, Format, Page, ParseOptions};
use crate::raw_finding::DocumentId;
use crate::walk::Tree;
use crate::{CheckTarget, Checker};
use regex::bytes::Regex;
use sitegate_address::AddedHtml;

/// Formats a report: every finding with its location, and the counts.
fn reported(root: &Path, checker: &Checker<'_>) -> String {
    let report = checker.run(CheckTarget::Export(root)).unwrap();
    let name = |place| match place {
        DocumentId::File(file) => report.tree.display(file).into_owned(),
        other => format!("{other:?}"),
    };
    let findings = report.findings.iter().map(|found| (name(found.location.document.clone()), found));
    format!("{:#?}\n{:?}\n{:?}", findings.collect::<Vec<_>>(), report.summary, report.unreadable)
}

/// Writes an export with placeholders, broken links and values that must be equal, for all rules that count.
fn export(folder: &Path, host: &str, pages: usize) {
    fs::create_dir_all(folder).unwrap();
    for number in 0..pages {
        let page = format!(
            "<!doctype html><html lang=\"en\"><title>Page</title><h1>{host}</h1><a class=\"demo\" href=\"/{number}\">\
             Demo</a><a href=\"https://{host}/{number}\">1</a><a href=\"mailto:me@{host}\">2</a>"
        );
        fs::write(folder.join(format!("{number}.html")), page).unwrap();
    }
}

#[test]
fn parallel_checks_report_the_same_as_single_checks() {
    let folder = tempfile::tempdir().unwrap();
    let exports = ["one", "two"].map(|name| folder.path().join(name));
    export(&exports[0], "example.com", 40);
    export(&exports[1], "example.org", 70);
    let file = folder.path().join("sitegate.toml");
    fs::write(
        &file,
        "[rules]\nplaceholder = \"error\"\nforbidden-text = { texts = [\"example\"] }\n\n\
         [[assert]]\npages = \"/**\"\nselect = \"a.demo\"\nsame = [\"href\"]\n",
    )
    .unwrap();
    let contract = Contract::load(&file).unwrap();
    let checker = Checker::new(&contract).unwrap();
    let alone = exports.each_ref().map(|root| reported(root, &checker));
    for (text, host) in alone.iter().zip(["example.com", "example.org"]) {
        assert!(text.contains("placeholder") && text.contains(host), "{text}");
    }
    for _ in 0..8 {
        let together = thread::scope(|scope| {
            let checker = &checker;
            // Two of each, so that every check runs in parallel with the same and with another export.
            let running = [&exports[0], &exports[1], &exports[0], &exports[1]]
                .map(|root| scope.spawn(move || reported(root, checker)));
            running.map(|check| check.join().unwrap())
        });
        for (index, text) in together.iter().enumerate() {
            assert!(*text == alone[index % 2], "--- alone\n{}\n--- together\n{text}", alone[index % 2]);
        }
    }
}

#[test]
fn findings_are_located_alike_in_the_scan_and_later() {
    /// More than a worker keeps in memory: the file is read again for the last ones.
    const LINKS: u32 = 5_000;
    let folder = tempfile::tempdir().unwrap();
    let link = |number: u32| format!("é<a href=\"/gone/{number}\">x</a>");
    let links: Vec<String> = (0..LINKS).map(link).collect();
    fs::write(folder.path().join("index.html"), format!("<!doctype html>\n{}", links.join("\n"))).unwrap();
    let contract = Contract::defaults();
    let report = Checker::new(&contract).unwrap().check(CheckTarget::Export(folder.path())).unwrap();
    let broken: Vec<_> = report.findings.iter().filter(|found| &*found.rule == "broken-link").collect();
    assert_eq!(broken.len(), LINKS as usize);
    for (number, found) in (0..LINKS).zip(broken) {
        let path = format!("/gone/{number}");
        let end = 11 + path.len() as u32;
        assert_eq!(
            (found.line, found.column, found.end_line, found.end_column),
            (number + 2, 11, number + 2, end)
        );
        assert_eq!((found.url.as_deref(), &*found.cause), (Some(&*path), &*path));
        let snippet = found.snippet.as_ref().unwrap();
        assert_eq!((&*snippet.text, snippet.start, snippet.length), (&*link(number), 10, path.len() as u32));
    }
}

/// A file of a case, and the facts to extract from it.
struct RequestedFile<'c> {
    path: PathBuf,
    content: Vec<u8>,
    format: Format,
    selected: Vec<(usize, &'c Assertion)>,
    digest: Option<Algorithm>,
}

/// Returns the files of a case's export.
fn files<'c>(site: &Path, contract: &'c Contract) -> Vec<RequestedFile<'c>> {
    let tree = Tree::walk(site).unwrap();
    let request = |file| {
        let name = tree.display(file);
        let html = AddedHtml::default();
        let format = Format::of(tree.path(file));
        let assertions = contract.assertions.iter().enumerate();
        RequestedFile {
            path: site.join(&*name),
            content: fs::read(tree.disk_path(file)).unwrap(),
            format,
            selected: assertions
                .filter(|(_, a)| format == Format::Html && a.pages.contains(tree.path(file), html))
                .collect(),
            digest: (file % 3 == 0).then_some(Algorithm::Sha256),
        }
    };
    (0..tree.len() as u32).map(request).collect()
}

fn read(page: &mut Page, file: &RequestedFile<'_>, wanted: &ContentNeeds) -> (Result<(), String>, Facts) {
    let options = ParseOptions {
        path: b"",
        format: file.format,
        selected: &file.selected,
        needs: wanted,
        digest: file.digest,
    };
    let read = parse::read(page, file.content.clone(), &options);
    (read.map_err(|error| error.to_string()), page.facts.clone())
}

/// Returns the direct subfolders, sorted.
fn subfolders(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn facts_do_not_depend_on_previously_read_files() {
    let folder = tempfile::tempdir().unwrap();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    sitegate_textcase::write_all(&cases, folder.path()).unwrap();
    let contracts: Vec<(PathBuf, Contract)> = subfolders(folder.path())
        .iter()
        .flat_map(|rule| subfolders(rule))
        .map(|case| {
            let file = case.join("sitegate.toml");
            let contract = if file.is_file() { Contract::load(&file).unwrap() } else { Contract::defaults() };
            (case.join("site"), contract)
        })
        .collect();
    let files: Vec<RequestedFile<'_>> =
        contracts.iter().flat_map(|(site, contract)| files(site, contract)).collect();
    let wanted = ContentNeeds {
        forbidden: Some(Regex::new("(?i)a b|gone|lorem").unwrap()),
        digests: None,
        anchor_names: false,
        ignore_attributes: vec!["data-proofer-ignore".to_owned()],
    };
    let fresh: Vec<_> = files.iter().map(|file| read(&mut Page::default(), file, &wanted)).collect();
    let count = files.len();
    assert!(count > 300, "only {count} files");
    // Steps that are coprime to the count visit every file, each time after a different one.
    let is_coprime = |step: &usize| (2..=*step).all(|d| !step.is_multiple_of(d) || !count.is_multiple_of(d));
    for step in [1, count - 1, 7, 31, 101, 173].into_iter().filter(is_coprime) {
        let mut page = Page::default();
        for at in (0..count).map(|turn| turn * step % count) {
            let (file, fresh) = (&files[at], &fresh[at]);
            let again = read(&mut page, file, &wanted);
            assert_eq!(again, *fresh, "{}, {step} files a step", file.path.display());
        }
    }
}
