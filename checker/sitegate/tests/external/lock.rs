//! Tests the lock of external links: the checks that believe it, those that write it, and that it needs no second build.

use std::fs;

use chrono::{Days, NaiveDate, Utc};

use crate::folders::{commit, git, guide_commands, read, write};

use super::linked_site::{LinkedSite, Server, rules_by_line, text};

/// A lock with the answers of paths on a server, at a day.
fn lock(server: &Server, entries: &[(&str, NaiveDate)]) -> String {
    let mut lines: Vec<String> =
        entries.iter().map(|(path, day)| format!("http://{}{path} {day}\n", server.address)).collect();
    lines.sort();
    format!(
        "# sitegate external lock 1\n# Answers of external links. `sitegate check --external --lock FILE --update-lock` writes it.\n{}",
        lines.concat()
    )
}

fn days_ago(days: u64) -> NaiveDate {
    Utc::now().date_naive() - Days::new(days)
}

impl LinkedSite {
    fn lock_text(&self) -> String {
        read(self.folder.path(), "external.lock")
    }

    fn write_lock(&self, text: &str) {
        write(self.folder.path(), "external.lock", text);
    }

    fn git(&self, arguments: &[&str]) {
        git(self.folder.path(), arguments);
    }

    /// Commits everything as `main`.
    fn commit(&self) {
        write(self.folder.path(), ".gitignore", "sitegate/\n");
        commit(self.folder.path());
    }
}

const UPDATE: [&str; 4] = ["--external", "--lock", "external.lock", "--update-lock"];

#[test]
fn answers_are_written_and_equal_answers_give_equal_bytes() {
    let server = Server::start();
    let site = LinkedSite::new(&server, &["/fine", "/fine#one", "/fine#two", "/gone", "/old", "/wall"], "");
    site.expect(&UPDATE, 1, &[]);
    let today = days_ago(0);
    let written = site.lock_text();
    let others = format!(
        "http://{0}/fine#two {today} broken\nhttp://{0}/gone {today} broken\nhttp://{0}/old {today} http://{0}/new\n",
        server.address
    );
    let expected = lock(&server, &[("/fine", today), ("/fine#one", today)]) + &others;
    assert_eq!(written, expected);
    // With it, only addresses without a good answer are requested, and the bytes stay.
    let before = server.requested().len();
    site.check(&UPDATE);
    let requested = &server.requested()[..];
    assert_eq!(site.lock_text(), expected);
    let again = requested.iter().filter(|request| request.contains("/old")).count();
    assert_eq!(again, 1, "{requested:?}");
    assert!(requested.len() > before);
    // A check without --update-lock writes nothing, and reports what has moved.
    site.write_lock(&expected.replace(&today.to_string(), &days_ago(20).to_string()));
    let aged = site.lock_text();
    let output = site.check(&["--external", "--lock", "external.lock", "--no-cache", "--format", "json"]);
    let found: Vec<String> = rules_by_line(&output).into_iter().map(|(_, rule)| rule).collect();
    assert_eq!(
        found,
        ["broken-external-anchor", "broken-external-link", "moved-external-link", "unverified-external-link"]
    );
    assert_eq!(site.lock_text(), aged);
    // The job that updates it renews answers that are older than half of the maximum age.
    site.check(&UPDATE);
    let renewed =
        expected.lines().zip(aged.lines()).map(|(new, old)| if new.ends_with("broken") { old } else { new });
    assert_eq!(site.lock_text(), renewed.flat_map(|line| [line, "\n"]).collect::<String>());
}

/// The main branch has a broken link and a missing anchor. A change that adds other links does not fail for them.
#[test]
fn a_change_does_not_fail_for_links_that_were_broken_before() {
    let server = Server::start();
    let old = ["/fine", "/gone", "/fine#two"];
    let site = LinkedSite::new(&server, &old, "");
    site.expect(&UPDATE, 1, &[]);
    site.commit();
    let page = |paths: &[&str]| {
        let changed = LinkedSite::new(&server, paths, "");
        fs::copy(changed.folder.path().join("site/index.html"), site.path("site/index.html")).unwrap();
    };
    let new =
        ["--external=new", "--lock", "external.lock", "--base", "main", "--no-cache", "--format", "json"];
    page(&[&old[..], &["/added"]].concat());
    let before = server.requested().len();
    let output = site.check(&new);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(rules_by_line(&output), []);
    assert!(server.requested().len() == before + 1, "{:?}", server.requested());
    // Nor can it add a broken one as if it were known.
    page(&[&old[..], &["/gone?new"]].concat());
    let planted =
        format!("http://{0}/gone 2026-01-01 broken\nhttp://{0}/gone?new 2026-01-01 broken\n", server.address);
    site.write_lock(&(lock(&server, &[]) + &planted));
    site.expect(&new, 1, &[]);
    // All links are still checked without `new`.
    site.git(&["checkout", "--quiet", "--", "external.lock"]);
    page(&old);
    site.expect(&["--external", "--lock", "external.lock", "--base", "main"], 1, &[]);
}

