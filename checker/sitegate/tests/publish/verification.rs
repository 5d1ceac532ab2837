//! Tests `publish --verify` behind an edge: a server that changes answers, or gives none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use super::site::Site;
use crate::folders::{git, stdout};
use crate::outcome::{all_output, assert_exit};
use crate::site_server::{Reply, Server, start};

/// Changes a body, by the path of its request.
type Rewrite = fn(&str, String) -> String;

/// A server in front of a published folder, which changes answers.
struct EdgeServer {
    url: String,
    rewrite: Arc<Mutex<Rewrite>>,
    server: Option<Server>,
}

impl EdgeServer {
    fn start(site: &Site, rewrite: Rewrite) -> EdgeServer {
        let (root, rewrite) = (site.path("public"), Arc::new(Mutex::new(rewrite)));
        let current = Arc::clone(&rewrite);
        let server = start(move |path| answer(path, &root, *current.lock().unwrap()));
        EdgeServer { url: server.url("/"), rewrite, server: Some(server) }
    }

    fn set(&self, rewrite: Rewrite) {
        *self.rewrite.lock().unwrap() = rewrite;
    }

    /// Stops the server, so that its port refuses connections.
    fn close(&mut self) {
        self.server = None;
    }
}

fn answer(path: &str, root: &Path, rewrite: Rewrite) -> Reply {
    let file: PathBuf = match path {
        path if path.ends_with('/') => root.join(&path[1..]).join("index.html"),
        path => root.join(&path[1..]),
    };
    let media_type = match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        _ => "text/plain",
    };
    let answer = |status, media_type: &str, body: String| {
        Reply::Answer(status, vec![("content-type", media_type.to_owned())], body.into_bytes())
    };
    match fs::read_to_string(&file) {
        Ok(body) => answer(200, media_type, rewrite(path, body)),
        Err(_) if file.is_dir() => Reply::to(302, &format!("{path}/")),
        Err(_) => answer(404, "text/html", String::new()),
    }
}

fn untouched(_: &str, body: String) -> String {
    body
}

/// Adds lines to robots.txt, as Cloudflare does.
fn managed_robots(path: &str, body: String) -> String {
    if path == "/robots.txt" { format!("# managed\nUser-agent: GPTBot\nDisallow: /\n\n{body}") } else { body }
}

/// A site with one release, its second version, and a server.
fn site_with_edge(rewrite: Rewrite) -> (Site, EdgeServer) {
    let site = Site::published();
    let edge = EdgeServer::start(&site, rewrite);
    edit(&site, "second");
    (site, edge)
}

fn edit(site: &Site, version: &str) {
    site.write("about/index.html", &format!("<!doctype html><title>About</title><p>{version}"));
    site.check();
}

#[test]
fn a_good_release_stays_behind_an_edge_that_rewrites_robots() {
    let (site, edge) = site_with_edge(managed_robots);
    let verify = ["--verify", edge.url.as_str(), "--rollback"];
    let warning = "warning: /robots.txt: the edge adds 4 lines, as before this release";
    site.expect("publish", &verify, 0, &[warning, "published"]);
    assert!(site.live("about/index.html").unwrap().ends_with("second"));
    // Nothing to publish: the edge is known.
    site.expect("publish", &verify, 0, &[warning, "unchanged"]);
    // The file itself changes.
    site.write("robots.txt", "User-agent: *\nDisallow: /drafts/\n");
    edit(&site, "third");
    site.expect("publish", &verify, 0, &[warning, "published"]);
    // A page of this release is broken, too.
    edge.set(|path, body| managed_robots(path, body).replace("fourth", "third"));
    edit(&site, "fourth");
    let words = ["/about/  the content differs from about/index.html", "is live again"];
    let failed = site.expect("publish", &verify, 9, &words);
    assert!(!failed.contains("robots.txt  "), "{failed}");
    assert!(site.live("about/index.html").unwrap().ends_with("third"));
    // `verify` alone does not know the edge.
    edge.set(managed_robots);
    edit(&site, "third");
    let alone = site.run(&["verify", &edge.url, "--seal", "seal.json"]);
    assert_exit(&alone, 8, &["robots.txt: 4 lines added", "a CDN or proxy may change them"]);
}

#[test]
fn a_receipt_names_the_commit_and_what_the_edge_adds() {
    let (site, edge) = site_with_edge(managed_robots);
    let folder = site.folder.path();
    site.place("source.md", "one");
    for args in [&["init", "--quiet"][..], &["add", "source.md"], &["commit", "--quiet", "--message", "a"]] {
        git(folder, args);
    }
    let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(folder).output().unwrap();
    let commit = stdout(&head).trim().to_owned();
    edit(&site, "third");
    site.publish_ok(&[]);
    let verify = ["verify", &edge.url, "--seal", "seal.json", "--accept-additions"];
    let receipt = format!(
        "the served bytes are those of commit {commit}, except what the edge changes:\n  /robots.txt: the edge adds 4 lines\n"
    );
    assert_exit(&site.run(&verify), 0, &[&receipt]);
    let json = site.run(&[&verify[..], &["--format", "json"]].concat());
    let id = format!("\"id\": \"{commit}\"");
    assert_exit(&json, 0, &[&id, "\"the edge adds 4 lines\": [\n      \"/robots.txt\""]);
    // Any other difference fails.
    edge.set(|path, body| managed_robots(path, body).replace("third", "fourth"));
    assert_exit(&site.run(&verify), 8, &["/about/  the content differs"]);
    edge.set(managed_robots);
    site.place("source.md", "two");
    site.check();
    assert_exit(&site.run(&verify), 0, &[&format!("of commit {commit}, with uncommitted changes")]);
}

