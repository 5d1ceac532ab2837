//! Tests the staging folder, and what a file keeps.

use std::fs;
use std::time::Duration;

use sitegate_sources::edits::{ApplyMode, SourceChanges};

use crate::repository::{edit, git, replacement, repository, run, write};

#[cfg(unix)]
#[test]
fn mode_owner_and_attributes_are_kept() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let site = repository(&[("run.md", "\u{feff}old\r\nold")]);
    let file = site.path().join("run.md");
    fs::set_permissions(&file, PermissionsExt::from_mode(0o750)).unwrap();
    // Only the administrator may change the owner, and not all file systems have attributes.
    let _ = chown(&file, Some(12_345), Some(54_321));
    let _ = rustix::fs::setxattr(&file, "user.note", b"kept", rustix::fs::XattrFlags::empty());
    git(site.path(), &["commit", "--quiet", "--all", "--message=mode"]);
    let state = || {
        let metadata = fs::metadata(&file).unwrap();
        let mut value = [0; 16];
        let length = rustix::fs::getxattr(&file, "user.note", &mut value[..]).unwrap_or(0);
        (metadata.mode(), metadata.uid(), metadata.gid(), value[..length].to_vec())
    };
    let before = state();
    assert!(edit(site.path(), "run.md", false).is_none());
    assert_eq!(state(), before);
    assert_eq!(fs::read(&file).unwrap(), "\u{feff}new\r\nold".as_bytes());
}

#[test]
fn another_run_excludes_this_one_and_what_a_killed_one_left_is_removed() {
    let site = repository(&[("a.md", "old\n")]);
    let staging = site.path().join(".git/sitegate-staging");
    fs::create_dir(&staging).unwrap();
    fs::write(staging.join("1.staged"), "half").unwrap();
    let lock = fs::File::create(staging.join("lock")).unwrap();
    lock.lock().unwrap();
    let mut changes = SourceChanges::default();
    changes.edit(site.path().join("a.md"), replacement(site.path(), "a.md"));
    let applied = run(site.path(), &changes, ApplyMode::WriteEach, false);
    let reason = applied.refused[0].reason.to_string();
    assert!(reason.contains("another run of sitegate"), "{reason}");
    drop(lock);
    // A test that starts a program at this time keeps the lock until that has begun.
    let is_applied = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        run(site.path(), &changes, ApplyMode::WriteEach, false).refused.is_empty()
    });
    assert!(is_applied && !staging.exists(), "and nothing is left");
    // A folder of the same name that is not ours keeps its files.
    write(site.path(), ".git/sitegate-staging/mine.txt", "mine");
    fs::write(site.path().join("a.md"), "old\n").unwrap();
    let again = run(site.path(), &changes, ApplyMode::WriteEach, false);
    assert!(again.is_written && staging.join("mine.txt").exists());
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_staging_folder_is_not_followed() {
    let (site, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(site.path(), "a.md", "old\n");
    write(outside.path(), "1.staged", "precious");
    std::os::unix::fs::symlink(outside.path(), site.path().join(".sitegate-staging")).unwrap();
    let mut changes = SourceChanges::default();
    changes.edit(site.path().join("a.md"), replacement(site.path(), "a.md"));
    run(site.path(), &changes, ApplyMode::WriteEach, true);
    assert_eq!(fs::read_to_string(outside.path().join("1.staged")).unwrap(), "precious");
    assert_eq!(outside.path().read_dir().unwrap().count(), 1);
}
