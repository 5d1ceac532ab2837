//! What follows a publish: the way back, the state, clearing away, looking at the live site.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::server::{Fault, Rule, Server, Settings, When};
use crate::site::{Site, is_version, said, sound, visible};

/// Runs a command on the server from a folder in which there is nothing.
fn away(server: &Server, command: &str, more: &[&str]) -> Output {
    let nowhere = Site { folder: tempfile::tempdir().unwrap() };
    nowhere.on(server, command, more).output().unwrap()
}

fn document(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", said(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn status(server: &Server) -> Value {
    document(&away(server, "status", &["--format", "json"]))
}

/// Three releases: one, two, three.
fn three() -> (Site, Server) {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    for version in ["two", "three"] {
        site.version(version);
        site.published(&server, &[]);
    }
    (site, server)
}

#[test]
fn a_release_is_taken_back_without_local_files() {
    let (_site, server) = three();
    server.watch(Box::new(|objects| sound(objects, &["one", "two", "three"])));
    let output = away(&server, "rollback", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    is_version(&server.objects(), "two").unwrap();
    assert_eq!(server.wrong(), Vec::<String>::new());
    let first = status(&server)["releases"][3]["release"].as_str().unwrap().to_owned();
    let output = away(&server, "rollback", &["--to", &first]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    is_version(&server.objects(), "one").unwrap();
    let headers = server.objects()["terms"].headers.clone();
    assert_eq!(headers["content-type"], "text/html; charset=utf-8");
}

#[test]
fn a_rollback_can_be_rehearsed_and_undone() {
    let (_site, server) = three();
    let before = server.objects();
    let output = away(&server, "rollback", &["--dry-run", "--format", "json"]);
    assert_eq!(document(&output)["outcome"], "planned");
    assert_eq!(server.objects(), before);
    assert_eq!(away(&server, "rollback", &[]).status.code(), Some(0));
    assert_eq!(away(&server, "rollback", &[]).status.code(), Some(0));
    is_version(&server.objects(), "three").unwrap();
    assert_eq!(visible(&server.objects()), visible(&before));
}

#[test]
fn a_page_that_vanished_comes_back() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    std::fs::remove_dir_all(site.path("export/blog")).unwrap();
    site.seal();
    site.published(&server, &["--allow-gone"]);
    assert!(!server.objects().contains_key("blog/first"));
    assert_eq!(away(&server, "rollback", &[]).status.code(), Some(0));
    is_version(&server.objects(), "one").unwrap();
}

#[test]
fn a_rollback_killed_at_every_request_is_completed_by_another() {
    let (_site, server) = three();
    server.watch(Box::new(|objects| sound(objects, &["one", "two", "three"])));
    let start = server.objects();
    let mut kills = 0;
    for k in 1.. {
        server.set_objects(start.clone());
        let rule = Rule { method: "*", contains: "", when: When::At(k), fault: Fault::KillAfter };
        server.faults(&[rule]);
        let nowhere = Site { folder: tempfile::tempdir().unwrap() };
        let mut command = nowhere.on(&server, "rollback", &[]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        server.victim(child.id());
        child.wait().unwrap();
        if server.struck() == 0 {
            break;
        }
        kills += 1;
        server.faults(&[]);
        let to = status(&server);
        let to = to["releases"].as_array().unwrap().iter().find(|r| is_two(r)).unwrap()["release"].clone();
        let output = away(&server, "rollback", &["--to", to.as_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{k}: {}", said(&output));
        is_version(&server.objects(), "two").unwrap();
    }
    assert_eq!(server.wrong(), Vec::<String>::new());
    assert!(kills > 15, "{kills} kills");
}

/// Whether a release has the content of version two, which was neither the first nor the last.
fn is_two(release: &Value) -> bool {
    let two = Site::new();
    two.version("two");
    let seal: Value = serde_json::from_slice(&std::fs::read(two.path("seal.json")).unwrap()).unwrap();
    release["tree"] == seal["tree"]
}

#[test]
fn an_interrupted_switch_goes_back_to_where_it_began() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    site.version("two");
    server.faults(&[Rule { method: "PUT", contains: "/terms", when: When::At(1), fault: Fault::KillAfter }]);
    site.start(&server, &[]).wait().unwrap();
    server.faults(&[]);
    assert!(is_version(&server.objects(), "one").is_err());
    let before = status(&server);
    assert_eq!(before["unfinished"].as_array().unwrap().len(), 1);
    let output = away(&server, "rollback", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    is_version(&server.objects(), "one").unwrap();
    assert_eq!(status(&server)["unfinished"], Value::Array(Vec::new()));
}

#[test]
fn the_first_release_has_nothing_before_it() {
    let server = Server::start(Settings::default());
    assert_eq!(away(&server, "rollback", &[]).status.code(), Some(2));
    let site = Site::new();
    site.published(&server, &[]);
    let output = away(&server, "rollback", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("first release"), "{}", said(&output));
    let output = away(&server, "rollback", &["--to", "20000101-000000-00000000"]);
    assert!(said(&output).contains("sitegate status"), "{}", said(&output));
}

#[test]
fn the_state_says_what_is_live_and_who_holds_it() {
    let server = Server::start(Settings::default());
    assert!(said(&away(&server, "status", &[])).contains("nothing was ever published"));
    let (_site, server) = three();
    let state = status(&server);
    assert_eq!((state["releases"].as_array().unwrap().len(), &state["locks"]), (3, &true.into()));
    assert_eq!((&state["held"], &state["releases"][0]["pages"]), (&Value::Null, &4.into()));
    let text = said(&away(&server, "status", &[]));
    assert!(text.contains("live") && text.contains("kept"), "{text}");
}

#[test]
fn a_dead_publisher_elsewhere_is_waited_for_or_unlocked() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    let key = ".sitegate/runs/0000000001.json";
    let text = String::from_utf8(server.objects()[key].body.clone()).unwrap();
    let mut run: Value = serde_json::from_str(&text).unwrap();
    run["stage"] = "publishing".into();
    run["previous"] = Value::Null;
    run["lease"] = 60.into();
    server.change(key, &run.to_string());
    site.version("two");
    let output = site.publish(&server, &[]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(said(&output).contains("sitegate unlock"), "{}", said(&output));
    let output = away(&server, "unlock", &[]);
    assert!(said(&output).contains("freed"), "{}", said(&output));
    assert!(said(&away(&server, "unlock", &[])).contains("nobody holds"));
    site.published(&server, &[]);
    is_version(&server.objects(), "two").unwrap();
    // A lease that ran out needs no unlocking.
    let key = ".sitegate/runs/0000000003.json";
    let mut run: Value = serde_json::from_slice(&server.objects()[key].body).unwrap();
    run["stage"] = "publishing".into();
    run["lease"] = 60.into();
    server.change(key, &run.to_string());
    server.outlast_leases();
    site.version("three");
    site.published(&server, &[]);
    is_version(&server.objects(), "three").unwrap();
}

#[test]
fn clearing_away_keeps_what_the_kept_releases_need() {
    let (site, server) = three();
    for version in ["four", "five"] {
        site.version(version);
        site.published(&server, &[]);
    }
    let site_before = visible(&server.objects());
    let output = away(&server, "gc", &["--keep-releases", "1", "--dry-run"]);
    assert!(said(&output).contains("would clear 3 releases"), "{}", said(&output));
    let output = away(&server, "gc", &["--keep-releases", "1"]);
    assert!(said(&output).contains("cleared 3 releases"), "{}", said(&output));
    assert_eq!(visible(&server.objects()), site_before);
    assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
    assert_eq!(away(&server, "rollback", &[]).status.code(), Some(0));
    is_version(&server.objects(), "four").unwrap();
}

/// A preview that stands in for a live site.
struct Live {
    child: Child,
    url: String,
}

impl Live {
    fn start(site: &Site, export: &str) -> Live {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command.args(["serve", export, "--port", "0", "--for", "60"]).current_dir(site.folder.path());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Live { child, url: url.trim().to_owned() }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_live_site_is_asked_for_everything() {
    let site = Site::new();
    for config in ["", "[site]\ntrailing-slash = \"never\"\n"] {
        std::fs::write(site.path("sitegate.toml"), config).unwrap();
        site.seal();
        let live = Live::start(&site, "export");
        let output = site.command(&["verify", &live.url, "--seal", "seal.json"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{config}: {}", said(&output));
    }
    let live = Live::start(&site, "export");
    std::fs::write(site.path("export/terms/index.html"), "another page").unwrap();
    std::fs::remove_file(site.path("export/404.html")).unwrap();
    std::fs::remove_file(site.path("export/robots.txt")).unwrap();
    let command = ["verify", &live.url, "--seal", "seal.json", "--format", "json"];
    let output = site.command(&command).output().unwrap();
    assert_eq!(output.status.code(), Some(8), "{}", said(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let wrong: Vec<String> =
        found["wrong"].as_array().unwrap().iter().map(|wrong| wrong["message"].to_string()).collect();
    assert!(wrong.iter().any(|message| message.contains("other bytes than terms/index.html")), "{wrong:?}");
    assert!(wrong.iter().any(|message| message.contains("answers 404 instead of 200")), "{wrong:?}");
    assert!(found["wrong"].to_string().contains("sitegate-"), "an unknown path must answer the 404 page");
}

#[test]
fn a_site_that_does_not_show_the_release_is_rolled_back() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    std::fs::rename(site.path("export"), site.path("stale")).unwrap();
    let live = Live::start(&site, "stale");
    site.version("two");
    let output = site.publish(&server, &["--verify", &live.url]);
    assert_eq!(output.status.code(), Some(8), "{}", said(&output));
    is_version(&server.objects(), "two").unwrap();
    site.version("three");
    let output = site.publish(&server, &["--verify", &live.url, "--rollback"]);
    assert_eq!(output.status.code(), Some(9), "{}", said(&output));
    is_version(&server.objects(), "two").unwrap();
    let same = Live::start(&site, "export");
    let output = site.publish(&server, &["--verify", &same.url, "--rollback"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    is_version(&server.objects(), "three").unwrap();
}

#[test]
fn cloudfront_is_told_by_a_signed_request() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    let run = |more: &[&str]| {
        let mut command = site.on(&server, "publish", more);
        command.env("AWS_ENDPOINT_URL_CLOUDFRONT", server.url()).output().unwrap()
    };
    let output = run(&["--invalidate", "E2EXAMPLE"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let told =
        server.log().iter().filter(|line| line.contains("/distribution/E2EXAMPLE/invalidation")).count();
    assert_eq!(told, 1);
    site.version("two");
    server.faults(&[Rule {
        method: "POST",
        contains: "/distribution/",
        when: When::From(1),
        fault: Fault::Slow,
    }]);
    let output = run(&["--invalidate", "E2EXAMPLE"]);
    assert_eq!(output.status.code(), Some(8), "{}", said(&output));
    assert!(said(&output).contains("CloudFront distribution E2EXAMPLE"), "{}", said(&output));
}
