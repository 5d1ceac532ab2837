//! Tests what new users read when something is wrong: one entry for each mistake, with the expected message.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

pub(super) const HEAD: &str = "<!doctype html><html lang=en><meta charset=utf-8>";

/// The files of a site with a home page, a folder, and a contract that passes.
const SITE: &[(&str, &str)] = &[
    ("dist/index.html", "<title>a</title><a href=/about/>a</a>"),
    ("dist/about/index.html", "<title>b</title><a href=/>b</a>"),
];

/// A mistake: the arguments, the expected output or a part of it, and the exit code. `{here}` is the working directory.
pub(super) type Mistake = (&'static [&'static str], &'static str, i32);

pub(super) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let head = if path.extension().is_some_and(|extension| extension == "html") { HEAD } else { "" };
        fs::write(path, format!("{head}{text}")).unwrap();
    }
    folder
}

pub(super) fn sitegate(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.current_dir(folder).args(args).env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    command.output().unwrap()
}

pub(super) fn text(output: &Output) -> String {
    [&output.stderr, &output.stdout].map(|text| String::from_utf8_lossy(text)).concat()
}

/// Makes each mistake in the same folder, and compares the output.
pub(super) fn assert_messages(folder: &Path, mistakes: &[Mistake]) {
    let here = fs::canonicalize(folder).unwrap().display().to_string();
    for (args, expected, code) in mistakes {
        let output = sitegate(folder, args);
        let (found, expected) = (text(&output), expected.replace("{here}", &here));
        assert!(found.contains(&expected), "{args:?}: expected\n{expected}\nbut found\n{found}");
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {found}");
    }
}

#[test]
fn rollback_and_gc_name_releases() {
    let folder = folder(SITE);
    let target = format!("file://{}/live", folder.path().display());
    for version in ["one", "two"] {
        fs::write(folder.path().join("dist/robots.txt"), version).unwrap();
        sitegate(folder.path(), &["check", "dist", "--seal", "seal.json"]);
        sitegate(folder.path(), &["publish", &target, "dist", "--seal", "seal.json"]);
    }
    let rolled_back = text(&sitegate(folder.path(), &["rollback", &target]));
    assert!(rolled_back.contains("\nrolled back to ") && !rolled_back.contains("published"), "{rolled_back}");
    let gc = ["target", "gc", &target, "--keep-releases=0", "--dry-run"];
    for (args, verb) in [(&gc[..], "would remove"), (&gc[..4], "removed")] {
        let output = text(&sitegate(folder.path(), args));
        let (first, releases) = output.split_once('\n').unwrap();
        assert!(first.starts_with(&format!("{verb} 2 releases, ")), "{output}");
        assert!(!first.contains(" 0 ") && first.ends_with(" of earlier releases"), "{output}");
        assert!(releases.lines().count() == 2 && releases.starts_with("  20"), "{output}");
    }
}

#[test]
fn gc_without_garbage_says_so() {
    let folder = folder(SITE);
    let target = format!("file://{}/live", folder.path().display());
    sitegate(folder.path(), &["check", "dist", "--seal", "seal.json"]);
    sitegate(folder.path(), &["publish", &target, "dist", "--seal", "seal.json"]);
    assert_eq!(text(&sitegate(folder.path(), &["target", "gc", &target])), "nothing to remove\n");
}

