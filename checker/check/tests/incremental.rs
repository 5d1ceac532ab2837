//! Checks that incremental checks report the same as full checks. Sites are edited, broken, fixed, renamed and rebuilt at
//! random, and every check with a cache must equal one without.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use sitegate_check::{
    CachedExport, CheckResult, CheckTarget, Checker, Contract, DocumentId, FindingLocator, OutputFormat,
    PreviousFindings, RawFinding, RenderOptions, Ruleset, check_again,
};

/// Number of sites, and of edits of each.
const SITES: u64 = 8;
const EDITS: usize = 100;

/// Minimum time that file systems distinguish. A watcher waits longer than that for the writer to pause.
const TICK: Duration = Duration::from_millis(11);

const CONTRACT: &str = r#"
[rules]
orphan-page = "warn"
missing-description = "warn"
missing-integrity = "warn"
unreferenced-file = "warn"
duplicate-url = "warn"
forbidden-host = { level = "warn", hosts = ["tracker.example"] }
size-budget = { pages = { "/**" = { gzip = 60 } } }

[[assert]]
pages = ["/**"]
select = "h1"
count = 1

[[assert]]
pages = ["/**"]
select = "p"
same = ["id"]
min = 0

[[ignore]]
rule = "broken-link"
paths = ["/deep/**"]
url = "gone2"
reason = "known"
"#;

struct Dice(u64);

impl Dice {
    /// Returns a number below `sides`.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.roll(of.len())]
    }
}

const PAGES: [&str; 9] = [
    "index.html",
    "a.html",
    "b.html",
    "deep/index.html",
    "deep/c.html",
    "deep/er/d.html",
    "404.html",
    "moved.html",
    "z.svg",
];

const LINKS: [&str; 27] = [
    "/",
    "a.html",
    "/b.html#one",
    "/a.html#two",
    "#one",
    "/deep/",
    "/deep/c.html#three",
    "../a.html",
    "er/d.html",
    "/gone1",
    "/gone2.html",
    "/old/page",
    "https://tracker.example/x",
    "/app.js",
    "style.css",
    "/z.svg#one",
    "/a.html#:~:text=words",
    "mailto:someone",
    "//cdn.example/x",
    "/moved.html#two",
    "/index.html",
    "/deep/index.html",
    "https://example.com/y",
    "mailto:someone@example.com",
    "/deep",
    "/b/",
    "/app/x/y",
];

/// Returns the content of a page or drawing.
fn page(dice: &mut Dice) -> String {
    let mut text = String::from("<!doctype html><html lang=en><meta charset=utf-8>");
    text += &format!("<title>{}</title>", dice.one(&["One", "Two", "Three", ""]));
    if dice.roll(6) == 0 {
        text += &format!("<meta http-equiv=refresh content='0; url={}'>", dice.one(&LINKS));
    }
    // Redirects that keep the fragment of the URL.
    if dice.roll(5) == 0 {
        let next = dice.one(&PAGES);
        text += &format!("<meta http-equiv=refresh content='0; url=/{next}'>");
        text += &format!("<script>location.replace('/{next}' + location.hash)</script>");
    }
    if dice.roll(4) == 0 {
        text += &format!("<link rel=canonical href='https://site.example/{}'>", dice.one(&PAGES));
    }
    if dice.roll(3) == 0 {
        text += "<script type=module src=/app.js integrity='sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='></script>";
    }
    if dice.roll(4) == 0 {
        text += &format!("<script>import('{}')</script>", dice.one(&["/app.js", "/lib.js", "./no.js"]));
    }
    if dice.roll(8) == 0 {
        let urls = dice.one(&["/gone1", "/a.html"]);
        text +=
            &format!("<script type=speculationrules>{{\"prefetch\":[{{\"urls\":[\"{urls}\"]}}]}}</script>");
    }
    for _ in 0..dice.roll(3) {
        text += "<h1>words</h1>";
    }
    for _ in 0..dice.roll(8) {
        text += &format!(
            "<p id={}><a href='{}'>x</a>\n",
            dice.one(&["one", "two", "three", "four"]),
            dice.one(&LINKS)
        );
    }
    if dice.roll(6) == 0 {
        text += "<!-- sitegate-ignore broken-link: known -->";
    }
    text
}

/// Changes one thing on a page, as an author would: usually only its own findings change.
fn revised(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let line = dice.roll(lines.len());
    match dice.roll(8) {
        0 => text.replacen("<meta charset", "<!-- more --><meta charset", 1),
        1 => text.replacen("<title>", "<title>More ", 1),
        2 => text.replacen("<h1>", "some words <h1>", 1),
        3 => {
            let gone = lines.remove(line);
            lines.push(gone);
            lines.concat()
        }
        4 => text.replacen(
            "href='/'",
            &format!("href='{}'", dice.one(&["/nowhere", "#nowhere", "/a.html#nowhere"])),
            1,
        ),
        5 => text.replacen("id=one", "id=two", 1),
        6 => text.replacen("id=two", "id=one", 1),
        _ => text.replacen("</h1>", &format!("</h1><a href='{}'>x</a>", dice.one(&LINKS)), 1),
    }
}

/// Possible contents of the other files.
const OTHERS: [(&str, [&str; 3]); 8] = [
    ("app.js", ["import './lib.js'", "import './gone.js'; fetch('/data.json')", "hello"]),
    ("lib.js", ["export {}", "import('/deep/more.js')", "import 'bare'"]),
    ("style.css", ["a { background: url(x.png) }", "@import 'gone.css';", ""]),
    (
        "_redirects",
        [
            "/old/* /a.html 301",
            "/old/* /gone 301",
            "/old/page https://else.example/ 302\n/app/* /deep/c.html 200",
        ],
    ),
    ("CNAME", ["site.example", "other.example", "no domain"]),
    ("robots.txt", ["Sitemap: https://site.example/sitemap.xml", "User-agent: *", ""]),
    (
        "sitemap.xml",
        [
            "<urlset><url><loc>https://site.example/a.html</loc></url></urlset>",
            "<urlset><url><loc>https://site.example/gone.html</loc></url></urlset>",
            "<urlset>",
        ],
    ),
    ("x.png", ["\u{89}PNG", "<html>", ""]),
];

