//! Tests grouping by cause: each cause is listed once with all its locations.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Creates an export with these files.
fn export(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

/// Returns a page without findings.
fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <meta name=\"description\" content=\"A page\"><link rel=\"icon\" href=\"data:,\"></head>\n\
         <body>\n{body}\n</body></html>\n"
    )
}

fn check(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.current_dir(folder).args(["check", "."]).args(args).output().unwrap()
}

fn text(folder: &Path, args: &[&str]) -> String {
    String::from_utf8(check(folder, args).stdout).unwrap()
}

/// Returns the causes in a report: rule, cause, findings and files.
fn causes(folder: &Path) -> Vec<(String, String, u64, u64)> {
    let report: Value = serde_json::from_str(&text(folder, &["--no-config", "--format", "json"])).unwrap();
    let cause = |cause: &Value| {
        let word = |key: &str| cause[key].as_str().unwrap().to_owned();
        (word("rule"), word("cause"), cause["findings"].as_u64().unwrap(), cause["files"].as_u64().unwrap())
    };
    report["causes"].as_array().unwrap().iter().map(cause).collect()
}

/// Returns the causes of one rule.
fn causes_of_rule(folder: &Path, rule: &str) -> Vec<(String, u64, u64)> {
    causes(folder).into_iter().filter(|cause| cause.0 == rule).map(|(_, name, n, m)| (name, n, m)).collect()
}

/// Creates a site whose pages have the same body and link to each other.
fn site_from_template(body: &str, pages: usize) -> TempDir {
    let links: String = (0..pages).fold(String::new(), |mut links, page| {
        let _ = write!(links, "<a href=\"/{page}.html\">{page}</a>");
        links
    });
    let folder = export(&[("index.html", &page("Home", &links))]);
    for number in 0..pages {
        fs::write(folder.path().join(format!("{number}.html")), page(&format!("Page {number}"), body))
            .unwrap();
    }
    folder
}

#[test]
fn groups_a_target_across_base_elements() {
    let link =
        |base: &str, href: &str| format!("<!doctype html><base href=\"{base}\"><a href=\"{href}\">x</a>");
    let folder = export(&[
        ("a.html", &link("/docs/", "gone")),
        ("b.html", &link("/", "docs/gone?x#y")),
        ("c.html", "<a href=\"docs/gone\">x</a>"),
    ]);
    assert_eq!(causes_of_rule(folder.path(), "broken-link"), [("/docs/gone".to_owned(), 3, 3)]);
}

#[test]
fn groups_a_target_across_redirects() {
    let folder = export(&[("_redirects", "/old /new.html 301\n"), ("new.html", &page("New", "new"))]);
    for (name, href) in [("a.html", "/old#gone"), ("b.html", "new.html#gone"), ("c.html", "/new.html#gone")] {
        fs::write(folder.path().join(name), page(name, &format!("<a href=\"{href}\">x</a>"))).unwrap();
    }
    assert_eq!(causes_of_rule(folder.path(), "broken-anchor"), [("/new.html#gone".to_owned(), 3, 3)]);
}

