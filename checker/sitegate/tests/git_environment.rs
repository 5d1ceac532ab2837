//! Tests that a file of a checkout does not choose the repository that `--base` asks. `commands/fix-refusals.txt` has the variables
//! of Git.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::folders::{commit, folder, git, sitegate, stderr, write};

/// Runs git with a text as its input, and returns its output.
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
#[test]
fn a_bare_repository_in_a_checkout_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let site = folder(&[("docs/a.md", "# A\n")]);
    commit(site.path());
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
    write(&bare, "site/index.html", "<!doctype html><title>x</title>");
    let message = stderr(&sitegate(&bare, &["redirects", "site", "--base", "v1"]));
    assert!(message.contains("--base v1"), "{message}");
    assert!(!mark.exists(), "{message}");
}
