//! Tests grouping by cause: each cause is listed once with all its locations.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::folders::{folder, sitegate, stdout};

/// Returns a page without findings.
fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <meta name=\"description\" content=\"A page\"><link rel=\"icon\" href=\"data:,\"></head>\n\
         <body>\n{body}\n</body></html>\n"
    )
}

fn text(folder: &Path, args: &[&str]) -> String {
    stdout(&sitegate(folder, &[&["check", "."], args].concat()))
}

/// Creates a site whose pages have the same body and link to each other.
fn site_from_template(body: &str, pages: usize) -> TempDir {
    let links: String = (0..pages).fold(String::new(), |mut links, page| {
        let _ = write!(links, "<a href=\"/{page}.html\">{page}</a>");
        links
    });
    let folder = folder(&[("index.html", &page("Home", &links))]);
    for number in 0..pages {
        fs::write(folder.path().join(format!("{number}.html")), page(&format!("Page {number}"), body))
            .unwrap();
    }
    folder
}

#[test]
fn limits_the_report_to_100_lines_and_counts_the_rest() {
    let links: String = (0..400).fold(String::new(), |mut links, link| {
        let _ = writeln!(links, "<a href=\"/gone-{link}\">x</a><img src=\"/gone-{link}.png\">");
        links
    });
    let folder = site_from_template(&links, 3);
    let short = text(folder.path(), &["--no-config"]);
    assert!(short.lines().count() <= 100, "{} lines", short.lines().count());
    assert!(short.contains("3,600 findings, 1,200 causes; "), "{short}");
    assert!(short.contains("  --all                         lists 1,1"), "{short}");
    assert!(short.contains("  sitegate explain broken-link  explains "), "{short}");
    assert!(short.contains("  --write-baseline FILE         records "), "{short}");
    assert!(short.contains("  1,200 errors    400 causes  broken-link "), "{short}");
    for rule in ["broken-link", "missing-asset"] {
        assert!(short.contains(&format!("error[{rule}]: ")), "each rule has its turn: {short}");
    }
    let long = text(folder.path(), &["--no-config", "--all"]);
    assert!(!long.contains("more cause"), "{long}");
    assert_eq!(long.matches("error[broken-link]: ").count(), 400);
    assert_eq!(long.lines().filter(|line| line.starts_with("   = also at ")).count(), 2_400);
}

#[test]
fn warnings_alone_take_less_than_60_lines() {
    let folder = folder(&[]);
    let mut links = String::new();
    for number in 0..60 {
        let text = format!(
            "<html><head><title>Page {number}</title><link rel=canonical href=\"\"></head><body><h3>x</h3>\
             <img src=\"data:,{number}\"><a href=\"http://acme.test/{number}\">x</a><p id=a{number}><p id=a{number}>\
             <script>location.hash</script><a href=\"#/{number}\">y</a></body></html>"
        );
        fs::write(folder.path().join(format!("{number}.html")), text).unwrap();
        let _ = write!(links, "<a href=\"{number}.html\">x</a>");
    }
    fs::write(folder.path().join("index.html"), page("Home", &links)).unwrap();
    let report = text(folder.path(), &["--no-config"]);
    assert!(report.contains("passed  "), "{report}");
    for rule in ["insecure-link", "duplicate-id", "missing-alt", "unchecked-anchor"] {
        assert!(report.contains(&format!(" {rule} ")), "{rule}: {report}");
    }
    assert!(report.lines().count() < 60, "{report}");
}

#[test]
fn github_format_counts_omitted_causes() {
    let links: String = (0..1_100).fold(String::new(), |mut links, link| {
        let _ = writeln!(links, "<a href=\"/gone-{link}\">x</a>");
        links
    });
    let folder = site_from_template(&links, 2);
    let text = text(folder.path(), &["--no-config", "--format", "github"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("::error")).count(), 1_000);
    assert!(text.contains("sitegate: 100 causes of errors not listed; other formats list all"), "{text}");
    assert!(text.contains("GitHub shows only 10 of 1,100 error causes as annotations"), "{text}");
    assert!(text.contains("%0Aand 1 more place on 1 page"), "{text}");
}

#[test]
fn cause_shows_the_first_help_of_its_findings_with_its_location() {
    let link = "<a href=\"/\">home</a> <a href=\"#instalation\">x</a>";
    let files = [
        ("index.html", page("Home", &format!("<a href=\"/a/\">a</a> {link} <p id=\"installation\">x"))),
        ("a/index.html", page("A", link)),
    ];
    let folder = folder(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    for format in ["human", "github", "gitlab", "html", "junit", "markdown", "sarif"] {
        let report = text(folder.path(), &["--no-config", "--format", format]);
        assert!(report.to_lowercase().contains("did you mean"), "{format}\n{report}");
        if ["human", "github", "junit"].contains(&format) {
            assert!(report.contains("at `index.html:5`: did you mean"), "{format}\n{report}");
        }
    }
}
