//! Tests `sitegate check --external` with servers on this machine.

mod linked_site;
mod lock;
mod private_inventories;
mod proxies;
mod summary;
#[allow(dead_code)] // The tests of the network crate use more of it.
#[path = "../../../network/tests/requests/tls.rs"]
mod tls;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use linked_site::{LinkedSite, Server, rules_by_line, text};
use sitegate_network::KNOWN_HOSTS;

use crate::folders::json;
use crate::outcome::{all_output, assert_exit};

/// Checks the lines and rules of all findings of a check that fails.
#[track_caller]
fn assert_found(site: &LinkedSite, arguments: &[&str], expected: [(u64, &str); 4]) {
    let output = site.check(&[arguments, &["--format", "json"]].concat());
    assert_exit(&output, 1, &[]);
    assert_eq!(rules_by_line(&output), expected.map(|(line, rule)| (line, rule.to_owned())));
}

#[test]
fn reports_external_findings_at_their_line() {
    let server = Server::start();
    let linked_site =
        LinkedSite::new(&server, &["/fine", "/gone", "/old", "/wall", "/fine#one", "/fine#two"], "");
    let expected = [
        (3, "broken-external-link"),
        (4, "moved-external-link"),
        (5, "unverified-external-link"),
        (7, "broken-external-anchor"),
    ];
    // A folder after the option is the export, and all of its links are checked.
    assert_found(&linked_site, &["--external", "site"], expected);
}

#[test]
fn links_with_a_user_name_are_checked_like_others() {
    let server = Server::start();
    let urls = ["/fine", "/gone", "/old", "/wall", "/fine#two"]
        .map(|path| format!("http://alice:hunter2@{}{path}", server.address));
    let linked_site = LinkedSite::with_links(&urls, "");
    let expected = [
        (3, "broken-external-link"),
        (4, "moved-external-link"),
        (5, "unverified-external-link"),
        (6, "broken-external-anchor"),
    ];
    assert_found(&linked_site, &["--external", "--no-cache"], expected);
    assert!(server.requested().iter().all(|request| !request.contains("authorization")));
    let words = [&*format!("  http://{}/gone\n", server.address), "would request 4 URLs on 1 host"];
    let printed = linked_site.expect(&["--external", "--dry-run"], 0, &words);
    assert!(!printed.contains("hunter2"), "{printed}");
    // Links that differ only in the name are one.
    linked_site.check(&["--facts", "base.facts.gz"]);
    let plain = urls.map(|url| url.replace("alice:hunter2@", "bob@"));
    let changed = LinkedSite::with_links(&plain, "");
    fs::rename(linked_site.path("base.facts.gz"), changed.path("base.facts.gz")).unwrap();
    changed.expect(&["--external=new", "--base", "base.facts.gz", "--dry-run"], 0, &["nothing to request"]);
    changed.check(&["--external", "--lock", "external.lock", "--update-lock"]);
    let lock = fs::read_to_string(changed.path("external.lock")).unwrap();
    assert!(lock.contains(&format!("http://{}/fine ", server.address)), "{lock}");
}

#[test]
fn blocked_and_moved_links_do_not_fail() {
    let server = Server::start();
    let site = LinkedSite::new(&server, &["/old", "/wall", "/fine#two"], "");
    site.expect(&["--external"], 0, &[&format!("link to `http://{}/new`", server.address)]);
}

#[test]
fn requests_private_addresses_only_if_allowed() {
    let server = Server::start();
    let linked_site = LinkedSite::new(&server, &["/gone"], "");
    let contract = linked_site.path("sitegate.toml");
    let strict = fs::read_to_string(&contract).unwrap().replace("\"127.0.0.0/8\"", "");
    fs::write(&contract, strict).unwrap();
    linked_site.expect(&["--external"], 0, &["127.0.0.1 is not a public address"]);
    assert_eq!(server.requested(), [""; 0]);
}

#[test]
fn a_host_that_refuses_requests_is_one_cause() {
    let server = Server::start();
    let paths: Vec<String> = (0..24).map(|number| format!("/busy/{number}")).collect();
    let linked_site = LinkedSite::new(&server, &paths.iter().map(String::as_str).collect::<Vec<_>>(), "");
    let start = Instant::now();
    let output = linked_site.check(&["--external", "--format", "json"]);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let printed = assert_exit(&output, 0, &[]);
    assert_eq!(json(&output)["causes"].as_array().unwrap().len(), 1, "{printed}");
    let reason = format!("{} refused requests 3 times in a row (429 or 503)", server.address);
    assert!(printed.matches(&reason).count() >= 12, "{printed}");
    // The next run requests the others.
    let cached = linked_site.answers().lines().count() - 1;
    assert!(cached < 12 && server.requested().len() < 12, "{cached}");
    linked_site.check(&["--external"]);
    assert!(server.requested().len() > cached);
}

