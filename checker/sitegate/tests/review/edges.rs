//! Tests of unusual builds: encodings, refreshes, budgets, damaged sitemaps.

use std::fs;

use super::{causes, diff, edit, page, review, sample, site};
use crate::folders::{sitegate, stdout, write};

#[test]
fn encodings_differ_in_bytes_only() {
    let folder = site(&[]);
    let root = folder.path();
    let text = "<!doctype html><title>T</title><p>Le caf\u{e9} du matin.</p>";
    let one_byte = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let utf16 = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_be_bytes);
        [0xfe, 0xff].into_iter().chain(units).collect::<Vec<u8>>()
    };
    let declared = text.replace("<title>", "<meta charset=windows-1252><title>");
    let marked = format!("\u{feff}{text}").into_bytes();
    for (name, bytes) in [
        ("bom", marked),
        ("undeclared", one_byte(text)),
        ("windows", one_byte(&declared)),
        ("utf16", utf16(text)),
    ] {
        write(root, &format!("base/{name}.html"), text);
        fs::write(root.join(format!("new/{name}.html")), bytes).unwrap();
    }
    let found = review(root, &[]);
    let expected = ["attribute `meta[charset]`: added (1)", "bytes 3 files differ in bytes only (3)"];
    assert_eq!(causes(&found), expected, "{found:#}");
    // Letters of an undeclared encoding differ, too.
    fs::write(root.join("base/undeclared.html"), one_byte(&text.replace('\u{e9}', "\u{e8}"))).unwrap();
    let found = causes(&review(root, &[]));
    assert_eq!(found, ["text `p`: changed (1)", expected[0], "bytes 2 files differ in bytes only (2)"]);
}

#[test]
fn a_refresh_is_resolved_against_the_base_element() {
    let folder = sample();
    let root = folder.path();
    fs::create_dir(root.join("new/d")).unwrap();
    fs::rename(root.join("new/guide"), root.join("new/d/caf\u{e9}")).unwrap();
    let refresh = "<!doctype html><title>Moved</title><base href=\"/d/\">\
                   <meta http-equiv=\"refresh\" content=\"0; url=caf%C3%A9/\">";
    write(root, "new/guide/index.html", refresh);
    let found = review(root, &[]);
    assert_eq!(causes(&found), ["moved-url 1 page moved, with a redirect (1)"], "{found:#}");
}

#[test]
fn a_page_that_reloads_itself_is_compared() {
    let folder = sample();
    let root = folder.path();
    for side in ["base", "new"] {
        let text = page("Live", "<p>Some scores.</p>");
        let reload = "<head><meta http-equiv=\"refresh\" content=\"60; url=/live/\">";
        write(root, &format!("{side}/live/index.html"), &text.replace("<head>", reload));
    }
    edit(root, "live/index.html", "Some scores", "All scores");
    assert_eq!(causes(&review(root, &[])), ["text `main > p`: changed (1)"]);
}

#[test]
fn growth_is_compared_with_the_size_budget() {
    let folder = sample();
    let root = folder.path();
    for (side, size) in [("base", 100_000), ("new", 106_000)] {
        write(root, &format!("{side}/big.png"), &"x".repeat(size));
        let text = page("Home", "<p>Welcome to the site.</p><img src=\"/big.png\" alt=\"\">");
        write(root, &format!("{side}/index.html"), &text);
    }
    assert_eq!(causes(&review(root, &[])), ["file `.png`: 1 file changed (1)"]);
    let contract = "[rules.size-budget]\npages = { \"/**\" = 200_000, \"/index.html\" = { raw = 50_000 } }\n";
    write(root, "sitegate.toml", contract);
    let text = stdout(&diff(root, &[]));
    let line = "image files of a page: 100.0 kB \u{2192} 106.0 kB (+6 %; the growth is 12 % of the";
    assert!(text.contains(line), "{text}");
    write(root, "sitegate.toml", &contract.replace("size-budget]", "size-budget]\nlevel = \"off\""));
    assert!(!stdout(&diff(root, &[])).contains("Page weight"));
}

#[test]
fn a_damaged_sitemap_is_named() {
    let folder = sample();
    let root = folder.path();
    write(root, "base/sitemap.xml", "<urlset><url><loc>https://x.example/</loc></url></urlset>");
    write(root, "new/sitemap.xml", "<urlset><url><loc>https://x.example/</loc></url><url");
    let text = stdout(&diff(root, &[]));
    assert!(text.contains("incomplete: new: sitemap.xml: line 1: the XML is malformed"), "{text}");
}

#[test]
fn files_that_load_each_other_end() {
    let folder = sample();
    let root = folder.path();
    for side in ["base", "new"] {
        write(root, &format!("{side}/style.css"), "@import \"other.css\";");
        write(root, &format!("{side}/other.css"), "@import \"style.css\"; @import \"other.css\";");
    }
    assert!(causes(&review(root, &[])).is_empty());
}

#[test]
fn every_run_writes_the_same() {
    let folder = sample();
    let root = folder.path();
    for (side, word) in [("base", "old"), ("new", "new")] {
        for number in 0..30 {
            let blocks: String =
                (0..9).map(|block| format!("<h{0}>{word} {block}</h{0}>", block % 6 + 1)).collect();
            let hosts: String = (0..9).map(|host| format!("<img src=https://h{host}.example alt>")).collect();
            let text = page(&format!("{word} {number}"), &format!("{blocks}{hosts}"));
            write(root, &format!("{side}/{number}.html"), &text);
        }
    }
    let run = || {
        sitegate(root, &["check", "new", "--no-config", "--facts", "new.facts.gz"]);
        (fs::read(root.join("new.facts.gz")).unwrap(), diff(root, &[]).stdout)
    };
    let first = run();
    for _ in 0..5 {
        assert!(run() == first);
    }
}
