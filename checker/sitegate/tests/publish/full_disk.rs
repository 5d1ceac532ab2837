//! Tests disks that are full or read-only during a publish to a folder: visitors keep the old release, whole, and the next
//! run completes. Small disks are `tmpfs` in a mount namespace; without one, only the limit of the file size is tested.

#![allow(clippy::print_stderr)]

use std::fs;
use std::process::{Command, Output};

use super::site::Site;
use crate::outcome::{all_output, assert_exit};

/// Creates a release: pages that all change, and one larger file.
fn version(site: &Site, version: &str, size: usize) {
    for page in 0..30 {
        site.write(&format!("{page}/index.html"), &format!("<!doctype html><title>{version} {page}</title>"));
    }
    site.write("zeta.txt", &version.repeat(size));
    site.check();
}

/// Runs a shell script with the program and the target as `$1` and `$2`.
fn run_script(site: &Site, outer: &[&str], script: &str) -> Option<Output> {
    let target = site.target();
    let publish = "publish() { \"$program\" publish \"$target\" \"$1\" --seal \"$2\" --jobs 2; }";
    let script = format!("program=$1; target=$2; {publish}; {script}");
    let mut words = outer.to_vec();
    words.extend(["sh", "-c", &script, "sh", env!("CARGO_BIN_EXE_sitegate"), &target]);
    Command::new(words[0]).args(&words[1..]).current_dir(site.folder.path()).output().ok()
}

/// The command that gives a script its own mounts.
const NAMESPACE: [&str; 4] = ["unshare", "--user", "--map-root-user", "--mount"];

/// Returns a site with two sealed versions, of which none is published; none if scripts cannot mount disks here.
fn two_versions() -> Option<Site> {
    let mut unshare = Command::new(NAMESPACE[0]);
    if !unshare.args(&NAMESPACE[1..]).arg("true").status().is_ok_and(|status| status.success()) {
        eprintln!("there are no mount namespaces here, so no disk is full or read-only");
        return None;
    }
    let site = Site::new();
    version(&site, "one", 100_000);
    for [from, to] in [["export", "first"], ["seal.json", "first.json"]] {
        let copied = Command::new("cp").arg("-R").args([site.path(from), site.path(to)]).status();
        assert!(copied.unwrap().success());
    }
    version(&site, "two", 200_000);
    fs::create_dir(site.path("public")).unwrap();
    Some(site)
}

/// Publishes a second release on a small disk: it must fail and change nothing. With more space, it succeeds.
fn assert_whole_on_a_full_disk(options: &str, more: &str, reason: &str) {
    let Some(site) = two_versions() else { return };
    let script = format!(
        "mount -t tmpfs -o {options} tmpfs public || exit 90
         publish first first.json || exit 91
         cp -R public before
         publish export seal.json; echo \"full: $?\"
         cp -R public after
         mount -o remount,{more} public || exit 92
         publish export seal.json; echo \"enough: $?\"
         cp -R public last"
    );
    let output = run_script(&site, &NAMESPACE, &script).unwrap();
    let printed = assert_exit(&output, 0, &["full: 6", "enough: 0", reason]);
    for page in 0..30 {
        let page = |copy: &str| fs::read_to_string(site.path(&format!("{copy}/{page}/index.html"))).unwrap();
        assert_eq!(page("before"), page("after"), "{printed}");
        assert!(page("last").contains("two"), "{printed}");
    }
    for copy in ["after", "last"] {
        let left = fs::read_dir(site.path(copy).join(".sitegate/tmp")).unwrap().count();
        assert_eq!(left, 0, "{copy}: {printed}");
    }
}

/// The plan knows that the disk is too small.
#[test]
fn nothing_changes_without_enough_space() {
    assert_whole_on_a_full_disk("size=2200k", "size=8m", "of free space, but there are");
}

/// The disk is full while files are staged: there are no more inodes, which no plan can know.
#[test]
fn nothing_changes_if_the_disk_is_full_in_the_middle() {
    assert_whole_on_a_full_disk("size=8m,nr_inodes=120", "nr_inodes=400", "No space left on device");
}

#[test]
fn nothing_changes_in_a_read_only_folder() {
    let Some(site) = two_versions() else { return };
    let script = "mount -t tmpfs -o size=8m tmpfs public || exit 90
         publish first first.json || exit 91
         mount -o remount,ro public || exit 92
         publish export seal.json; echo \"read-only: $?\"
         \"$program\" target status \"$target\" || exit 93
         mount -o remount,rw public || exit 94
         publish export seal.json; echo \"writable: $?\"
         cp -R public last";
    let output = run_script(&site, &NAMESPACE, script).unwrap();
    let words = ["read-only: 6", "Read-only file system", "nothing was published", "writable: 0"];
    let printed = assert_exit(&output, 0, &words);
    assert!(fs::read_to_string(site.path("last/29/index.html")).unwrap().contains("two"), "{printed}");
}

/// New folders are created before the switch, too, and removed again if it does not happen.
#[test]
fn nothing_changes_if_a_file_may_not_grow() {
    let site = Site::new();
    version(&site, "one", 1_000);
    site.publish_ok(&[]);
    version(&site, "two", 100_000);
    site.write("new/folder/index.html", "<!doctype html><title>New</title>");
    site.check();
    let output = run_script(&site, &[], "trap '' XFSZ; ulimit -f 100; publish export seal.json").unwrap();
    assert_exit(&output, 6, &["nothing was published; ./public still has the release"]);
    let status = site.expect("status", &[], 0, &["failed", "nothing visible was changed"]);
    assert!(!status.contains("may be live"), "{status}");
    for page in 0..30 {
        assert!(site.live(&format!("{page}/index.html")).unwrap().contains("one"), "{}", all_output(&output));
    }
    assert!(!site.path("public/new").exists());
    assert_eq!(site.count_in("tmp"), 0);
    assert_eq!(site.publish_ok(&[])["resumes"], false, "there is no switch to complete");
    assert!(site.live("29/index.html").unwrap().contains("two"));
    assert!(!site.expect("status", &[], 0, &[]).contains("failed"));
}
