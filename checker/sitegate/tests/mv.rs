//! Tests `mv`: which references are edited, in which style, and what is refused.

use std::fs;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::folders::{folder, git, sitegate, stdout, write};

fn page(body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>T</title>\
         <meta name=description content=\"T\"></head><body>{body}</body></html>"
    )
}

/// A committed site with an export.
fn site(include: &str, pages: &[&str], sources: &[(&str, &str)]) -> TempDir {
    let contract = format!("[site]\nroot = \"site\"\n\n[source]\ninclude = [{include}]\n");
    let site = folder(&[("sitegate.toml", &contract), (".gitignore", "site\n")]);
    for name in pages {
        write(site.path(), &format!("site/{name}"), &page(""));
    }
    for (name, text) in sources {
        write(site.path(), name, text);
    }
    git(site.path(), &["init", "--quiet", "--initial-branch=main"]);
    git(site.path(), &["add", "."]);
    git(site.path(), &["commit", "--quiet", "--message=start"]);
    site
}

#[track_caller]
fn mv(site: &TempDir, from: &str, to: &str) {
    let output = sitegate(site.path(), &["mv", from, to]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn read(site: &TempDir, name: &str) -> String {
    fs::read_to_string(site.path().join(name)).unwrap()
}

/// A site with links in all styles of Markdown.
fn markdown() -> TempDir {
    let index = "\u{feff}# Home\r\n\r\n[a](setup.md#x 'T'), [b](<./setup.md?q&amp;r>), [c](/setup/), [d]: setup.md\r\n\
                 [e](setup/#x) `[f](setup.md)` <a href='setup/'>g</a> setup.md [h](other.md)\r\n\r\n\
                 [r]: ./setup.md\r\n[unused]: setup.md\r\n```\n[i](setup.md)\n```\n[j](s%65tup.md) [r]";
    site(
        "\"docs/**\", \"layouts/**\"",
        &["index.html", "setup/index.html", "other/index.html", "guide/x/index.html"],
        &[
            ("docs/index.md", index),
            (
                "docs/setup.md",
                "---\ntitle: S\n---\n[a](other.md) ![i](img/a.png) [b](#x) [c](../other/) [d](setup.md#x) [e](gone.md)\n",
            ),
            ("docs/img/a.png", "x"),
            ("docs/other.md", "[a](setup.md)"),
            ("docs/guide/x.md", "[a](../setup.md)\n"),
            ("layouts/nav.html", "<a href=\"/setup/\">S</a> <b class=\"setup\"></b>"),
            ("mkdocs.yml", "nav:\n  - Setup: setup.md # c\n  - \"setup.md\"\n  - Other: other.md\n"),
        ],
    )
}

#[test]
fn links_of_markdown_follow_in_their_own_style() {
    let site = markdown();
    mv(&site, "docs/setup.md", "docs/install/new.md");
    assert_eq!(
        read(&site, "docs/index.md"),
        "\u{feff}# Home\r\n\r\n[a](install/new.md#x 'T'), [b](<./install/new.md?q&amp;r>), [c](/install/new/), [d]: setup.md\r\n\
         [e](install/new/#x) `[f](setup.md)` <a href='install/new/'>g</a> setup.md [h](other.md)\r\n\r\n\
         [r]: ./install/new.md\r\n[unused]: setup.md\r\n```\n[i](setup.md)\n```\n[j](install/new.md) [r]"
    );
    assert_eq!(
        read(&site, "docs/install/new.md"),
        "---\ntitle: S\n---\n[a](../other.md) ![i](../img/a.png) [b](#x) [c](../../other/) [d](new.md#x) [e](gone.md)\n"
    );
    assert!(!site.path().join("docs/setup.md").exists());
    assert_eq!(read(&site, "docs/other.md"), "[a](install/new.md)");
    assert_eq!(read(&site, "docs/guide/x.md"), "[a](../install/new.md)\n");
    assert_eq!(read(&site, "layouts/nav.html"), "<a href=\"/install/new/\">S</a> <b class=\"setup\"></b>");
    assert_eq!(
        read(&site, "mkdocs.yml"),
        "nav:\n  - Setup: install/new.md # c\n  - \"install/new.md\"\n  - Other: other.md\n"
    );
    let contract = read(&site, "sitegate.toml");
    assert!(
        contract.ends_with("\n[[redirects]]\nfrom = \"/setup/\"\nto = \"/install/new/\"\n"),
        "{contract}"
    );
}

#[test]
fn a_move_and_its_reverse_restore_all_links() {
    let site = markdown();
    let names = ["docs/index.md", "docs/other.md", "docs/guide/x.md", "layouts/nav.html", "mkdocs.yml"];
    // `%65` and the two styles `setup.md` and `./setup.md` of one reference remain as they are.
    write(site.path(), "docs/index.md", &read(&site, "docs/index.md").replace("s%65tup", "setup"));
    git(site.path(), &["commit", "--quiet", "--all", "--message=plain"]);
    let before: Vec<String> = names.iter().map(|name| read(&site, name)).collect();
    let setup = read(&site, "docs/setup.md");
    let contract = read(&site, "sitegate.toml");
    mv(&site, "docs/setup.md", "docs/a/b/setup.md");
    write(site.path(), "site/a/b/setup/index.html", &page(""));
    fs::remove_dir_all(site.path().join("site/setup")).unwrap();
    let back = ["mv", "docs/a/b/setup.md", "docs/setup.md", "--allow-dirty"];
    let output = sitegate(site.path(), &[&back[..], &["--no-redirect"]].concat());
    assert!(
        stderr(&output).contains("/setup/ is redirected to /a/b/setup/; remove that redirect first"),
        "{}",
        stderr(&output)
    );
    let output = sitegate(site.path(), &back);
    let note = "look at  /setup/: its redirect is removed, because it has a page again";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
    // The redirects are no loop.
    let table = "\n[[redirects]]\nfrom = \"/a/b/setup/\"\nto = \"/setup/\"\n";
    assert_eq!(read(&site, "sitegate.toml"), format!("{contract}{table}"));
    for (name, text) in names.iter().zip(before) {
        assert_eq!(read(&site, name), text, "{name}");
    }
    assert_eq!(read(&site, "docs/setup.md"), setup);
}

#[test]
fn addresses_last_through_moves_and_their_reverse() {
    for (host, file) in [
        ("netlify", "static/_redirects"),
        ("cloudflare-pages", "static/_redirects"),
        ("nginx", "sitegate.toml"),
    ] {
        let lines = "/ours  /setup/  301\n";
        let files = [("docs/index.md", "x"), ("docs/setup.md", "x"), ("static/_redirects", lines)];
        let site = site("\"docs/**\"", &["index.html", "setup/index.html"], &files);
        let contract = read(&site, "sitegate.toml");
        let settings = format!("host = \"{host}\"\n\n[permalinks]\nkeep = [\"kept.txt\"]\n\n[source]");
        write(site.path(), "sitegate.toml", &contract.replace("[source]", &settings));
        write(site.path(), "kept.txt", "/\n/setup/\n");
        write(site.path(), "site/_redirects", lines);
        let mut kept = read(&site, "kept.txt");
        for (from, to) in [("setup", "a/new"), ("a/new", "setup"), ("setup", "b"), ("b", "a/new")] {
            let source = |name: &str| format!("docs/{name}.md");
            let output = sitegate(site.path(), &["mv", &source(from), &source(to), "--allow-dirty"]);
            assert_eq!(output.status.code(), Some(0), "{host} {from} {to}: {}", stderr(&output));
            fs::remove_dir_all(site.path().join("site").join(from)).unwrap();
            write(site.path(), &format!("site/{to}/index.html"), &page(""));
            fs::copy(site.path().join("static/_redirects"), site.path().join("site/_redirects")).unwrap();
            kept += &format!("/{to}/\n");
            write(site.path(), "kept.txt", &kept);
            let output = sitegate(site.path(), &["check", "--format", "json"]);
            let report = stdout(&output);
            for rule in ["lost-url", "broken-redirect", "unused-redirect", "redirect-chain"] {
                assert!(!report.contains(&format!("\"rule\": \"{rule}\"")), "{host} {to}: {report}");
            }
            assert!(report.contains("\"findings\""), "{report}");
        }
        assert!(read(&site, file).contains("/a/new/"), "{}", read(&site, file));
    }
}

#[test]
fn git_applies_the_patch_of_a_dry_run() {
    let site = markdown();
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/install/new.md", "--dry-run"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("\nrename from docs/setup.md\nrename to docs/install/new.md\n"));
    let untouched = stdout(
        &Command::new("git").current_dir(site.path()).args(["status", "--porcelain"]).output().unwrap(),
    );
    assert_eq!(untouched, "");
    let mut git =
        Command::new("git").current_dir(site.path()).arg("apply").stdin(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut git.stdin.take().unwrap(), &output.stdout).unwrap();
    assert!(git.wait().unwrap().success());
    let other = markdown();
    mv(&other, "docs/setup.md", "docs/install/new.md");
    for name in ["docs/index.md", "docs/install/new.md", "docs/other.md", "mkdocs.yml", "sitegate.toml"] {
        assert_eq!(read(&site, name), read(&other, name), "{name}");
    }
}

#[test]
fn nothing_moves_if_git_could_not_restore_a_file() {
    let site = markdown();
    write(site.path(), "docs/other.md", "[a](setup.md) changed");
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("rename to docs/new.md"), "the patch is printed");
    let reason =
        "not moved  docs/other.md: has uncommitted changes; commit them first, or edit it with --allow-dirty";
    assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    assert!(read(&site, "docs/index.md").contains("setup.md#x"));
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md", "--allow-dirty"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(read(&site, "docs/other.md"), "[a](new.md) changed");
}

#[test]
fn impossible_moves_are_refused() {
    let site = markdown();
    write(site.path(), "docs/wide.md", "x");
    fs::write(site.path().join("docs/wide.md"), b"\xFF\xFEx\0").unwrap();
    for (from, to, reason) in [
        ("docs/gone.md", "docs/new.md", "there is no file or folder `docs/gone.md`"),
        ("docs/setup.md", "docs/other.md", "`docs/other.md` exists"),
        ("docs/setup.md", "layouts", "would not be a source"),
        (
            "docs/setup.md",
            "elsewhere/setup.md",
            "`elsewhere/setup.md` would not be a source: `include` of [source]",
        ),
        ("README.md", "docs/readme.md", "there is no file"),
        ("mkdocs.yml", "docs/mkdocs.yml", "`mkdocs.yml` is not a source: `include` of [source]"),
        ("docs", "docs/sub/docs", "cannot be moved into itself"),
        ("docs/wide.md", "docs/new.md", "docs/wide.md is UTF-16"),
    ] {
        let output = sitegate(site.path(), &["mv", from, to, "--allow-dirty"]);
        let is_in_layouts = to == "layouts";
        assert_eq!(
            output.status.code(),
            Some(if is_in_layouts { 0 } else { 2 }),
            "{from} {to} {}",
            stderr(&output)
        );
        assert!(is_in_layouts || stderr(&output).contains(reason), "{from} {to}: {}", stderr(&output));
        if is_in_layouts {
            git(site.path(), &["checkout", "--quiet", "."]);
            fs::remove_file(site.path().join("layouts/setup.md")).unwrap();
        }
    }
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md", "not-built"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no folder `not-built`"), "{}", stderr(&output));
    write(site.path(), "docs/other.md", "<!-- DO NOT EDIT -->\n[a](setup.md)");
    let output =
        sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md", "--allow-dirty", "--no-redirect"]);
    assert!(
        stderr(&output).contains("docs/other.md: not edited, because it is generated"),
        "{}",
        stderr(&output)
    );
    assert!(!read(&site, "sitegate.toml").contains("redirects"));
}