#[test]
fn new_addresses_are_requested_and_reported_but_not_written() {
    let server = Server::start();
    let site = LinkedSite::new(&server, &["/fine", "/gone"], "");
    let text_of_lock = lock(&server, &[("/fine", days_ago(1))]);
    site.write_lock(&text_of_lock);
    site.commit();
    let arguments = ["--external", "--lock", "external.lock", "--base", "main"];
    site.expect(&arguments, 1, &[]);
    assert!(server.requested().iter().all(|request| request.ends_with("/gone")), "{:?}", server.requested());
    assert_eq!(site.lock_text(), text_of_lock);
    site.git(&["diff", "--exit-code", "external.lock"]);
    // Without a second build: the links of the lock are known, however old they are.
    site.write_lock(&lock(&server, &[("/fine", days_ago(400)), ("/gone", days_ago(400))]));
    site.expect(&["--external=new", "--lock", "external.lock", "--no-cache"], 0, &[]);
    let output = site.check(&["--external=new", "--lock", "external.lock", "--base", "main", "--no-cache"]);
    assert_eq!(output.status.code(), Some(1), "the base does not know /gone");
}

/// A change commits a lock that says that its broken address works.
#[test]
fn an_entry_that_the_base_commit_does_not_have_is_not_believed() {
    let server = Server::start();
    let site = LinkedSite::new(&server, &["/fine", "/gone"], "");
    site.write_lock(&lock(&server, &[("/fine", days_ago(1))]));
    site.commit();
    for planted in [
        lock(&server, &[("/fine", days_ago(1)), ("/gone", days_ago(1))]),
        lock(&server, &[("/gone", days_ago(0))]),
    ] {
        site.write_lock(&planted);
        let arguments = ["--external", "--lock", "external.lock", "--base", "main", "--no-cache"];
        site.expect(&arguments, 1, &[]);
        let new = ["--external=new", "--lock", "external.lock", "--base", "main", "--no-cache"];
        site.expect(&new, 1, &[]);
    }
    // A folder with the name of the base is not the base.
    fs::create_dir(site.path("main")).unwrap();
    fs::copy(site.path("site/index.html"), site.path("main/index.html")).unwrap();
    let new = ["--external=new", "--lock", "external.lock", "--base", "main", "--no-cache"];
    site.expect(&new, 1, &[]);
    // Nor does the lock of a base without one count.
    site.git(&["rm", "--quiet", "--cached", "external.lock"]);
    site.git(&["commit", "--quiet", "--message", "b"]);
    let fine = || server.requested().iter().filter(|request| request.ends_with("/fine")).count();
    let before = fine();
    site.check(&["--external", "--lock", "external.lock", "--base", "main", "--no-cache"]);
    assert_eq!(fine(), before + 1);
}

#[test]
fn damaged_locks_are_errors_with_file_line_and_way_out() {
    let server = Server::start();
    let site = LinkedSite::new(&server, &["/fine"], "");
    let good = lock(&server, &[("/fine", days_ago(1))]);
    site.write_lock(&good);
    site.commit();
    let conflict = good.replace("http", "<<<<<<< HEAD\nhttp");
    let twice = format!("{good}{}\n", good.lines().last().unwrap());
    for (damaged, line) in
        [(conflict.as_str(), 3), (&twice, 4), (&good.replace("/fine", "/\u{1b}[2J"), 3), ("{}", 1)]
    {
        site.write_lock(damaged);
        for arguments in [&UPDATE[..], &["--external", "--lock", "external.lock"]] {
            let way_out = if damaged == "{}" { "writes one" } else { "restore the file" };
            let printed = site.expect(arguments, 2, &[&format!("external.lock:{line}: "), way_out]);
            assert!(!printed.contains('\u{1b}'), "{printed:?}");
            assert_eq!(site.lock_text(), damaged, "it is not replaced");
        }
    }
    site.write_lock(&good);
    for (arguments, reason) in [
        (&["--external", "--lock", "external.lock", "--base", "no-such"][..], "there is no such commit"),
        (&["--external", "--lock", "external.lock", "--base=--all"], "there is no such commit"),
        (&["--external=new", "--lock", "external.lock", "--update-lock"], "needs the answers of all links"),
        (&["--external=new"], "compares with"),
        (&["--external", "--update-lock"], "--lock"),
    ] {
        site.expect(arguments, 2, &[reason]);
    }
    assert_eq!(server.requested(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_lock_is_a_regular_file_and_replaces_no_other() {
    let server = Server::start();
    let site = LinkedSite::new(&server, &["/fine"], "");
    let file = site.path("external.lock");
    std::os::unix::fs::symlink("sitegate.toml", &file).unwrap();
    site.expect(&UPDATE, 2, &["must be a regular file"]);
    assert!(read(site.folder.path(), "sitegate.toml").contains("[external]"));
    let other = ["--external", "--lock", "sitegate.toml", "--update-lock"];
    site.expect(&other, 2, &[]);
}

#[test]
fn the_guide_works_as_written() {
    let server = Server::start();
    let site = LinkedSite::new(&server, &["/fine"], "");
    fs::rename(site.path("site"), site.path("dist")).unwrap();
    let run = |heading: &str| {
        for command in guide_commands("external-links.md", heading) {
            let words: Vec<&str> = command.split(' ').collect();
            match words[..] {
                ["git", ref arguments @ ..] => site.git(arguments),
                ["sitegate", "check", ref arguments @ ..] => {
                    site.expect(&[arguments, &["--no-cache"]].concat(), 0, &[]);
                }
                _ => panic!("{command}"),
            }
        }
    };
    site.write_lock("# sitegate external lock 1\n");
    site.commit();
    // The first run writes the lock, and its commit is the base of the next ones.
    site.check(&[&["dist"], &UPDATE[..]].concat());
    site.commit();
    site.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let before = server.requested().len();
    run("Lock");
    run("Only new links");
    assert_eq!(server.requested().len(), before, "the lock has the only address");
}