/// A list is pruned only by a check that could have found its findings.
#[test]
fn keeps_the_baseline_of_what_was_not_checked() {
    const PRUNE: &[&str] = &["check", "--prune-baseline"];
    let page = |links: &str| format!("{HEAD}<title>a</title>{links}");
    let folder = folder(&[
        ("dist/index.html", &page("<a href=/x>x</a><a href=/y>y</a><img src=/i.png>")),
        ("dist/a/index.html", &page("<a href=/z>z</a>")),
        ("other/index.html", &page("")),
        ("sitegate.toml", "[site]\nroot = \"dist\"\n[check]\nbaseline = \"known.json\"\n"),
    ]);
    let known = || fs::read_to_string(folder.path().join("known.json")).unwrap();
    sitegate(folder.path(), &["check", "--write-baseline", "known.json"]);
    let full = known();
    let off = "[site]\nroot = \"dist\"\n[check]\nbaseline = \"known.json\"\n[rules]\nbroken-link = \"off\"\n";
    let in_a = "[site]\nroot = \"dist\"\n[check]\nbaseline = \"known.json\"\n[[override]]\npaths = [\"/a\"]\nrules = { broken-link = \"off\" }\n";
    fs::write(folder.path().join("dist/index.html"), page("<a href=/y>y</a>")).unwrap();
    fs::write(folder.path().join("dist/a/index.html"), page("")).unwrap();
    let other = "known.json is not changed, because it has the findings of `dist` with `sitegate.toml`, not those of `other` with `sitegate.toml`; check that site";
    let without = "not those of `dist` without a contract";
    assert_messages(
        folder.path(),
        &[
            (&["check", "other", "--prune-baseline"], other, 2),
            (&["check", "dist", "--no-config", "--baseline", "known.json", "--prune-baseline"], without, 2),
            (
                &["check", "other", "--write-baseline", "known.json"],
                "remove it first, or choose another file",
                2,
            ),
        ],
    );
    assert_eq!(known(), full);
    for (contract, left) in [(off, 3), (in_a, 2)] {
        fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
        let checked = String::from_utf8(sitegate(folder.path(), &["check"]).stdout).unwrap();
        let output = sitegate(folder.path(), PRUNE);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(known().matches("broken-link").count(), left, "{text}");
        assert!(text.contains("of broken-link, which this check does not report"), "{text}");
        // Nor are they reported as fixed: that is `a/` with an override, and all others with the rule on.
        assert!(contract == in_a || !checked.contains("(broken-link)"), "{checked}");
        assert!(!known().contains("i.png"), "the rule of images is on");
        fs::write(folder.path().join("known.json"), &full).unwrap();
    }
    fs::write(folder.path().join("sitegate.toml"), off.split("[rules]").next().unwrap()).unwrap();
    // Twice in a row, and in a repository with the list as it was: the program is its only writer.
    for expected in [
        "removed 4 entries from known.json; 2 entries left\n",
        "removed 0 entries from known.json; 2 entries left\n",
    ] {
        assert_messages(folder.path(), &[(PRUNE, expected, 0)]);
    }
    // A list of an earlier version names no site.
    let unnamed = full.split(",\n  \"site\"").next().unwrap().to_owned() + "\n}\n";
    fs::write(folder.path().join("known.json"), &unnamed).unwrap();
    fs::remove_dir_all(folder.path().join("dist")).unwrap();
    fs::create_dir(folder.path().join("dist")).unwrap();
    fs::write(folder.path().join("dist/elsewhere.html"), page("")).unwrap();
    let none = "known.json is not changed, because the export has none of its files: is `dist` the folder";
    assert_messages(folder.path(), &[(PRUNE, none, 2)]);
    assert_eq!(known(), unnamed);
}

