//! Tests `check --fix` and `mv` with files that cannot or must not be changed: messages name them with the way out.
//! `interrupted_edits` has interruptions.

#![allow(clippy::print_stderr)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::folders::{commit, folder, page, program, read, sitegate, stdout, write};
use crate::outcome::all_output;

const CONTRACT: &str = "[source]\ninclude = [\"docs/**\"]\n";

/// A committed site of pages with one fault each: `docs/0.md`, `docs/1.md`, …, and `docs/setup.md`.
fn site(pages: usize) -> TempDir {
    let site = folder(&[
        ("sitegate.toml", CONTRACT),
        (".gitignore", "site\nkeep\n"),
        ("docs/setup.md", "# Setup\n"),
        ("site/index.html", &page("Home")),
        ("site/setup/index.html", &page("Setup")),
    ]);
    for number in 0..pages {
        write(site.path(), &format!("docs/{number}.md"), &source(number, "setpu"));
        write(site.path(), &format!("site/{number}/index.html"), &page("<a href=setpu.md>s</a>"));
    }
    commit(site.path());
    site
}

fn source(number: usize, link: &str) -> String {
    format!("\u{feff}# {number}\r\n\r\n[setup]({link}.md)\r\n")
}

#[cfg(unix)]
#[test]
fn a_file_that_changes_during_the_check_is_left() {
    use std::os::unix::fs::PermissionsExt;
    let site = site(2);
    // Git runs after the check, before a file is written.
    let script = "#!/bin/sh\nPATH=$WITHOUT git \"$@\"; code=$?\nprintf 'An editor\\nhas saved this.\\n' > docs/0.md\nexit $code\n";
    let programs = folder(&[("git", script)]);
    fs::set_permissions(programs.path().join("git"), PermissionsExt::from_mode(0o755)).unwrap();
    let later = SystemTime::now() + Duration::from_secs(10);
    fs::File::options()
        .write(true)
        .open(site.path().join("site/index.html"))
        .unwrap()
        .set_modified(later)
        .unwrap();
    let path = std::env::var("PATH").unwrap();
    let output = program(site.path(), &["check", "site", "--fix"])
        .env("PATH", format!("{}:{path}", programs.path().display()))
        .env("WITHOUT", path)
        .output()
        .unwrap();
    let reason = "not fixed  docs/0.md: has changed during the check; build the site and check it again";
    assert!(stdout(&output).contains(reason), "{}", all_output(&output));
    assert_eq!(read(site.path(), "docs/0.md"), "An editor\nhas saved this.\n");
    assert_eq!(read(site.path(), "docs/1.md"), source(1, "setup"));
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_not_moved() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let site = site(1);
    let odd = site.path().join(OsStr::from_bytes(b"docs/caf\xE9.md"));
    fs::write(&odd, source(0, "setpu")).unwrap();
    for (from, to) in [(odd.as_path(), Path::new("docs/new.md")), (Path::new("docs/0.md"), odd.as_path())] {
        let output = program(site.path(), &["mv"]).args([from, to]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", all_output(&output));
        assert!(all_output(&output).contains("is not UTF-8; rename it by hand"), "{}", all_output(&output));
    }
    sitegate(site.path(), &["check", "site", "--fix", "--allow-dirty"]);
    assert_eq!(fs::read_to_string(&odd).unwrap(), source(0, "setpu"), "no finding is in it");
    assert_eq!(read(site.path(), "docs/0.md"), source(0, "setup"));
}

/// Runs a shell script with the program as `$1` in a mount namespace, if it can mount file systems.
fn in_namespace(site: &TempDir, script: &str) -> Option<String> {
    let namespace = ["--user", "--map-root-user", "--mount"];
    let probe = ["mount", "-t", "tmpfs", "tmpfs", "."];
    let is_possible = Command::new("unshare")
        .args(namespace)
        .args(probe)
        .current_dir(site.path())
        .output()
        .is_ok_and(|output| output.status.success());
    if !is_possible {
        eprintln!("no file system can be mounted here, so no disk is full");
        return None;
    }
    let output = Command::new("unshare")
        .args(namespace)
        .args(["sh", "-c", script, "sh", env!("CARGO_BIN_EXE_sitegate")])
        .current_dir(site.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
    Some(all_output(&output))
}

/// Copies the sources to a small disk.
const SMALL_DISK: &str =
    "exec 2>&1; mkdir keep && cp -a docs/. keep/ && mount -t tmpfs -o size=64k tmpfs docs || exit 90
    cp -a keep/. docs/ || exit 91";

#[test]
fn files_on_a_full_disk_are_unchanged() {
    let site = site(3);
    let script = format!(
        "{SMALL_DISK}
        head -c 1M /dev/zero > docs/fill 2> keep/error
        \"$1\" check site --fix; echo \"fix: $?\"
        rm docs/fill; ls -A docs; cmp docs/0.md keep/0.md && cmp docs/2.md keep/2.md && echo same
        \"$1\" check site --fix; echo \"again: $?\"
        head -c 1M /dev/zero > docs/fill 2> keep/error
        \"$1\" mv docs/setup.md docs/new.md --allow-dirty; echo \"mv: $?\"
        git status --short sitegate.toml; rm docs/fill; ls -A docs"
    );
    let Some(printed) = in_namespace(&site, &script) else { return };
    let reason = "not fixed  docs/2.md: cannot be written, and is unchanged: No space left on device";
    for expected in [reason, "fix: 1", "same\n", "again: 0", "mv: 2", "docs/0.md: No space left on device"] {
        assert!(printed.contains(expected), "`{expected}` is not in: {printed}");
    }
    assert!(printed.ends_with("0.md\n1.md\n2.md\nsetup.md\n"), "nothing is moved or left: {printed}");
}

#[test]
fn files_in_read_only_folders_are_unchanged() {
    let site = site(1);
    let script = format!(
        "{SMALL_DISK}
        mount -o remount,ro docs || exit 92
        \"$1\" check site --fix; echo \"fix: $?\"
        \"$1\" mv docs/setup.md docs/new.md; echo \"mv: $?\"
        git status --short"
    );
    let Some(printed) = in_namespace(&site, &script) else { return };
    let reason = "not fixed  docs/0.md: cannot be written, and is unchanged: Read-only file system";
    let moved = "not moved  docs/new.md: cannot be written, and is unchanged: Read-only file system";
    for expected in [reason, "fix: 1", "mv: 1", moved] {
        assert!(printed.contains(expected), "`{expected}` is not in: {printed}");
    }
    assert!(printed.trim_end().ends_with("mv: 1"), "nothing is changed: {printed}");
}
