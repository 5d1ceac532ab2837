//! Repositories of test files, and changes in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sitegate_sources::edits::{
    Applied, ApplyMode, ApplyOptions, Edit, NewContent, RefusalReason, Replacement, SourceChanges, apply,
};
use tempfile::TempDir;

/// Runs git in a folder, without the settings of the machine.
pub fn git(folder: &Path, arguments: &[&str]) {
    let settings =
        ["user.name=Test", "user.email=t@example.com", "commit.gpgsign=false", "core.autocrlf=false"];
    let output = Command::new("git")
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .args(settings.iter().flat_map(|setting| ["-c", setting]))
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

pub fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub fn commit(folder: &Path) {
    git(folder, &["add", "--force", "."]);
    git(folder, &["commit", "--quiet", "--allow-empty", "--message=files"]);
}

/// Creates a committed repository.
pub fn repository(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
    commit(folder.path());
    folder
}

/// Returns all files and links of a folder without Git's, with their contents.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_path_buf();
            if path.is_symlink() {
                found.insert(name, fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes());
            } else if path.is_dir() {
                folders.extend((path.file_name().unwrap() != ".git").then_some(path));
            } else {
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Returns the replacement of the first `old` of a file by `new`.
pub fn replacement(folder: &Path, name: &str) -> NewContent {
    let text = fs::read(folder.join(name)).unwrap();
    let start = text.windows(3).position(|part| part == b"old").unwrap();
    let edit = Edit { start, end: start + 3, new: "new".to_owned() };
    NewContent::Replacements(vec![Replacement { edit, old: "old".to_owned() }])
}

pub fn run(folder: &Path, changes: &SourceChanges, mode: ApplyMode, allow_unsaved: bool) -> Applied {
    apply(changes, mode, &ApplyOptions { project: folder.to_path_buf(), allow_unsaved }).unwrap()
}

/// Replaces `old` in a file. Returns the reason if it is refused, and then asserts that nothing has changed.
pub fn edit(folder: &Path, name: &str, allow_unsaved: bool) -> Option<RefusalReason> {
    let before = contents(folder);
    let mut changes = SourceChanges::default();
    changes.edit(folder.join(name), replacement(folder, name));
    let applied = run(folder, &changes, ApplyMode::WriteEach, allow_unsaved);
    let reason = applied.refused.into_iter().next().map(|refusal| refusal.reason);
    if reason.is_some() {
        assert!(contents(folder) == before && applied.changed.is_empty(), "{name}");
    } else {
        assert!(fs::read(folder.join(name)).unwrap().windows(3).any(|part| part == b"new"));
    }
    assert!(!folder.join(".git/sitegate-staging").exists() && !folder.join(".sitegate-staging").exists());
    reason
}

/// Asserts the reason, and whether the user may override it.
#[track_caller]
pub fn assert_refused(folder: &Path, name: &str, expected: &str, can_be_allowed: bool) {
    let reason = edit(folder, name, false).unwrap();
    assert!(reason.to_string().contains(expected), "{name}: {reason}");
    assert_eq!(reason.can_be_allowed(), can_be_allowed, "{reason}");
    assert_eq!(edit(folder, name, true).is_none(), can_be_allowed, "{name}");
}