#[cfg(unix)]
#[test]
fn read_only_baselines_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("dist/index.html", "<title>a</title><a href=/x>x</a>")]);
    sitegate(folder.path(), &["check", "dist", "--write-baseline", "known.json"]);
    let file = folder.path().join("known.json");
    fs::write(folder.path().join("dist/index.html"), "<title>a</title><a href=/y>y</a>").unwrap();
    fs::set_permissions(&file, PermissionsExt::from_mode(0o444)).unwrap();
    let before = fs::read_to_string(&file).unwrap();
    let message = "known.json is read-only; make it writable first";
    assert_messages(
        folder.path(),
        &[
            (&["check", "dist", "--baseline", "known.json", "--prune-baseline"], message, 2),
            (&["check", "dist", "--write-baseline", "known.json"], message, 2),
        ],
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn host_config_prints_no_path_of_this_machine() {
    let folder = folder(SITE);
    fs::write(folder.path().join("sitegate.toml"), "[site]\nroot = \"dist\"\n").unwrap();
    assert_messages(
        folder.path(),
        &[
            (&["host-config", "nginx"], "root \"/srv/site\";", 0),
            (&["host-config", "nginx", "--root", "/var/www"], "root \"/var/www\";", 0),
        ],
    );
}

#[cfg(unix)]
#[test]
fn links_and_unreadable_files() {
    let folder = folder(SITE);
    std::os::unix::fs::symlink("/nope", folder.path().join("dist/pw.html")).unwrap();
    let message = "`pw.html` is a symbolic link to `/nope`, which does not exist\n  --> dist/pw.html:1:1\n";
    assert_messages(folder.path(), &[(&["check", "dist"], message, 1)]);
    // A file that the superuser cannot read does not exist.
    let report = sitegate(folder.path(), &["check", "dist", "--format", "json"]).stdout;
    let mut report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    report["unreadable"] = serde_json::json!(["about/index.html: no permission"]);
    report["verdict"] = "incomplete".into();
    fs::write(folder.path().join("report.json"), report.to_string()).unwrap();
    let output = sitegate(folder.path(), &["render", "report.json", "--color", "always"]);
    let first = "\u{1b}[1m\u{1b}[31mcannot check\u{1b}[0m about/index.html: no permission\n";
    assert!(text(&output).starts_with(first), "{}", text(&output));
}

#[test]
fn sentences_of_other_formats() {
    let folder = folder(&[
        ("dist/index.html", "<title>a</title><a href=/timetabel/>a</a>"),
        ("dist/timetable/index.html", "<title>b</title><a href=/timetabel/>a</a>"),
        ("sitegate.toml", "[[assert]]\nname = \"one\"\npages = \"/\"\nselect = \"h1\"\n"),
    ]);
    for format in ["sarif", "markdown"] {
        let output = text(&sitegate(folder.path(), &["check", "dist", "--format", format]));
        assert!(output.contains("timetable"), "{output}");
        assert!(!output.contains("?.") && !output.contains("Sitegate.toml"), "{output}");
    }
}

#[cfg(all(unix, feature = "network"))]
#[test]
fn plans_count_pages_of_a_bucket_once() {
    use super::s3::server::{Server, Settings};
    use super::s3::site::{Site, all_output};

    let (site, server) = (Site::new(), Server::start(Settings::default()));
    let plan = site.on(&server, "publish", &["--dry-run"]).output().unwrap();
    let plan = all_output(&plan);
    assert!(plan.contains("  new            7  ") && plan.contains("  (9 objects)\n"), "{plan}");
    assert!(!plan.contains("  terms  "), "{plan}");
    site.published(&server, &[]);
    fs::remove_dir_all(site.path("export/terms")).unwrap();
    site.write("robots.txt", "User-agent: *\n");
    site.seal();
    let gone = site.on(&server, "publish", &["--dry-run", "--allow-gone"]).output().unwrap();
    let gone = all_output(&gone);
    assert!(gone.contains("  deleted        1  terms/index.html  (2 objects)\n"), "{gone}");
    assert!(gone.contains("  unchanged      5\n"), "{gone}");
}

#[cfg(unix)]
#[test]
fn watching_waits_for_the_first_build() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = folder(&[]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.args(["check", "dist", "--watch"]).current_dir(folder.path()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(line, "error: there is no folder `dist` yet; waiting for it\n");
}

/// Windows has no such names.
#[cfg(unix)]
#[test]
fn names_with_a_question_mark_are_suggested() {
    let site = folder(&[
        ("dist/index.html", "<title>a</title><a href='why?.html'>why</a><a href='a#b/c?.html'>c</a>"),
        ("dist/why?.html", "<title>b</title>"),
        ("dist/a#b/c?.html", "<title>c</title>"),
    ]);
    let printed = text(&sitegate(site.path(), &["check", "dist"]));
    for meant in
        ["did you mean `why%3F.html`? In a URL, `?` begins a query", "did you mean `a%23b/c%3F.html`?"]
    {
        assert!(printed.contains(meant), "{printed}");
    }
}