#[cfg(unix)]
#[test]
fn a_page_stays_a_page_of_the_project() {
    let site = site(
        "\"**\"",
        &["index.html", "setup/index.html"],
        &[("docs/setup.md", "# S\n"), ("docs/index.md", "[s](setup.md)\n"), ("docs/taken.md", "\n")],
    );
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), site.path().join("docs/link")).unwrap();
    let absolute = outside.path().join("setup.md");
    let before = read(&site, "docs/index.md");
    for (to, expected) in [
        ("docs/link/setup.md", "is below the symbolic link `docs/link`; name its real path"),
        ("../setup.md", "is outside of the contract's folder"),
        (absolute.to_str().unwrap(), "is outside of the contract's folder"),
        (".git/setup.md", "generators do not read `.git`, which is hidden"),
        ("docs/.setup.md", "generators do not read `.setup.md`, which is hidden"),
        ("docs/setup.bak", "`docs/setup.bak` would be no page; keep the extension `.md`"),
        ("docs/setup", "`docs/setup` would be no page; keep the extension `.md`"),
        ("docs/Setup.md", "differs from `docs/setup.md` only in letter case"),
        ("docs/taken.md", "`docs/taken.md` exists; name a path that does not"),
    ] {
        let output = sitegate(site.path(), &["mv", "docs/setup.md", to, "--allow-dirty"]);
        assert_eq!(output.status.code(), Some(2), "{to}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{to}: {}", stderr(&output));
    }
    assert!(read(&site, "docs/index.md") == before && site.path().join("docs/setup.md").exists());
    assert!(outside.path().read_dir().unwrap().next().is_none());
    write(site.path(), ".gitignore", "site\ndrafts\n");
    git(site.path(), &["add", "."]);
    git(site.path(), &["commit", "--quiet", "--message=ignore"]);
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/drafts/setup.md"]);
    let expected =
        "docs/drafts/setup.md: would be ignored by Git; name another path, or edit it with --allow-dirty";
    assert!(stderr(&output).contains(expected) && output.status.code() == Some(1), "{}", stderr(&output));
}
