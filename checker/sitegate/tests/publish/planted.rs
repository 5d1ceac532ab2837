//! Tests planted links and special files in a target folder: nothing outside of it changes, nothing hangs, and the message
//! names the path.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::site::Site;
use crate::outcome::all_output;

/// Files outside of the target.
const OUTSIDE: [&str; 3] =
    ["outside/index.html", "outside/0123456789abcdef0123456789abcdef", "outside/deep/file"];

/// A published site with a new release to publish, and files of others outside of the target.
fn with_outside() -> Site {
    let site = Site::published();
    site.edit_terms("30%");
    for file in OUTSIDE {
        site.place(file, "theirs");
    }
    site
}

/// Replaces what is at a path of the target.
fn replace(site: &Site, path: &str, plant: impl FnOnce(&Path)) {
    let path = site.path("public").join(path);
    if path.is_dir() {
        fs::remove_dir_all(&path).unwrap();
    } else if path.exists() {
        fs::remove_file(&path).unwrap();
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    plant(&path);
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs a command on the target, which must end soon.
fn run(site: &Site, command: &str) -> (Option<i32>, String) {
    let mut started = site.on_target_command(command, &[]);
    let mut child = started.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("{command} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), all_output(&output))
}

/// Checks that plan and publish are refused, that they name the path, and that nothing outside changes. Then checks that
/// the advice of the message helps.
fn assert_refused(site: &Site, path: &str, word: &str) {
    let full = site.path("public").join(path);
    for command in ["plan", "publish"] {
        let (code, text) = run(site, command);
        assert_eq!(code, Some(4), "{command} with {path}: {text}");
        for word in [word, full.to_str().unwrap(), "delete"] {
            assert!(text.contains(word), "`{word}` is not in: {text}");
        }
    }
    for command in ["status", "rollback", "gc", "unlock", "repair"] {
        let (code, text) = run(site, command);
        assert!(code.is_some() && code != Some(101), "{command} with {path}: {code:?} {text}");
    }
    for file in OUTSIDE {
        assert_eq!(fs::read_to_string(site.path(file)).unwrap(), "theirs", "{path}: {file}");
    }
    assert_eq!(fs::read_dir(site.path("outside")).unwrap().count(), 3, "{path}");
    let there = fs::symlink_metadata(&full).unwrap();
    if there.is_dir() {
        fs::remove_dir_all(&full).unwrap()
    } else {
        fs::remove_file(&full).unwrap()
    }
    site.publish_ok(&["--overwrite-drift"]);
}

#[test]
fn planted_links_are_refused() {
    let site = with_outside();
    for path in ["terms", ".sitegate/tmp", ".sitegate/kept", ".sitegate/probe"] {
        replace(&site, path, |path| symlink(site.path("outside"), path).unwrap());
        assert_refused(&site, path, "symbolic link");
    }
    let name = format!(".sitegate/kept/{}", "0".repeat(64));
    for path in ["terms/index.html", ".sitegate/lock", &name] {
        for to in ["outside/index.html", "nowhere"] {
            replace(&site, path, |path| symlink(site.path(to), path).unwrap());
            assert_refused(&site, path, "symbolic link");
        }
        assert!(!site.path("nowhere").exists());
    }
}

#[test]
fn special_files_are_refused() {
    let site = with_outside();
    for path in ["terms/index.html", "terms", ".sitegate/lock", ".sitegate/tmp", ".sitegate/kept/pipe"] {
        replace(&site, path, make_fifo);
        assert_refused(&site, path, "named pipe");
        replace(&site, path, |path| drop(UnixListener::bind(path).unwrap()));
        assert_refused(&site, path, "socket");
    }
    replace(&site, ".sitegate/lock", |path| fs::create_dir(path).unwrap());
    assert_refused(&site, ".sitegate/lock", "is a folder, not a file");
    replace(&site, ".sitegate/tmp", |path| fs::write(path, "").unwrap());
    assert_refused(&site, ".sitegate/tmp", "is a file, not a folder");
}

/// The target folder itself may be a link: that is the user's decision.
#[test]
fn target_may_be_a_link() {
    let site = Site::new();
    fs::create_dir(site.path("real")).unwrap();
    symlink("real", site.path("public")).unwrap();
    site.check();
    site.publish_ok(&[]);
    assert!(site.path("real/terms/index.html").exists());
}

/// Empty folders in a page's place do no harm.
#[test]
fn empty_folders_are_replaced() {
    let site = Site::new();
    site.check();
    fs::create_dir_all(site.path("public/robots.txt/empty/deep")).unwrap();
    site.publish_ok(&[]);
    assert_eq!(site.live("robots.txt").as_deref(), Some("User-agent: *\n"));
}

/// A link that is planted after the plan is not followed.
#[test]
fn link_planted_during_the_publish_is_not_followed() {
    for round in 0..8 {
        let site = with_outside();
        for note in 0..200 {
            site.write(&format!("terms/note-{note}.txt"), "a note");
        }
        site.check();
        let mut command = site.on_target_command("publish", &[]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(15 * round));
        let moved = fs::rename(site.path("public/terms"), site.path("moved"));
        let linked = symlink(site.path("outside"), site.path("public/terms"));
        child.wait().unwrap();
        assert_eq!(fs::read_dir(site.path("outside")).unwrap().count(), 3, "{moved:?} {linked:?}");
        assert_eq!(fs::read_to_string(site.path("outside/index.html")).unwrap(), "theirs");
    }
}