/// Changes a site at random, and marks the cache as a watcher would: usually with the path of the change, sometimes only
/// as changed.
fn edit(root: &Path, dice: &mut Dice, kept: &mut CachedExport) {
    let name = dice.one(&PAGES);
    let file = root.join(name);
    if !file.parent().unwrap().exists() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        kept.mark_changed(Path::new("deep"));
    }
    match dice.roll(20) {
        // An editor replaces a page.
        0..=3 if file.exists() => {
            fs::write(&file, page(dice)).unwrap();
            return kept.mark_changed(Path::new(name));
        }
        // A byte changes, the length does not.
        4 if file.exists() => {
            let text = fs::read_to_string(&file).unwrap();
            fs::write(&file, text.replace("one", "uno").replace("two", "one")).unwrap();
            return kept.mark_changed(Path::new(name));
        }
        10.. if file.exists() => {
            let text = fs::read_to_string(&file).unwrap();
            // Some editors write in place, others replace the file.
            let written = if dice.roll(2) == 0 { file.clone() } else { root.join("page.new") };
            fs::write(&written, revised(&text, dice)).unwrap();
            if written != file {
                fs::rename(&written, &file).unwrap();
                kept.mark_changed(Path::new("page.new"));
            }
            return kept.mark_changed(Path::new(name));
        }
        5 => {
            let _ = fs::remove_file(&file);
            return kept.mark_changed(Path::new(name));
        }
        6 => {
            let other = dice.one(&PAGES);
            let _ = fs::rename(&file, root.join(other));
            kept.mark_changed(Path::new(name));
            return kept.mark_changed(Path::new(other));
        }
        // A folder is deleted and created again.
        7 => {
            let _ = fs::remove_dir_all(root.join("deep"));
            fs::create_dir_all(root.join("deep/er")).unwrap();
            fs::write(root.join("deep/er/d.html"), page(dice)).unwrap();
        }
        8 | 9 => {
            let (name, contents) = OTHERS[dice.roll(OTHERS.len())];
            let is_there = root.join(name).exists();
            fs::write(root.join(name), dice.one(&contents)).unwrap();
            if is_there {
                return kept.mark_changed(Path::new(name));
            }
        }
        _ => fs::write(&file, page(dice)).unwrap(),
    }
    sleep(TICK);
    kept.require_walk();
}

/// Formats everything that is reported, except for the elapsed time.
fn rendered(report: &CheckResult, contract: &Contract) -> String {
    let options = RenderOptions { all: true, ..RenderOptions::default() };
    let (made, _) = report.clone().into_report(contract);
    let mut text = Vec::new();
    for format in [OutputFormat::Human, OutputFormat::Json] {
        sitegate_check::write(format, &made, &options, &mut text).unwrap();
    }
    format!("{}{:?}{:?}", String::from_utf8_lossy(&text), report.inbound, report.depths)
}

#[test]
fn incremental_checks_report_the_same_as_full_checks() {
    for seed in 1..=SITES {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("site");
        fs::create_dir(&root).unwrap();
        let file = folder.path().join("sitegate.toml");
        // These two serve pages at addresses in other folders.
        let host = ["", "[site]\nhost = \"gitlab-pages\"", "[site]\nhost = \"azure-static-web-apps\""];
        fs::write(&file, format!("{}\n{CONTRACT}", host[seed as usize % host.len()])).unwrap();
        let contract = Contract::load(&file).unwrap();
        let rules = Ruleset::new(&contract).unwrap();
        let mut kept = CachedExport::default();
        let mut last = PreviousFindings::default();
        let mut before = Vec::new();
        for step in 0..EDITS {
            edit(&root, &mut dice, &mut kept);
            let mut warm = check_again(&root, &contract, &rules, &mut kept).unwrap();
            let cold = Checker::new(&contract).unwrap().run(CheckTarget::Export(&root)).unwrap();
            let (warm_text, cold_text) = (rendered(&warm, &contract), rendered(&cold, &contract));
            let first = warm_text.lines().zip(cold_text.lines()).find(|(warm, cold)| warm != cold);
            assert!(warm_text == cold_text, "site {seed}, edit {step}: {first:?}");

            // The previous findings without the fixed ones and with the new ones are the current findings.
            let gone = last.retain_new(&mut warm, &contract, |file| kept.has_read(file));
            let list = |report: &CheckResult| -> Vec<String> {
                let name = |found: &RawFinding| {
                    let mut locator = FindingLocator::new(report, &contract);
                    let url = locator.reference(found).unwrap_or_else(|| found.message.to_string());
                    let name = match found.location.document {
                        DocumentId::Contract => "sitegate.toml".to_owned(),
                        ref place => locator.name(place),
                    };
                    format!("{name}: {url} ({})", found.rule.id)
                };
                let mut list: Vec<String> = report.findings.iter().map(name).collect();
                list.sort();
                list
            };
            let now = list(&cold);
            if let Some(gone) = gone {
                for (known, times) in gone {
                    for _ in 0..times {
                        let known = known.to_string();
                        let at = before.iter().position(|before| *before == known);
                        before.remove(at.unwrap_or_else(|| panic!("{known} was not there")));
                    }
                }
            }
            before.extend(list(&warm));
            before.sort();
            assert_eq!(before, now, "site {seed}, edit {step}");
        }
    }
}
