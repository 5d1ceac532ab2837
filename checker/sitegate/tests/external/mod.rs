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

#[test]
fn reports_external_findings_at_their_line() {
    let server = Server::start();
    let linked_site =
        LinkedSite::new(&server, &["/fine", "/gone", "/old", "/wall", "/fine#one", "/fine#two"], "");
    // A folder after the option is the export, and all of its links are checked.
    let output = linked_site.check(&["--external", "site", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let expected = [
        (3, "broken-external-link"),
        (4, "moved-external-link"),
        (5, "unverified-external-link"),
        (7, "broken-external-anchor"),
    ];
    assert_eq!(rules_by_line(&output), expected.map(|(line, rule)| (line, rule.to_owned())));
}

#[test]
fn links_with_a_user_name_are_checked_like_others() {
    let server = Server::start();
    let urls = ["/fine", "/gone", "/old", "/wall", "/fine#two"]
        .map(|path| format!("http://alice:hunter2@{}{path}", server.address));
    let linked_site = LinkedSite::with_links(&urls, "");
    let output = linked_site.check(&["--external", "--no-cache", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let expected = [
        (3, "broken-external-link"),
        (4, "moved-external-link"),
        (5, "unverified-external-link"),
        (6, "broken-external-anchor"),
    ];
    assert_eq!(rules_by_line(&output), expected.map(|(line, rule)| (line, rule.to_owned())));
    assert!(server.requested().iter().all(|request| !request.contains("authorization")));
    let plan = linked_site.check(&["--external", "--dry-run"]);
    let printed = text(&plan.stdout);
    assert!(printed.contains(&format!("  http://{}/gone\n", server.address)), "{printed}");
    assert!(printed.contains("would request 4 URLs on 1 host") && !printed.contains("hunter2"), "{printed}");
    // Links that differ only in the name are one.
    linked_site.check(&["--facts", "base.facts.gz"]);
    let plain = urls.map(|url| url.replace("alice:hunter2@", "bob@"));
    let changed = LinkedSite::with_links(&plain, "");
    fs::rename(linked_site.folder.path().join("base.facts.gz"), changed.folder.path().join("base.facts.gz"))
        .unwrap();
    let output = changed.check(&["--external=new", "--base", "base.facts.gz", "--dry-run"]);
    assert!(text(&output.stdout).contains("nothing to request"), "{}", text(&output.stdout));
    let output = changed.check(&["--external", "--lock", "external.lock", "--update-lock"]);
    let lock = fs::read_to_string(changed.folder.path().join("external.lock")).unwrap();
    assert!(lock.contains(&format!("http://{}/fine ", server.address)), "{lock}{}", text(&output.stderr));
}

#[test]
fn blocked_and_moved_links_do_not_fail() {
    let server = Server::start();
    let output = LinkedSite::new(&server, &["/old", "/wall", "/fine#two"], "").check(&["--external"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains(&format!("link to `http://{}/new`", server.address)));
}

#[test]
fn requests_private_addresses_only_if_allowed() {
    let server = Server::start();
    let linked_site = LinkedSite::new(&server, &["/gone"], "");
    let contract = linked_site.folder.path().join("sitegate.toml");
    let strict = fs::read_to_string(&contract).unwrap().replace("\"127.0.0.0/8\"", "");
    fs::write(&contract, strict).unwrap();
    let output = linked_site.check(&["--external"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("127.0.0.1 is not a public address"), "{}", text(&output.stdout));
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
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["causes"].as_array().unwrap().len(), 1, "{printed}");
    let reason = format!("{} refused requests 3 times in a row (429 or 503)", server.address);
    assert!(printed.matches(&reason).count() >= 12, "{printed}");
    // The next run requests the others.
    let cached = fs::read_to_string(linked_site.answers()).unwrap().lines().count() - 1;
    assert!(cached < 12 && server.requested().len() < 12, "{cached}");
    linked_site.check(&["--external"]);
    assert!(server.requested().len() > cached);
}

#[test]
fn max_time_ends_the_requests() {
    let server = Server::start();
    let linked_site = LinkedSite::new(&server, &["/gone", "/hang"], "");
    let start = Instant::now();
    let output = linked_site.check(&["--external", "--max-time", "2"]);
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("no answer within 2 s for all links; raise `--max-time`"), "{printed}");
    assert!(printed.contains("it answers 404 Not Found"), "{printed}");
}

#[test]
fn caches_results_unless_no_cache_is_set() {
    let server = Server::start();
    let linked_site = LinkedSite::new(&server, &["/fine", "/gone"], "");
    linked_site.check(&["--external"]);
    let (asked, kept) = (server.requested(), fs::read_to_string(linked_site.answers()).unwrap());
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
    let lock = linked_site.answers().with_extension("lock");
    fs::create_dir_all(&lock).unwrap();
    let output = linked_site.check(&["--external"]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("external results are not cached") && !printed.contains("error:"), "{printed}");
    fs::create_dir(linked_site.answers()).unwrap();
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
    assert_eq!(linked_site.check(&["--external"]).status.code(), Some(0));
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
    let page = linked_site.folder.path().join("site/index.html");
    let both =
        fs::read_to_string(&page).unwrap() + &format!("<p><a href=\"http://{}/fine\">y</a>", other.address);
    fs::write(&page, both).unwrap();
    let output = linked_site
        .command(&["--external", "--allow-env", "SAMPLE_TOKEN"])
        .env("SAMPLE_TOKEN", "Bearer sample")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(server.requested(), ["HEAD /fine (authorization: Bearer sample)"]);
    assert_eq!(other.requested(), ["HEAD /fine"]);
    assert!(!fs::read_to_string(linked_site.answers()).unwrap().contains("sample"));
    let output = LinkedSite::new(&server, &["/fine"], &hosts("\"Bearer sample\"")).check(&["--external"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("is a secret: do not write it in a file"),
        "{}",
        text(&output.stderr)
    );
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
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.contains("it answers 404 Not Found"), "{printed}");
    assert!(printed.contains("the check was stopped before it answered"), "{printed}");
    assert!(printed.contains("1 broken, 1 unverified; stopped after "), "{printed}");
    assert!(printed.contains("not everything could be checked"), "{printed}");
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
        fs::rename(changed.folder.path().join("site"), folder.join("site")).unwrap();
        linked_site.check(&["base", "--facts", "base.facts.gz"]);
        let new = ["--external=new", "--base", base, "--format", "json"];
        let output = linked_site.check(&[&new[..], &["--dry-run"]].concat());
        assert!(text(&output.stdout).contains("would request 2 URLs"), "{}", text(&output.stdout));
        assert!(!text(&output.stdout).contains("/gone"), "{}", text(&output.stdout));
        let output = linked_site.check(&new);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
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
    let check = |more: &str, arguments: &[&str]| {
        let site = LinkedSite::with_links(&links, &format!("{part}{more}"));
        let mut command = site.command(arguments);
        let output = command.env("GITHUB_HEAD_REF", "feature/x").output().unwrap();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, printed) = check("", &["--parts"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("`https://api.example.com/usrs/` is not in the inventory"), "{printed}");
    assert_eq!(server.requested(), ["GET /feature/x/inventory.txt", "GET /main/inventory.txt"]);
    let (code, printed) = check("default-branch = \"trunk\"\n", &["--parts"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("/trunk/inventory.txt cannot be requested: 404"), "{printed}");
    // Without --parts, nothing is requested.
    let (_, printed) = check("", &[]);
    assert!(printed.contains("is only requested with --parts"), "{printed}");
    assert_eq!(server.requested().len(), 4);
}

/// Runs `check --parts` on a branch. Returns the errors and the requests to the server, whose address
/// replaces `SERVER`.
fn check_on_branch(inventory: &str, branch: &str) -> (String, Vec<String>) {
    let server = Server::start();
    let inventory = inventory.replace("SERVER", &server.address.to_string());
    let part = format!("[[parts]]\nat = \"/x/\"\ninventory = \"{inventory}\"\n");
    let site = LinkedSite::with_links(&["/x/".to_owned()], &part);
    let output = site.command(&["--parts"]).env("GITHUB_HEAD_REF", branch).output().unwrap();
    (text(&output.stderr), server.requested())
}

#[test]
fn the_name_of_a_branch_selects_no_other_file_and_no_host() {
    let inventory = "http://SERVER/ci/{branch}/inventory.txt";
    for (branch, requested) in [
        ("x#y", "GET /ci/x%23y/inventory.txt"),
        ("x?y=%41", "GET /ci/x%3Fy%3D%2541/inventory.txt"),
        ("a/b@c.example", "GET /ci/a/b%40c.example/inventory.txt"),
    ] {
        let (printed, all) = check_on_branch(inventory, branch);
        assert!(all.contains(&requested.to_owned()), "{printed} {all:?}");
    }
}
