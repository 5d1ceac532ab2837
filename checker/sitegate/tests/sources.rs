//! Tests which sources are read, and the speed with many findings. The cases of `sitegate-check` test the reported lines.

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{page, program, read, sitegate, stderr, stdout, write};

fn check(folder: &Path, args: &[&str]) -> String {
    let output = sitegate(folder, &[&["check"], args].concat());
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
    stdout(&output)
}

fn json(folder: &Path) -> Value {
    serde_json::from_str(&check(folder, &["--format", "json"])).unwrap()
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
    let found = &json(&project)["findings"][0];
    assert_eq!(found["source"]["file"], "content/index.md", "{found}");
    assert_eq!((&found["source"]["line"], &found["source"]["certain"]), (&3.into(), &true.into()));
    assert!(found.get("candidates").is_none());
}

#[test]
fn sarif_uses_paths_from_the_repository_root() {
    let folder = site_with_broken_link(&["project/content/index.md"]);
    fs::create_dir(folder.path().join(".git")).unwrap();
    let project = folder.path().join("project");
    let sarif: Value = serde_json::from_str(&check(&project, &["--format", "sarif"])).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "project/content/index.md");
    assert_eq!(location["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    assert_eq!(location["region"]["startLine"], 3);
    let related = &result["relatedLocations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((&related["uri"], &related["uriBaseId"]), (&"index.html".into(), &"EXPORT".into()));
}

#[test]
fn report_names_the_source_line() {
    let folder = site_with_broken_link(&["project/content/index.md"]);
    let project = folder.path().join("project");
    fs::create_dir_all(project.join("reports/new")).unwrap();
    program(&project, &["check", "--report", "html=reports/new/a.html"]).env("CI", "true").output().unwrap();
    let report = read(&project, "reports/new/a.html");
    assert!(report.contains("<a href=\"../../content/index.md\">content/index.md:3:5</a>"));
    let contract = read(&project, "sitegate.toml");
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
    assert_eq!(json(folder.path())["findings"].as_array().unwrap().len(), 41, "json keeps all");
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
    let report = json(folder.path());
    let found = report["findings"].as_array().unwrap();
    let certain = found.iter().filter(|found| found["source"]["certain"] == true).count();
    assert_eq!(certain, found.iter().filter(|found| found["rule"] == "broken-link").count());
    assert_eq!(certain, 20_000);
    assert!(began.elapsed().as_secs() < 120, "{:?}", began.elapsed());
}