#[test]
fn a_seal_names_no_commit_if_nothing_says_it() {
    let site = Site::new();
    let check = |variable: Option<&str>| {
        let mut command = site.command(&["check", "export", "--seal", "seal.json"]);
        command.env_clear();
        variable.map(|id| command.env("CI_COMMIT_SHA", id));
        assert!(command.output().unwrap().status.success());
        fs::read_to_string(site.path("seal.json")).unwrap()
    };
    let without = check(None);
    assert!(!without.contains("\"commit\""));
    assert_eq!(check(None), without, "seals are reproducible");
    assert_eq!(check(Some("main\u{1b}")), without, "this is no commit");
    let id = "0123456789abcdef0123456789abcdef01234567";
    assert!(check(Some(id)).contains(id));
}

#[test]
fn a_site_that_refuses_connections_is_not_rolled_back() {
    let (site, mut edge) = site_with_edge(untouched);
    edge.close();
    let verify = ["--verify", edge.url.as_str(), "--rollback"];
    let reason = "could not be verified: it refuses connections";
    site.expect("publish", &verify, 11, &[reason, "the release is live"]);
    assert!(site.live("about/index.html").unwrap().ends_with("second"));
    let words =
        ["to do        verify http://127.0.0.1", "\n               could not be verified: it refuses"];
    let shown = site.expect("status", &[], 0, &words);
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    // Only if the user wants it.
    edit(&site, "third");
    let options = [&verify[..], &["--rollback-unverified"]].concat();
    site.expect("publish", &options, 9, &[reason, "is live again"]);
    assert!(site.live("about/index.html").unwrap().ends_with("second"));
    site.expect("status", &[], 0, &["rolled back just now: the live site could not be verified"]);
    let alone = site.run(&["verify", &edge.url, "--seal", "seal.json", "--format", "json"]);
    assert_exit(&alone, 11, &["\"result\": \"unverifiable\"", "\"verified\": false"]);
}

#[test]
fn another_run_knows_the_edge_of_an_unfinished_verification() {
    let (site, edge) = site_with_edge(managed_robots);
    edge.set(|path, body| managed_robots(path, body).replace("second", "first"));
    let verify = ["--verify", edge.url.as_str()];
    site.expect("publish", &verify, 8, &["1 response differs from the seal", "about/index.html"]);
    edge.set(managed_robots);
    let warning = "warning: /robots.txt: the edge adds 4 lines";
    site.expect("publish", &[&verify[..], &["--rollback"]].concat(), 0, &[warning, "unchanged"]);
    assert!(site.live("about/index.html").unwrap().ends_with("second"));
}

#[test]
fn the_last_line_says_what_visitors_have() {
    let site = Site::new();
    let last_line =
        |output: &Output| String::from_utf8_lossy(&output.stderr).lines().last().unwrap().to_owned();
    let without_seal = site.publish(&[]);
    assert_exit(&without_seal, 2, &["there is no seal"]);
    assert_eq!(last_line(&without_seal), "nothing was published; ./public has no release yet");
    site.check();
    site.publish_ok(&[]);
    site.write("robots.txt", "changed after the check");
    let refused = last_line(&site.publish(&[]));
    assert!(refused.starts_with("nothing was published; ./public still has the release of "), "{refused}");
    assert!(refused.ends_with(" UTC") && refused.chars().count() <= 80, "{refused}");
    fs::remove_file(site.path("export/terms/index.html")).unwrap();
    site.write("index.html", "<!doctype html><title>Home</title>");
    site.check();
    let guarded = site.publish(&[]);
    assert_exit(&guarded, 4, &["pages of the live release would disappear"]);
    assert_eq!(last_line(&guarded), refused);
    let planned = all_output(&site.publish(&["--dry-run"]));
    assert!(!planned.contains("nothing was published"), "{planned}");
}

/// Files are deleted after a verification, so a release that deletes one and fails is not complete when it is repeated.
#[test]
fn a_repeated_publish_verifies_the_same_release() {
    let site = Site::new();
    site.write("notes.txt", "old");
    site.check();
    site.publish_ok(&[]);
    let edge = EdgeServer::start(&site, |_, body| body.replace("second", "broken"));
    fs::remove_file(site.path("export/notes.txt")).unwrap();
    edit(&site, "second");
    let verify = ["--verify", edge.url.as_str()];
    let difference = "/about/  the content differs from about/index.html";
    let live = |word: &str| assert!(site.live("about/index.html").unwrap().ends_with(word));
    for _ in 0..3 {
        let failed = site.expect("publish", &verify, 8, &[difference, "sitegate rollback file://"]);
        assert!(!failed.contains("this release did not change"), "{failed}");
    }
    assert_eq!(site.count_in("releases"), 2, "two versions, two releases");
    // The first comparison is still known, so the release is the cause.
    site.expect("publish", &[&verify[..], &["--rollback"]].concat(), 9, &[difference, "is live again"]);
    live("About</title>");
    // Without --rollback, a plain rollback restores the same.
    for _ in 0..2 {
        site.expect("publish", &verify, 8, &[difference]);
    }
    site.expect("rollback", &[], 0, &["rolled back"]);
    live("About</title>");
    assert_eq!(site.live("notes.txt").as_deref(), Some("old"));
    // After the server is fixed, the repeated command completes the release.
    site.expect("publish", &verify, 8, &[difference]);
    edge.set(untouched);
    site.expect("publish", &verify, 0, &["deleted", "notes.txt", "unchanged"]);
    assert_eq!(site.live("notes.txt"), None);
    assert!(site.expect("publish", &verify, 0, &[]).starts_with("unchanged"));
}
