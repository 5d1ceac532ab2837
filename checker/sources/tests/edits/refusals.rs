//! Tests that each state of a file is refused with its reason.

use std::fs;
use std::time::{Duration, SystemTime};

use sitegate_sources::edits::{ApplyMode, NewContent, RefusalReason, SourceChanges};

use crate::repository::{assert_refused, commit, edit, git, replacement, repository, run, write};

#[test]
fn states_of_git() {
    let names = ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md", "g.md"];
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (*name, "old\n")).collect();
    files.push((".gitattributes", "e.md linguist-generated\ng.md linguist-generated=false\n"));
    files.push((".gitignore", "ignored/\n"));
    let site = repository(&files);
    let folder = site.path();
    assert!(edit(folder, "g.md", false).is_none());
    fs::write(folder.join("a.md"), "old, changed\n").unwrap();
    assert_refused(folder, "a.md", "has uncommitted changes; commit them first", true);
    write(folder, "new.md", "old\n");
    assert_refused(folder, "new.md", "is not committed; commit it first", true);
    write(folder, "ignored/x.md", "old\n");
    assert_refused(folder, "ignored/x.md", "is ignored by Git", true);
    for (name, mark) in [("c.md", "assume-unchanged"), ("d.md", "skip-worktree")] {
        git(folder, &["update-index", &format!("--{mark}"), name]);
        assert_refused(folder, name, &format!("git update-index --no-{mark} FILE"), true);
    }
    assert_refused(folder, "e.md", "is generated", false);
    write(folder, ".gitattributes", "f.md filter=lfs\n");
    assert_refused(folder, "f.md", "is stored by Git LFS", false);
}

#[test]
fn other_repositories_and_none() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "a.md", "old\n");
    assert_refused(outside.path(), "a.md", "is in no Git repository", true);

    let (site, library) = (repository(&[("a.md", "old\n")]), repository(&[("x.md", "old\n")]));
    let folder = site.path();
    git(folder, &["submodule", "--quiet", "add", library.path().to_str().unwrap(), "lib"]);
    commit(folder);
    assert_refused(folder, "lib/x.md", "is in another repository, ", true);
    git(&folder.join("lib"), &["checkout", "--quiet", "."]);
    assert!(edit(&folder.join("lib"), "x.md", false).is_none(), "a submodule can be the project itself");
}

#[cfg(unix)]
#[test]
fn kinds_of_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let site = repository(&[
        ("real.md", "old\n"),
        ("twin.md", "old\n"),
        ("locked.md", "old\n"),
        ("ro/x.md", "old\n"),
        ("gen.md", "<!-- @generated --> old\n"),
        ("lfs.md", "version https://git-lfs.github.com/spec/v1\noid sha256:old\n"),
        ("linked/x.md", "old\n"),
    ]);
    let folder = site.path();
    fs::write(folder.join("utf16.md"), b"\xFF\xFEold").unwrap();
    fs::write(folder.join("latin.md"), b"caf\xE9 old").unwrap();
    symlink("real.md", folder.join("link.md")).unwrap();
    symlink("linked", folder.join("way")).unwrap();
    commit(folder);
    fs::hard_link(folder.join("twin.md"), folder.join(".git/other-name")).unwrap();
    for (path, mode) in [("locked.md", 0o444), ("ro", 0o555)] {
        fs::set_permissions(folder.join(path), PermissionsExt::from_mode(mode)).unwrap();
    }
    for (name, expected) in [
        ("link.md", "is a symbolic link; edit real.md itself"),
        ("way/x.md", "is below the symbolic link `way`"),
        ("twin.md", "is a hard link, one of 2 names"),
        ("locked.md", "is read-only"),
        ("ro/x.md", "is in a folder that is read-only"),
        ("gen.md", "is generated"),
        ("lfs.md", "is stored by Git LFS"),
        ("utf16.md", "is UTF-16"),
        ("latin.md", "is not UTF-8"),
    ] {
        assert_refused(folder, name, expected, false);
    }
    fs::set_permissions(folder.join("ro"), PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn files_that_are_newer_than_the_change() {
    let site = repository(&[("a.md", "old\n")]);
    let mut changes = SourceChanges::default();
    let built = SystemTime::now() - Duration::from_mins(1);
    changes.edit_if_older(site.path().join("a.md"), replacement(site.path(), "a.md"), built);
    let applied = run(site.path(), &changes, ApplyMode::Patch, false);
    assert!(matches!(applied.refused[0].reason, RefusalReason::NewerThanBuild) && applied.patch.is_empty());
}

#[test]
fn files_that_changed_since_they_were_read() {
    let site = repository(&[("a.md", "old\n")]);
    let mut changes = SourceChanges::default();
    let content = NewContent::Whole { old: b"older\n".to_vec(), new: b"new\n".to_vec() };
    changes.edit(site.path().join("a.md"), content);
    let applied = run(site.path(), &changes, ApplyMode::WriteEach, true);
    assert!(matches!(applied.refused[0].reason, RefusalReason::ChangedSinceRead));
}

#[test]
fn a_patch_has_the_changes_of_refused_files() {
    let site = repository(&[("a.md", "old\n"), ("b.md", "old\n")]);
    fs::write(site.path().join("a.md"), "x\nold\n").unwrap();
    let mut changes = SourceChanges::default();
    for name in ["a.md", "b.md"] {
        changes.edit(site.path().join(name), replacement(site.path(), name));
    }
    let applied = run(site.path(), &changes, ApplyMode::Patch, false);
    assert_eq!((applied.changed.len(), applied.writable().count(), applied.refused.len()), (2, 1, 1));
    fs::write(site.path().join(".git/test.patch"), &applied.patch).unwrap();
    git(site.path(), &["apply", ".git/test.patch"]);
    assert_eq!(fs::read_to_string(site.path().join("a.md")).unwrap(), "x\nnew\n");
}