#[test]
fn max_time_ends_the_requests() {
    let server = Server::start();
    let linked_site = LinkedSite::new(&server, &["/gone", "/hang"], "");
    let start = Instant::now();
    let words = ["no answer within 2 s for all links; raise `--max-time`", "it answers 404 Not Found"];
    linked_site.expect(&["--external", "--max-time", "2"], 1, &words);
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

#[test]
fn caches_results_unless_no_cache_is_set() {
    let server = Server::start();
    let linked_site = LinkedSite::new(&server, &["/fine", "/gone"], "");
    linked_site.check(&["--external"]);
    let (asked, kept) = (server.requested(), linked_site.answers());
    assert_eq!(asked, ["GET /gone", "HEAD /fine", "HEAD /gone"]);
    assert_eq!(kept.lines().count(), 3);
    let output = linked_site.check(&["--external", "--format", "json"]);
    assert_eq!(server.requested(), asked);
    assert_eq!(rules_by_line(&output), [(3, "broken-external-link".to_owned())]);
    linked_site.check(&["--external", "--no-cache"]);
    assert_eq!(server.requested().len(), 2 * asked.len());
}

#[test]
fn a_cache_without_access_is_named_with_a_way_out() {
    let server = Server::start();
    let linked_site = LinkedSite::new(&server, &["/fine"], "");
    // Not even an administrator can read or write a folder as a file.
    let lock = linked_site.answers_path().with_extension("lock");
    fs::create_dir_all(&lock).unwrap();
    let output = linked_site.check(&["--external"]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("external results are not cached") && !printed.contains("error:"), "{printed}");
    fs::create_dir(linked_site.answers_path()).unwrap();
    let output = linked_site.check(&["--external"]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("check with `--no-cache`, or set XDG_CACHE_HOME"), "{printed}");
    assert_eq!(linked_site.check(&["--external", "--no-cache"]).status.code(), Some(0));
}

#[test]
fn ignore_and_skip_apply_to_external_links() {
    let server = Server::start();
    let ignored = "[[ignore]]\nrule = \"broken-external-link\"\nreason = \"it comes back on Monday\"\n";
    let linked_site = LinkedSite::new(&server, &["/gone"], ignored);
    linked_site.expect(&["--external"], 0, &[]);
    // Without requests, such an ignore is not reported as unused.
    assert!(!text(&linked_site.check(&[]).stdout).contains("matches no finding"));
    let linked_site =
        LinkedSite::new(&server, &["/wall"], &format!("skip = [\"http://{}/w*\"]\n", server.address));
    let before = server.requested().len();
    assert!(text(&linked_site.check(&["--external"]).stdout).contains("passed"));
    assert_eq!(server.requested().len(), before);
}

#[test]
fn sends_secrets_from_the_environment_only_to_their_host() {
    let (server, other) = (Server::start(), Server::start());
    let hosts = |value: &str| {
        format!("[external.hosts.\"http://{}\"]\nheaders = {{ Authorization = {value} }}\n", server.address)
    };
    let linked_site = LinkedSite::new(&server, &["/fine"], &hosts("{ env = \"SAMPLE_TOKEN\" }"));
    let page = linked_site.path("site/index.html");
    let both =
        fs::read_to_string(&page).unwrap() + &format!("<p><a href=\"http://{}/fine\">y</a>", other.address);
    fs::write(&page, both).unwrap();
    let mut command = linked_site.command(&["--external", "--allow-env", "SAMPLE_TOKEN"]);
    assert_exit(&command.env("SAMPLE_TOKEN", "Bearer sample").output().unwrap(), 0, &[]);
    assert_eq!(server.requested(), ["HEAD /fine (authorization: Bearer sample)"]);
    assert_eq!(other.requested(), ["HEAD /fine"]);
    assert!(!linked_site.answers().contains("sample"));
    let plain = LinkedSite::new(&server, &["/fine"], &hosts("\"Bearer sample\""));
    plain.expect(&["--external"], 2, &["is a secret: do not write it in a file"]);
}

#[test]
fn documented_table_of_hosts_is_current() {
    const BEGIN: &str = "<!-- hosts: made by `UPDATE=1 cargo test` -->\n";
    const END: &str = "<!-- end of hosts -->\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/external-links.md");
    let _only = crate::docs::UPDATE_LOCK.lock();
    let page = fs::read_to_string(&file).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (shown, after) = rest.split_once(END).unwrap();
    let mut table = "| host | behavior | recorded |\n|---|---|---|\n".to_owned();
    for known in KNOWN_HOSTS {
        writeln!(table, "| {} | {} | {} |", known.domains.join(", "), known.reason, known.date).unwrap();
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(shown, table, "`UPDATE=1 cargo test` updates it");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_report_so_far() {
    let server = Server::start();
    let linked_site = LinkedSite::new(&server, &["/gone", "/hang"], "");
    let child =
        linked_site.command(&["--external"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !server.requested().iter().any(|line| line == "GET /gone") {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let words = [
        "it answers 404 Not Found",
        "the check was stopped before it answered",
        "1 broken, 1 unverified; stopped after ",
        "not everything could be checked",
    ];
    assert_exit(&child.wait_with_output().unwrap(), 130, &words);
}

#[test]
fn external_new_requests_only_links_that_the_base_does_not_have() {
    for base in ["base", "base.facts.gz"] {
        let server = Server::start();
        let ignore = "[[ignore]]\nrule = \"broken-external-link\"\nurl = \"gone\"\nreason = \"known\"\n";
        let linked_site = LinkedSite::new(&server, &["/gone", "/fine#one"], ignore);
        let folder = linked_site.folder.path();
        fs::rename(folder.join("site"), folder.join("base")).unwrap();
        let changed = LinkedSite::new(&server, &["/gone", "/fine#one", "/fine#two", "/new"], "");
        fs::rename(changed.path("site"), folder.join("site")).unwrap();
        linked_site.check(&["base", "--facts", "base.facts.gz"]);
        let new = ["--external=new", "--base", base, "--format", "json"];
        let plan = linked_site.expect(&[&new[..], &["--dry-run"]].concat(), 0, &["would request 2 URLs"]);
        assert!(!plan.contains("/gone"), "{plan}");
        let output = linked_site.check(&new);
        assert_exit(&output, 0, &[]);
        assert_eq!(rules_by_line(&output), [(4, "broken-external-anchor".to_owned())]);
        let requested = server.requested();
        assert!(requested.iter().all(|request| !request.contains("/gone")), "{requested:?}");
        assert!(requested.iter().any(|request| request.ends_with("/new")), "{requested:?}");
    }
}

#[test]
fn requests_the_inventory_of_the_branch_or_else_of_the_default_branch() {
    let server = Server::start();
    let links = ["users", "usrs"].map(|name| format!("https://api.example.com/{name}/"));
    let part = format!(
        "[[parts]]\nat = \"https://api.example.com/\"\ninventory = \"http://{}/{{branch}}/inventory.txt\"\n",
        server.address
    );
    let check = |more: &str, arguments: &[&str], code: i32, word: &str| {
        let site = LinkedSite::with_links(&links, &format!("{part}{more}"));
        let mut command = site.command(arguments);
        assert_exit(&command.env("GITHUB_HEAD_REF", "feature/x").output().unwrap(), code, &[word]);
    };
    check("", &["--parts"], 1, "`https://api.example.com/usrs/` is not in the inventory");
    assert_eq!(server.requested(), ["GET /feature/x/inventory.txt", "GET /main/inventory.txt"]);
    let trunk = "default-branch = \"trunk\"\n";
    check(trunk, &["--parts"], 0, "/trunk/inventory.txt cannot be requested: 404");
    // Without --parts, nothing is requested.
    check("", &[], 0, "is only requested with --parts");
    assert_eq!(server.requested().len(), 4);
}

#[test]
fn the_name_of_a_branch_selects_no_other_file_and_no_host() {
    for (branch, requested) in [
        ("x#y", "GET /ci/x%23y/inventory.txt"),
        ("x?y=%41", "GET /ci/x%3Fy%3D%2541/inventory.txt"),
        ("a/b@c.example", "GET /ci/a/b%40c.example/inventory.txt"),
    ] {
        let server = Server::start();
        let inventory = format!("http://{}/ci/{{branch}}/inventory.txt", server.address);
        let part = format!("[[parts]]\nat = \"/x/\"\ninventory = \"{inventory}\"\n");
        let site = LinkedSite::with_links(&["/x/".to_owned()], &part);
        let output = site.command(&["--parts"]).env("GITHUB_HEAD_REF", branch).output().unwrap();
        let all = server.requested();
        assert!(all.contains(&requested.to_owned()), "{} {all:?}", all_output(&output));
    }
}
