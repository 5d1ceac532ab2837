//! Tests which sources are read, and the speed with many findings. The cases of `sitegate-check` test the reported lines.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;
use tempfile::TempDir;

use crate::folders::write;

fn page(body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>A page</title></head><body>{body}</body></html>\n"
    )
}

fn check(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    let output = command.current_dir(folder).arg("check").args(args).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&check(folder, &[&["--format", "json"], args].concat())).unwrap()
}

/// Creates a site of one page with a broken link, and the sources with this link.
pub fn site_with_broken_link(sources: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "project/dist/index.html", &page("<a href=\"/gone\">x</a>"));
    write(folder.path(), "project/sitegate.toml", "[site]\nroot = \"dist\"\n[source]\ninclude = [\"**\"]\n");
    sources.iter().for_each(|source| write(folder.path(), source, "---\n---\n[x](/gone)\n"));
    folder
}

#[test]
fn reads_only_source_files_in_the_project() {
    let folder = site_with_broken_link(&[
        "project/content/index.md",
        "project/node_modules/theme/a.md",
        "project/.git/b.md",
        "project/build/c.md",
        "project/content/index.test.md",
        "project/content/__tests__/e.md",
        "outside/d.md",
    ]);
    let project = folder.path().join("project");
    write(&project, ".gitignore", "build/\n");
    write(&project, "binary.md", "\0[x](/gone)\n");
    write(&project, "picture.png", "[x](/gone)\n");
    write(&project, "large.md", &format!("{}[x](/gone)\n", " ".repeat(5 << 20)));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../outside", project.join("linked")).unwrap();
        std::os::unix::fs::symlink("../outside/d.md", project.join("linked.md")).unwrap();
    }
    let found = &json(&project, &[])["findings"][0];
    assert_eq!(found["source"]["file"], "content/index.md", "{found}");
    assert_eq!((&found["source"]["line"], &found["source"]["certain"]), (&3.into(), &true.into()));
    assert!(found.get("candidates").is_none());
}

#[test]
fn rejects_sources_above_the_contract() {
    for include in ["../**", "/etc/**", "a/../../**", ""] {
        let folder = site_with_broken_link(&[]);
        let project = folder.path().join("project");
        write(
            &project,
            "sitegate.toml",
            &format!("[site]\nroot = \"dist\"\n[source]\ninclude = [\"{include}\"]\n"),
        );
        let output =
            Command::new(env!("CARGO_BIN_EXE_sitegate")).current_dir(&project).arg("check").output().unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{include}");
        assert!(printed.contains("must be a path below the contract's folder"), "{printed}");
    }
}

#[test]
fn annotations_use_paths_from_the_repository_root() {
    let folder = site_with_broken_link(&["project/content/index.md"]);
    fs::create_dir(folder.path().join(".git")).unwrap();
    let project = folder.path().join("project");
    let github = check(&project, &["--format", "github"]);
    assert!(
        github.starts_with("::error file=project/content/index.md,line=3,col=5,endColumn=10,"),
        "{github}"
    );
    assert!(github.contains("%0Ain project/dist/index.html:2:"), "{github}");
    let gitlab: Value = serde_json::from_str(&check(&project, &["--format", "gitlab"])).unwrap();
    assert_eq!(gitlab[0]["location"]["path"], "project/content/index.md");
    assert_eq!(gitlab[0]["location"]["lines"]["begin"], 3);
    let sarif: Value = serde_json::from_str(&check(&project, &["--format", "sarif"])).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "project/content/index.md");
    assert_eq!(location["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    assert_eq!(location["region"]["startLine"], 3);
    let related = &result["relatedLocations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((&related["uri"], &related["uriBaseId"]), (&"index.html".into(), &"EXPORT".into()));
    let junit = check(&project, &["--format", "junit"]);
    assert!(junit.contains("file=\"project/content/index.md\""), "{junit}");
}

#[test]
fn report_names_the_source_line() {
    let folder = site_with_broken_link(&["project/content/index.md"]);
    let project = folder.path().join("project");
    fs::create_dir_all(project.join("reports/new")).unwrap();
    let mut without_editor = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    without_editor
        .args(["check", "--report", "html=reports/new/a.html"])
        .current_dir(&project)
        .env("CI", "true");
    without_editor.output().unwrap();
    let report = fs::read_to_string(project.join("reports/new/a.html")).unwrap();
    assert!(report.contains("<a href=\"../../content/index.md\">content/index.md:3:5</a>"));
    let contract = fs::read_to_string(project.join("sitegate.toml")).unwrap();
    let link = "link = \"https://example.org/{file}#L{line}\"";
    write(&project, "sitegate.toml", &format!("{contract}{link}\n"));
    assert!(
        check(&project, &["--format", "html"])
            .contains("<a href=\"https://example.org/content/index.md#L3\">")
    );
}

#[test]
fn groups_a_template_link_by_cause() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "sitegate.toml", "[site]\nroot = \"dist\"\n[source]\ninclude = [\"layouts/**\"]\n");
    write(folder.path(), "layouts/footer.html", "<footer>\n<a href=\"/imprint\">Imprint</a>\n</footer>\n");
    for number in 0..40 {
        let links = "<a href=\"/\">Home</a><a href=\"/imprint\">Imprint</a>";
        write(folder.path(), &format!("dist/{number}/index.html"), &page(links));
    }
    write(folder.path(), "dist/index.html", &page("<a href=\"/imprint\">Imprint</a>"));
    let report = |args: &[&str]| check(folder.path(), &[args, &["--all"]].concat());
    let human = report(&[]);
    assert!(
        human.contains(
            "error[broken-link]: `/imprint` does not exist\n  --> layouts/footer.html:2:10 (on 41 pages)\n"
        ),
        "{human}"
    );
    assert_eq!(human.matches("error[broken-link]: `/imprint`").count(), 1);
    let count = |format: &str, sign: &str| report(&["--format", format]).matches(sign).count();
    for (format, sign) in [
        ("github", "::error "),
        ("gitlab", "\"fingerprint\""),
        ("sarif", "\"ruleId\""),
        ("junit", "<failure "),
        ("markdown", "\n- <"),
        ("html", "<article class=\"finding error"),
    ] {
        assert_eq!(count(format, sign), 1, "{format}");
    }
    assert_eq!(json(folder.path(), &[])["findings"].as_array().unwrap().len(), 41, "json keeps all");
}

