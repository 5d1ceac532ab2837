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

/// Compares the error about a contract with this text.
fn assert_contract_error(contract: &str, expected: &str) {
    let folder = folder(SITE);
    fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
    let output = sitegate(folder.path(), &["check", "dist"]);
    assert_eq!(text(&output), format!("error: sitegate.toml:{expected}\n"), "{contract}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn finds_the_only_output_folder() {
    let folder = folder(SITE);
    let note = "note: the export is `dist`; to use another folder, name it\n";
    let output = sitegate(folder.path(), &["check"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), note);
    assert!(text(&output).contains("passed") && output.status.success(), "{}", text(&output));
    assert!(sitegate(folder.path(), &["check", "dist"]).stderr.is_empty());
    fs::create_dir(folder.path().join("public")).unwrap();
    assert!(text(&sitegate(folder.path(), &["check"])).contains(note), "`public` has no pages");
    fs::write(folder.path().join("public/index.html"), HEAD).unwrap();
    let output = sitegate(folder.path(), &["check"]);
    let fix = "set site.root in sitegate.toml; did you mean `dist` or `public`?\n";
    assert!(text(&output).ends_with(fix), "{}", text(&output));
    assert_eq!(output.status.code(), Some(2));
    fs::write(folder.path().join("sitegate.toml"), "[site]\nroot = \"dist\"\n").unwrap();
    assert!(sitegate(folder.path(), &["check"]).stderr.is_empty(), "the contract names it");
}

#[test]
fn wrong_folders_and_files() {
    let folder = folder(SITE);
    assert_messages(
        folder.path(),
        &[
            (&["check", "dits"], "error: there is no folder `dits`; did you mean `dist`?\n", 2),
            (&["serve", "dits"], "error: there is no folder `dits`; did you mean `dist`?\n", 2),
            (&["init", "dits"], "error: there is no folder `dits`; did you mean `dist`?\n", 2),
            (
                &["check", "public"],
                "there is no folder `public`; build the site first, or name the folder that your build writes to\n",
                2,
            ),
            (
                &["check", "www.example.com"],
                "there is no folder `www.example.com`; did you mean https://www.example.com/?",
                2,
            ),
            (&["check", "localhost:3000"], "did you mean http://localhost:3000/?", 2),
            (
                &["check", "dist/index.html"],
                "`dist/index.html` is a file; name the folder of the export that contains it",
                2,
            ),
            (
                &["check", "dist", "--config", "nope.toml"],
                "error: nope.toml: there is no such file; `sitegate init --config nope.toml` writes one\n",
                2,
            ),
            (
                &["check", "dist", "--config", "dist"],
                "error: dist: this is a folder; name a contract file\n",
                2,
            ),
            (
                &["check", "dist", "--baseline", "known.json"],
                "error: known.json: there is no such file; write it with `sitegate check --write-baseline known.json`\n",
                2,
            ),
        ],
    );
    if cfg!(unix) {
        let mistake: Mistake = (&["check", "dist\\about"], "write it with `/`: `dist/about`\n", 2);
        assert_messages(folder.path(), &[mistake]);
    }
    fs::write(folder.path().join("sitegate.toml"), "").unwrap();
    fs::write(folder.path().join("known.json"), "no JSON").unwrap();
    assert_messages(
        folder.path(),
        &[
            (
                &["check", "dist", "--config", "."],
                "error: .: this is a folder; did you mean `./sitegate.toml`?\n",
                2,
            ),
            (&["check", "dist", "--config", "sitegat.toml"], "did you mean `sitegate.toml`?\n", 2),
            (
                &["check", "dist", "--baseline", "known.json"],
                "known.json: it is not a baseline: expected ident at line 1 column 2; was it written completely?\n",
                2,
            ),
            (&["check", "-V"], concat!("sitegate ", env!("CARGO_PKG_VERSION"), "\n"), 0),
            (&["check", "--version"], concat!("sitegate ", env!("CARGO_PKG_VERSION"), "\n"), 0),
        ],
    );
}

#[test]
fn contract_errors_name_the_key_and_underline_the_value() {
    for (contract, expected) in [
        (
            "[[assert]]\npages = \"/\"\nselect = \"h1\"\ncount = \"3\"\n",
            "4:9: `count` takes a whole number without quotes: `count = 3`\n   |\n 4 | count = \"3\"\n   |         ^^^",
        ),
        (
            "[site]\nhost = \"s3\"\n",
            "2:8: unknown `host`: `s3`; did you mean `s3-website` or `s3-rest`?\n   |\n 2 | host = \"s3\"\n   |        ^^^^",
        ),
        (
            "[site]\norigin = \"www.example.com\"\n",
            "2:10: `site.origin`: write the scheme: \"https://www.example.com\"\n   |\n 2 | origin = \"www.example.com\"\n   |          ^^^^^^^^^^^^^^^^^",
        ),
        (
            "[site]\nbase-path = \"docs\"\n",
            "2:13: `site.base-path` must start and end with `/`: \"/docs/\"\n   |\n 2 | base-path = \"docs\"\n   |             ^^^^^^",
        ),
        (
            "[[ignore]]\nrule = \"broken-link\"\n",
            "1:1: add a `reason`: it is shown in reports and in the seal\n   |\n 1 | [[ignore]]\n   | ^^^^^^^^^^",
        ),
        (
            "[pages]\nrequired = \"/\"\n",
            "2:12: `required` takes a list: `required = [\"/\"]`\n   |\n 2 | required = \"/\"\n   |            ^^^",
        ),
        (
            "[rules]\nbroken-lnk = \"off\"\n",
            "2:1: there is no rule `broken-lnk`; did you mean `broken-link`?\n   |\n 2 | broken-lnk = \"off\"\n   | ^^^^^^^^^^",
        ),
        (
            "[rules]\nplaceholder = { hosts = \"x\" }\n",
            "2:17: `rules.placeholder`: `hosts` takes a list: `hosts = [\"x\"]`\n   |\n 2 | placeholder = { hosts = \"x\" }\n   |                 ^^^^^",
        ),
        ("[site", "1:6: unclosed table, expected `]`\n   |\n 1 | [site\n   |      ^"),
    ] {
        assert_contract_error(contract, expected);
    }
}

#[test]
fn options_of_a_plugin_are_named_in_errors() {
    let folder = folder(SITE);
    for (contract, message) in [
        ("[site]\nroof = 1\n", "unknown key `roof`; did you mean `root`?"),
        ("[rules]\nbroken-lnk = \"off\"\n", "there is no rule `broken-lnk`; did you mean `broken-link`?"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        let file = folder.path().join("options.toml");
        fs::write(&file, contract).unwrap();
        command.current_dir(folder.path()).stdin(fs::File::open(file).unwrap());
        let args = ["check", "dist", "--config", "-", "--config-name", "options of sitegate/vite"];
        let output = command.args(args).output().unwrap();
        assert_eq!(text(&output), format!("error: options of sitegate/vite: {message}\n"));
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn wrong_targets() {
    let folder = folder(SITE);
    fs::write(folder.path().join("bad.html"), "x").unwrap();
    assert_messages(
        folder.path(),
        &[
            (
                &["publish", "file:///tmp/x", "dist", "--seal", "seal.json"],
                "error: seal.json: there is no seal: a failed check writes none; run `sitegate check --seal seal.json`\n",
                2,
            ),
            (&["check", "dist", "--seal", "seal.json"], "passed", 0),
            (
                &["publish", "./www", "dist", "--seal", "seal.json"],
                "`./www` is not a target\n  = write a folder as file://{here}/www\n",
                2,
            ),
            (
                &["publish", "my-site", "dist", "--seal", "seal.json"],
                "write a folder as file://{here}/my-site, or a bucket as s3://my-site\n",
                2,
            ),
            (&["target", "gc", "S3://my-site/x"], "did you mean s3://my-site/x?", 2),
            (
                &["render", "nope.json"],
                "error: there is no report nope.json; write one with: sitegate check --report json=nope.json\n",
                2,
            ),
            (&["render", "dist"], "error: dist: is a folder; name a file\n", 2),
            (
                &["publish", "https://s3.amazonaws.com/bucket", "dist", "--seal", "seal.json"],
                "did you mean s3://bucket?",
                2,
            ),
            (
                &["publish", "https://acme.s3.eu-west-1.amazonaws.com/www/", "dist", "--seal", "seal.json"],
                "did you mean s3://acme/www?",
                2,
            ),
            (
                &[
                    "publish",
                    "https://acme.s3-website-us-east-1.amazonaws.com",
                    "dist",
                    "--seal",
                    "seal.json",
                ],
                "did you mean s3://acme?",
                2,
            ),
            (
                &["publish", "https://storage.googleapis.com/acme/www", "dist", "--seal", "seal.json"],
                "did you mean gs://acme/www?",
                2,
            ),
            (
                &["publish", "https://a.blob.core.windows.net/web", "dist", "--seal", "seal.json"],
                "did you mean az://web?",
                2,
            ),
            (
                &["publish", "https://www.example.com", "dist", "--seal", "seal.json"],
                "write a bucket as s3://BUCKET/PREFIX",
                2,
            ),
            (
                &["publish", "file://www", "dist", "--seal", "seal.json"],
                "`file://www`: `www` would be a host\n  = write a folder as file://{here}/www\n",
                2,
            ),
        ],
    );
    assert!(!folder.path().join("www").exists());
    let target = format!("file://{}/bad.html", folder.path().display());
    let output = sitegate(folder.path(), &["publish", &target, "dist", "--seal", "seal.json"]);
    assert!(text(&output).contains("bad.html is a file, not a folder\n"), "{}", text(&output));
}

#[cfg(feature = "network")]
#[test]
fn unreachable_hosts() {
    let folder = folder(SITE);
    assert_messages(
        folder.path(),
        &[
            (&["check", "dist", "--seal", "seal.json"], "passed", 0),
            (
                &["publish", "s3://acme", "dist", "--seal", "seal.json", "--endpoint", "http://127.0.0.1:9"],
                "error: cannot reach 127.0.0.1:9: it refuses connections\n  = are --endpoint, --region and the network right?\nnothing was published\n",
                6,
            ),
            (
                &["publish", "s3://acme/../x", "dist", "--seal", "seal.json"],
                "error: `s3://acme/../x` has a segment `.` or `..`\n  = a bucket has no parent folders: write the prefix itself\n",
                2,
            ),
            (
                &["target", "status", "gs://acme/a/%2E%2e/x"],
                "error: `gs://acme/a/%2E%2e/x` has a segment `.` or `..`\n",
                2,
            ),
            (
                &["target", "gc", "az://acme/a%2F..%2Fx"],
                "error: `az://acme/a%2F..%2Fx` has a segment `.` or `..`\n",
                2,
            ),
            (&["target", "gc", "s3://acme:80/x"], "error: `s3://acme:80/x` is not a target\n", 2),
            (&["target", "gc", "s3://acme/x#y"], "error: `s3://acme/x#y` is not a target\n", 2),
            (
                &["verify", "http://127.0.0.1:9", "--seal", "seal.json"],
                "error: http://127.0.0.1:9 could not be verified: it refuses connections\n  = nothing was compared\n",
                11,
            ),
            (
                &["check", "https://127.0.0.1:9", "--watch"],
                "error: `--watch` needs a folder: a live site cannot be watched\n",
                2,
            ),
            (
                &["check", "dist", "--external", "--dry-run"],
                "nothing to request: the site has no external links to check\n",
                0,
            ),
        ],
    );
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

#[test]
fn sealing_names_what_a_bucket_refuses() {
    let folder = folder(&[("dist/index.html", "<title>a</title>\n<a href=https://example.com/>a</a>")]);
    let output = sitegate(folder.path(), &["check", "dist", "--seal", "seal.json"]);
    let expected = "note: `publish` refuses this release for a bucket, but not for a folder:\n  index.html:2: placeholder host: `example.com`\n";
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), (expected, Some(0)));
}

#[test]
fn prunes_the_baseline_without_accepting_findings() {
    let folder = folder(&[("dist/index.html", "<title>a</title><a href=/x>x</a><a href=/y>y</a>")]);
    assert_messages(
        folder.path(),
        &[(&["check", "dist", "--write-baseline", "known.json"], "wrote 2 findings", 0)],
    );
    let page = format!("{HEAD}<title>a</title><a href=/y>y</a><a href=/new>new</a>");
    fs::write(folder.path().join("dist/index.html"), page).unwrap();
    let outdated = "still in the baseline: index.html: /x (broken-link)\n  --> known.json:6:7\n   | \"file\": \"index.html\",\n   | ^^^^^^^^^^^^^^^^^^^^^\n   = remove fixed entries: `sitegate check --prune-baseline`\n";
    assert_messages(
        folder.path(),
        &[
            (&["check", "dist", "--prune-baseline"], "no baseline to prune; name it with --baseline FILE", 2),
            (&["check", "dist", "--baseline", "known.json"], outdated, 1),
            (
                &["check", "dist", "--baseline", "known.json", "--prune-baseline"],
                "removed 1 entry from known.json; 1 entry left\n",
                0,
            ),
            (
                &["check", "dist", "--baseline", "known.json"],
                "broken link: `/new` does not exist".split_at(13).1,
                1,
            ),
        ],
    );
    let known = fs::read_to_string(folder.path().join("known.json")).unwrap();
    assert!(known.contains("/y") && !known.contains("/x") && !known.contains("/new"), "{known}");
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

#[test]
fn an_empty_export_is_named() {
    let folder = folder(&[("empty/x.txt", ""), ("contract.toml", "")]);
    let without =
        "error[empty-export]: the export contains no pages\n  --> empty\n   = check that this is the folder";
    let with = "--> contract.toml:1:1\n   = check that `empty` is the folder that the build writes to.";
    assert_messages(
        folder.path(),
        &[(&["check", "empty"], without, 2), (&["check", "empty", "--config", "contract.toml"], with, 2)],
    );
    let inside = folder.path().join("empty");
    assert_messages(&inside, &[(&["check", "."], "contains no pages\n  --> .\n", 2)]);
}

#[test]
fn computed_imports_are_located() {
    let script =
        "<title>a</title><script type=module src=a.js></script><script type=module>\nimport(x)</script>";
    let folder =
        folder(&[("dist/index.html", script), ("dist/a.js", "let x;\n\n  import(x); import(y); import(z)")]);
    let message = "4 imports are computed at run time, and were not checked: \
                   dist/a.js:3:3, dist/a.js:3:14, dist/a.js:3:25, 1 more\n";
    assert_messages(folder.path(), &[(&["check", "dist"], message, 0)]);
    let all = "dist/a.js:3:25, dist/index.html:2:1\n";
    assert_messages(folder.path(), &[(&["check", "dist", "--all"], all, 0)]);
}

#[test]
fn no_message_names_settings_of_no_contract() {
    let links = "<title>a</title><a href=/b>b</a><a href=/c//d.html>d</a>";
    let folder = folder(&[
        ("dist/index.html", links),
        ("dist/b.html", "<title>b</title><a href=/>a</a>"),
        ("dist/c/d.html", "<title>d</title><a href=/>a</a>"),
        ("sitegate.toml", "[site]\nhost = \"s3-rest\"\n"),
        ("any.toml", ""),
    ]);
    let found = text(&sitegate(folder.path(), &["check", "dist", "--no-config"]));
    assert!(found.contains("if your host adds `.html`, name the host in a contract\n"), "{found}");
    assert!(
        found.contains("for these, name the host in a contract\n") && !found.contains("[site]"),
        "{found}"
    );
    let set = "if your host adds `.html`, set `[site] host`\n";
    assert_messages(folder.path(), &[(&["check", "dist", "--config", "any.toml"], set, 1)]);
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
