//! Tests that Git's environment variables and files of a checkout do not choose the repository that `--fix` and `--base`
//! ask: in a hook, `GIT_DIR` and `GIT_INDEX_FILE` are those of the commit.

use std::fs;
#[cfg(unix)]
use std::io::Write;
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::folders::{folder, git, write};

const PAGE: &str = "<!doctype html><html lang=en><head><meta charset=utf-8><title>T</title>\
                    <meta name=description content=\"T\"></head><body>";

/// A committed site with a broken link in `docs/a.md`, which has this text.
fn committed_site(text: &str) -> TempDir {
    let site = folder(&[
        ("sitegate.toml", "[source]\ninclude = [\"docs/**\"]\n"),
        (".gitignore", "site\n"),
        ("docs/a.md", text),
        ("docs/setup.md", "# Setup\n"),
    ]);
    build(site.path());
    git(site.path(), &["init", "--quiet", "--initial-branch=main"]);
    git(site.path(), &["add", "."]);
    git(site.path(), &["commit", "--quiet", "--message=start"]);
    site
}

/// Writes the export, which must not be older than its sources.
fn build(folder: &Path) {
    write(folder, "site/index.html", &format!("{PAGE}<a href=a/>a</a>"));
    write(folder, "site/setup/index.html", &format!("{PAGE}Setup"));
    write(folder, "site/a/index.html", &format!("{PAGE}<a href=setpu.md>s</a>"));
}

fn run(folder: &Path, arguments: &[&str], variables: &[(&str, String)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.args(arguments).current_dir(folder).envs(variables.iter().map(|(name, value)| (name, value)));
    command.output().unwrap()
}

#[test]
fn no_variable_chooses_the_repository() {
    let (old, new) = ("# A\n\n[s](setpu.md)\n", "# A\n\nNot committed here: [s](setpu.md)\n");
    let (site, other) = (committed_site(old), committed_site(new));
    write(site.path(), "docs/a.md", new);
    build(site.path());
    let path = |name: &str| other.path().join(name).display().to_string();
    let tree = path("");
    let config = folder(&[("config", &format!("[core]\n\tworktree = {tree}\n"))]);
    let config = config.path().join("config").display().to_string();
    let cases: [&[(&str, String)]; 11] = [
        &[("GIT_DIR", path(".git"))],
        &[("GIT_DIR", path(".git")), ("GIT_WORK_TREE", tree.clone())],
        &[("GIT_WORK_TREE", tree.clone())],
        &[("GIT_INDEX_FILE", path(".git/index")), ("GIT_OBJECT_DIRECTORY", path(".git/objects"))],
        &[("GIT_ALTERNATE_OBJECT_DIRECTORIES", path(".git/objects")), ("GIT_INDEX_FILE", path(".git/index"))],
        &[("GIT_COMMON_DIR", path(".git"))],
        &[
            ("GIT_CONFIG_COUNT", "1".to_owned()),
            ("GIT_CONFIG_KEY_0", "core.worktree".to_owned()),
            ("GIT_CONFIG_VALUE_0", tree.clone()),
        ],
        &[("GIT_CONFIG_PARAMETERS", format!("'core.worktree={tree}'"))],
        &[("GIT_CONFIG_GLOBAL", config.clone()), ("GIT_CONFIG_SYSTEM", config)],
        &[("GIT_CEILING_DIRECTORIES", site.path().display().to_string()), ("GIT_NAMESPACE", "x".to_owned())],
        &[("GIT_GLOB_PATHSPECS", "1".to_owned()), ("GIT_ICASE_PATHSPECS", "1".to_owned())],
    ];
    for variables in cases {
        let output = run(site.path(), &["check", "site", "--fix", "--unsafe-fixes"], variables);
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let reason = "not fixed  docs/a.md: has uncommitted changes; commit them first";
        assert!(printed.contains(reason), "{variables:?}: {printed}");
        assert_eq!(fs::read_to_string(site.path().join("docs/a.md")).unwrap(), new, "{variables:?}");
    }
    // A committed file is fixed, although the other repository knows nothing of it.
    git(site.path(), &["commit", "--quiet", "--all", "--message=new"]);
    let empty = folder(&[]);
    git(empty.path(), &["init", "--quiet"]);
    let variables = [("GIT_DIR", empty.path().join(".git").display().to_string())];
    let output = run(site.path(), &["check", "site", "--fix", "--unsafe-fixes"], &variables);
    let fixed = fs::read_to_string(site.path().join("docs/a.md")).unwrap();
    assert!(fixed.contains("(setup.md)"), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Runs git with a text as its input, and returns its output.
#[cfg(unix)]
fn git_with_input(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = command.spawn().unwrap();
    running.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Settings of a repository can run programs: here, to verify the signature of a commit.
#[cfg(unix)]
#[test]
fn a_bare_repository_in_a_checkout_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let site = committed_site("# A\n");
    git(site.path(), &["clone", "--quiet", "--bare", ".", "docs/bare"]);
    let bare = site.path().join("docs/bare");
    let (program, mark) = (bare.join("program"), site.path().join("was-run"));
    fs::write(&program, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let parent = git_with_input(&bare, &["rev-parse", "HEAD"], "");
    let tree = git_with_input(&bare, &["rev-parse", "HEAD^{tree}"], "");
    let author = "x <x@example.com> 0 +0000";
    let signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
    let commit =
        format!("tree {tree}\nparent {parent}\nauthor {author}\ncommitter {author}\n{signature}\n\nsigned\n");
    let signed = git_with_input(&bare, &["hash-object", "-t", "commit", "-w", "--stdin"], &commit);
    git(&bare, &["update-ref", "refs/heads/main", &signed]);
    git(&bare, &["tag", "v1", &parent]);
    let settings = format!(
        "[core]\n\tbare = true\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {}\n",
        program.display()
    );
    fs::write(bare.join("config"), settings).unwrap();
    git_with_input(&bare, &["log", "v1..HEAD"], "");
    assert!(mark.exists(), "git runs the program");
    fs::remove_file(&mark).unwrap();
    write(&bare, "sitegate.toml", "[permalinks]\nkeep = [\"kept.txt\"]\n[source]\ninclude = [\"*.md\"]\n");
    write(&bare, "kept.txt", "/gone/\n");
    write(&bare, "site/index.html", &format!("{PAGE}x"));
    let output = run(&bare, &["redirects", "site", "--base", "v1"], &[]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("--base v1"), "{message}");
    assert!(!mark.exists(), "{message}");
}