#[test]
fn maps_many_findings_in_many_sources_quickly() {
    // 50 findings on each of 400 pages: in the page's source, in a template, or in no source. One word is in all of them.
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "sitegate.toml", "[site]\nroot = \"dist\"\n[source]\ninclude = [\"content/**\"]\n");
    for number in 0..400 {
        let links: String =
            (0..50).map(|link| format!("<a href=\"../x/a-{}/\">x</a>\n", number * 50 + link)).collect();
        write(folder.path(), &format!("dist/p{number}.html"), &page(&links));
        let links: String =
            (0..50).map(|link| format!("[x](../x/a-{}/) a a a\n", number * 50 + link)).collect();
        write(folder.path(), &format!("content/p{number}.md"), &links);
    }
    let began = Instant::now();
    let report = json(folder.path(), &[]);
    let found = report["findings"].as_array().unwrap();
    let certain = found.iter().filter(|found| found["source"]["certain"] == true).count();
    assert_eq!(certain, found.iter().filter(|found| found["rule"] == "broken-link").count());
    assert_eq!(certain, 20_000);
    assert!(began.elapsed().as_secs() < 120, "{:?}", began.elapsed());
}

/// Returns the reported source of the first broken link: `file:line`, with `?` if it is not certain.
fn reported_source(pages: &[(&str, &str)], sources: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "sitegate.toml", "[site]\nroot = \"dist\"\n[source]\ninclude = [\"docs/**\"]\n");
    pages.iter().for_each(|(name, body)| write(folder.path(), &format!("dist/{name}"), &page(body)));
    sources.iter().for_each(|(name, text)| write(folder.path(), &format!("docs/{name}"), text));
    let report = json(folder.path(), &[]);
    let found = report["findings"].as_array().unwrap().iter();
    let mut broken = found.filter(|found| found["rule"].as_str().unwrap().starts_with("broken-"));
    let Some(source) = broken.next().and_then(|found| found["source"].as_object()) else {
        return String::new();
    };
    let doubt = if source["certain"] == true { "" } else { "?" };
    format!("{}:{}{doubt}", source["file"].as_str().unwrap(), source["line"])
}

#[test]
fn known_ambiguous_sources_are_not_reported_as_certain() {
    let link = "<a href=\"/gone/\">x</a>";
    // reStructuredText underlines headings with characters that open code blocks in Markdown.
    let underlined = ("a.rst", "A\n~\n\n.. _x: /gone/\n\nx_\n");
    let sources = [underlined, ("b.rst", "x_\n\n.. _x: /gone/\n")];
    assert_eq!(reported_source(&[("a.html", link), ("b.html", link)], &sources), "docs/a.rst:4");
    // Definitions are in another order than their uses.
    let two = format!("{link}{link}");
    let sources = [("a.rst", "`x`_ y_\n\n.. _y: /gone/\n.. _x: /gone/\n")];
    assert_eq!(reported_source(&[("a.html", &two)], &sources), "docs/a.rst:3?");
    // A definition may be used twice.
    let sources = [("a.md", "[x], [y][x]\n\n[x]: /gone/\n")];
    assert_eq!(reported_source(&[("a.html", &two)], &sources), "docs/a.md:3");
    // A template that is not a source may write the same text as a page.
    let pages = [("a.html", link), ("b.html", &two)];
    assert_eq!(reported_source(&pages, &[("a.md", "x\n"), ("b.md", "[x](/gone/)\n")]), "docs/b.md:1?");
    let pages = [("a.html", link), ("b.html", link)];
    assert_eq!(reported_source(&pages, &[("a.md", "x\n"), ("b.md", "[x](/gone/)\n")]), "docs/b.md:1?");
    // Pages without a source may list texts of others.
    assert_eq!(reported_source(&pages, &[("b.md", "[x](/gone/)\n")]), "docs/b.md:1");
    // An example in the page's source may be the origin of the text.
    assert_eq!(
        reported_source(&pages, &[("a.md", "`[x](/gone/)`\n"), ("b.md", "[x](/gone/)\n")]),
        "docs/a.md:1?"
    );
    // Pagination changes relative URLs.
    let relative = "<a href=\"#gone-here\">x</a>";
    let sources = [("a.md", "[x](#gone-here)\n")];
    assert_eq!(reported_source(&[("all.html", relative)], &sources), "docs/a.md:1?");
}

#[test]
fn matches_sources_in_language_folders_and_with_dots_in_names() {
    let link = "<a href=\"../gone/\">x</a>";
    let pages = [("news/5.1.html", link), ("news/a/index.html", link)];
    assert_eq!(
        reported_source(&pages, &[("en/news/5.1.rst", "`x <../gone/>`_\n")]),
        "docs/en/news/5.1.rst:1"
    );
    assert_eq!(reported_source(&pages[1..], &[("en/news/a.md", "[x](../gone/)\n")]), "docs/en/news/a.md:1");
}