#[test]
fn groups_findings_of_a_template() {
    let folder = site_from_template(
        "<img src=\"logo.svg\"><a href=\"#nav\">x</a><p id=\"twice\"></p><p id=\"twice\"></p>",
        5,
    );
    fs::write(folder.path().join("logo.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    fs::create_dir(folder.path().join("deep")).unwrap();
    fs::write(
        folder.path().join("deep/x.html"),
        page("Deep", "<img src=\"../logo.svg\"><img src=\"b.png\">"),
    )
    .unwrap();
    let path = folder.path();
    assert_eq!(
        causes_of_rule(path, "missing-alt"),
        [("/logo.svg".to_owned(), 6, 6), ("/deep/b.png".to_owned(), 1, 1)],
        "an image is one cause with any relative path"
    );
    assert_eq!(causes_of_rule(path, "broken-anchor"), [("#nav".to_owned(), 5, 5)]);
    assert_eq!(causes_of_rule(path, "duplicate-id"), [("twice".to_owned(), 5, 5)]);
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
    let folder = export(&[]);
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
    let folder = export(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    for format in ["human", "github", "gitlab", "html", "junit", "markdown", "sarif"] {
        let report = text(folder.path(), &["--no-config", "--format", format]);
        assert!(report.to_lowercase().contains("did you mean"), "{format}\n{report}");
        if ["human", "github", "junit"].contains(&format) {
            assert!(report.contains("at `index.html:5`: did you mean"), "{format}\n{report}");
        }
    }
}

#[test]
fn an_error_of_each_rule_is_listed() {
    let links =
        (0..60).fold(String::new(), |links, number| links + &format!("<a href=\"/gone-{number}\">x</a>\n"));
    let others = "<img src=\"/gone.png\" alt=\"\">\n<a href=\"#gone\">x</a>\n<a href=\"mailto:\">x</a>\n<a href=\"tel:x\">x</a>";
    let folder = export(&[("index.html", &page("Home", &(links + others)))]);
    let printed = text(folder.path(), &["--no-config"]);
    for rule in ["missing-asset", "broken-anchor", "invalid-mailto", "invalid-tel"] {
        assert!(printed.contains(&format!("error[{rule}]")), "{rule}:\n{printed}");
    }
    let listed = printed.matches("error[broken-link]").count();
    assert!((2..60).contains(&listed) && printed.lines().count() <= 100, "{printed}");
}

#[test]
fn warnings_of_old_documentation_are_counted_in_one_line_each() {
    let links = (0..4).fold(String::new(), |links, number| {
        links + &format!("<a href=\"http://host{number}.org/\">x</a>\n")
    });
    let folder = export(&[("index.html", &page("Home", &links))]);
    let printed = text(folder.path(), &["--no-config"]);
    assert!(!printed.contains("warning[insecure-link]"), "{printed}");
    assert!(printed.contains("4 warnings  4 causes  insecure-link"), "{printed}");
    assert!(printed.contains("lists 4 more causes"), "{printed}");
    assert_eq!(text(folder.path(), &["--no-config", "--all"]).matches("warning[insecure-link]").count(), 4);
    fs::write(folder.path().join("sitegate.toml"), "[rules]\ninsecure-link = \"error\"\n").unwrap();
    assert_eq!(text(folder.path(), &[]).matches("error[insecure-link]").count(), 4, "errors are listed");
    fs::write(folder.path().join("index.html"), page("Home", "<a href=\"http://host.org/\">x</a>")).unwrap();
    assert!(text(folder.path(), &["--no-config"]).contains("warning[insecure-link]"), "a few are listed");
}

#[test]
fn a_moved_folder_is_one_cause() {
    let names: Vec<String> = (0..20).map(|number| format!("page-{number}.html")).collect();
    let links =
        names.iter().fold(String::new(), |links, name| links + &format!("<a href=\"/guide/{name}\">x</a>\n"));
    let folder =
        export(&[("index.html", &page("Home", &format!("{links}<a href=\"/other/page.html\">x</a>")))]);
    fs::create_dir_all(folder.path().join("docs/guide")).unwrap();
    for name in &names {
        fs::write(folder.path().join("docs/guide").join(name), page(name, "")).unwrap();
    }
    let printed = text(folder.path(), &["--no-config"]);
    assert_eq!(printed.matches("error[broken-link]").count(), 2, "{printed}");
    assert!(printed.contains("The folder `/guide/` does not exist, but `/docs/guide/` does"), "{printed}");
}

#[cfg(unix)]
#[test]
fn a_dangling_link_and_the_files_behind_it_are_one_entry() {
    let images = (0..9)
        .fold(String::new(), |images, n| images + &format!("<img src=\"/_static/{n}.png\" alt=\"\">\n"));
    let folder = export(&[("index.html", &page("Home", &images))]);
    std::os::unix::fs::symlink("/nope", folder.path().join("_static")).unwrap();
    let printed = text(folder.path(), &["--no-config"]);
    let entry =
        "error[invalid-symlink, missing-asset]: `_static` is a symbolic link to `/nope`, which is outside";
    assert!(
        printed.contains(entry) || printed.contains(&entry.replace("is outside", "does not exist")),
        "{printed}"
    );
    assert!(printed.contains("; 9 broken references behind it\n"), "{printed}");
    assert_eq!(printed.matches("error[").count(), 1, "{printed}");
}
