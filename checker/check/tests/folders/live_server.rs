//! Simulates live sites for tests. A correct server sends the files of a folder. Lines describe deviations: `/old -> /new`,
//! `/page 403`, `/page/ also /page`, `/page header: value` (`**` for all), `unknown 200`, `http 1`, `certificate 3`,
//! `plain 200`, `left out REASON`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use sitegate_check::{
    CheckResult, CheckTarget, Checker, LiveAnswer, LiveFile, LiveSite, SecondAddress, StoredFile, Tree,
    UnknownPathAnswer,
};
use url::Url;

/// Checks a folder as a live site.
pub fn check(folder: &Path, deviations: &str, checker: &Checker<'_>) -> CheckResult {
    let mut answers: Vec<Box<[u8]>> = Vec::new();
    loop {
        let mut live = site(folder);
        deviations.lines().for_each(|line| apply(&mut live, line));
        for path in &answers {
            live.answers.insert(path.clone(), LiveAnswer::Status(404));
        }
        let live = Arc::new(live);
        let report = checker.run(CheckTarget::Live(&live)).unwrap();
        let unknown = live.take_unknown();
        if unknown.is_empty() {
            return report;
        }
        answers.extend(unknown);
    }
}

/// Returns a site with a correct server.
fn site(folder: &Path) -> LiveSite {
    let mut live = LiveSite::new(Url::parse("https://live.example/").unwrap());
    live.server_behavior.unknown_path = Some(UnknownPathAnswer { status: 404, leads_to: None });
    live.server_behavior.speaks_http2 = Some(true);
    let tree = Tree::walk(folder).unwrap();
    for file in tree.ids().filter(|file| tree.path(*file) != b"sitegate.toml") {
        let path = tree.path(file);
        let address = path.strip_suffix(b"index.html").unwrap_or(path);
        if let Some(bare) = address.strip_suffix(b"/") {
            live.answers.insert(bare.into(), LiveAnswer::Leads(address.into()));
        }
        let media_type = match path.rsplit(|byte| *byte == b'.').next().unwrap() {
            b"html" => "text/html",
            b"css" => "text/css",
            b"js" => "text/javascript",
            b"svg" => "image/svg+xml",
            b"xml" => "application/xml",
            b"json" => "application/json",
            _ => "application/octet-stream",
        };
        let headers = [("content-type", media_type), ("content-encoding", "gzip")];
        let headers: BTreeMap<String, String> =
            headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let stored = StoredFile { file: tree.disk_path(file), is_whole: true };
        let length = std::fs::metadata(&stored.file).unwrap().len();
        live.answers.insert(address.into(), LiveAnswer::File(path.into()));
        live.files.insert(path.into(), LiveFile { address: address.into(), stored, length, headers });
    }
    live
}

fn apply(live: &mut LiveSite, line: &str) {
    let (subject, rest) = line.split_once(' ').unwrap();
    let path = |text: &str| -> Box<[u8]> { text.trim_start_matches('/').as_bytes().into() };
    match (subject, rest.split_once(' ').unwrap_or((rest, ""))) {
        ("unknown", (status, to)) => {
            let leads_to = Some(to.to_owned()).filter(|to| !to.is_empty());
            live.server_behavior.unknown_path =
                Some(UnknownPathAnswer { status: status.parse().unwrap(), leads_to });
        }
        ("http", (version, _)) => live.server_behavior.speaks_http2 = Some(version != "1"),
        ("certificate", (days, _)) => live.server_behavior.certificate_days = Some(days.parse().unwrap()),
        ("plain", (status, _)) => live.server_behavior.plain_status = Some(status.parse().unwrap()),
        ("left", (_, reason)) => live.skipped.push(reason.to_owned()),
        (from, ("->", to)) => drop(live.answers.insert(path(from), LiveAnswer::Leads(path(to)))),
        (page, ("also", other)) => {
            let Some(LiveAnswer::File(file)) = live.answers.get(&path(page)).cloned() else {
                panic!("{line}")
            };
            live.answers.insert(path(other), LiveAnswer::File(file.clone()));
            live.server_behavior.second_addresses.push(SecondAddress { page: file, other: path(other) });
        }
        (of, (name, value)) if name.ends_with(':') => {
            for file in live.files.values_mut().filter(|file| of == "**" || file.address == path(of)) {
                file.headers.insert(name.trim_end_matches(':').to_owned(), value.to_owned());
            }
        }
        (of, (status, _)) => {
            live.answers.insert(path(of), LiveAnswer::Status(status.parse().unwrap()));
        }
    }
}
