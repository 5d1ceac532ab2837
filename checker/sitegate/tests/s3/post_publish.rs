//! Tests the steps after a publish: CloudFront invalidation, verification of the live site, and pending steps.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::faults::fault_rule;
use super::server::{Fault, Server, Settings, When};
use super::site::{Site, expect_without_files, is_version, status, with_second_version};
use crate::outcome::assert_exit;
use crate::serve_process::ServeProcess;

/// Starts a preview server that simulates a live site.
fn serve(site: &Site, export: &str) -> ServeProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.args(["serve", export, "--port", "0", "--stop-after", "60"]).current_dir(site.folder.path());
    ServeProcess::start(command)
}

#[test]
fn verifies_all_files_of_a_live_site() {
    let site = Site::new();
    for config in ["", "[site]\ntrailing-slash = \"never\"\n"] {
        std::fs::write(site.path("sitegate.toml"), config).unwrap();
        site.seal();
        let live = serve(&site, "export");
        assert_exit(&site.command(&["verify", &live.url(), "--seal", "seal.json"]).output().unwrap(), 0, &[]);
    }
    let live = serve(&site, "export");
    std::fs::write(site.path("export/terms/index.html"), "another page").unwrap();
    std::fs::remove_file(site.path("export/404.html")).unwrap();
    std::fs::remove_file(site.path("export/robots.txt")).unwrap();
    let command = ["verify", &live.url(), "--seal", "seal.json", "--format", "json"];
    let output = site.command(&command).output().unwrap();
    assert_exit(&output, 8, &[]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let wrong = found["wrong"].to_string();
    // An unknown path must answer the 404 page.
    for word in ["the content differs from terms/index.html", "returns 404 instead of 200", "sitegate-"] {
        assert!(wrong.contains(word), "`{word}` is not in {wrong}");
    }
}

fn refuse_cloudfront(server: &Server) {
    server.faults(&[fault_rule("POST", "/distribution/", When::From(1), Fault::Slow)]);
}

/// Returns the command line of a command that invalidates at the test server.
fn command(site: &Site, server: &Server, command: &str, more: &[&str]) -> Command {
    let mut command = site.on(server, command, more);
    command.env("AWS_ENDPOINT_URL_CLOUDFRONT", server.url());
    command
}

/// Runs a command that must end with a code and print some words.
#[track_caller]
fn expect(site: &Site, server: &Server, name: &str, more: &[&str], code: i32, words: &[&str]) {
    assert_exit(&command(site, server, name, more).output().unwrap(), code, words);
}

/// Returns the number of CloudFront invalidations since the faults were set.
fn invalidation_count(server: &Server) -> usize {
    server.log().iter().filter(|line| line.contains("/invalidation")).count()
}

/// Completes a pending verification of a site on this machine. Anyone who can write to the target can record such a URL, so
/// that only the command line names it.
fn assert_verification_is_named_again(site: &Site, server: &Server, live: &ServeProcess) {
    let words = ["127.0.0.1 is not a public address", "name it by `--verify` again"];
    expect(site, server, "publish", &[], 11, &words);
    expect(site, server, "publish", &["--verify", &live.url()], 0, &["unchanged"]);
}

#[test]
fn pending_steps_are_kept_until_done() {
    let (site, server) = with_second_version(Settings::default());
    let live = serve(&site, "export");
    refuse_cloudfront(&server);
    let asked = ["--invalidate", "E2EXAMPLE", "--verify", &live.url()];
    let distribution = "CloudFront distribution E2EXAMPLE";
    expect(&site, &server, "publish", &asked, 8, &[distribution, "run the same"]);
    is_version(&server.objects(), "two").unwrap();
    // A retry keeps pending steps, with the options or without.
    expect(&site, &server, "publish", &asked, 8, &[distribution]);
    let words = ["steps of an earlier publish", "--drop-pending", "E2EXAMPLE"];
    expect(&site, &server, "publish", &[], 8, &words);
    let state = status(&server);
    assert_eq!(state["pending"]["invalidate"], "E2EXAMPLE");
    assert_eq!((&state["pending"]["verify"]["url"], &state["held"]), (&live.url().into(), &Value::Null));
    let words = ["invalidate CloudFront distribution E2EXAMPLE", &live.url()];
    expect_without_files(&server, "status", &[], 0, &words);
    server.faults(&[]);
    expect(&site, &server, "gc", &[], 0, &[]);
    assert_verification_is_named_again(&site, &server, &live);
    assert_eq!(invalidation_count(&server), 1);
    assert_eq!(status(&server)["pending"], Value::Null);
    // The completed step is not repeated.
    server.faults(&[]);
    expect(&site, &server, "publish", &["--invalidate", "E2EXAMPLE"], 0, &["unchanged"]);
    assert_eq!(invalidation_count(&server), 0);
}

#[test]
fn pending_steps_move_to_the_next_release_or_are_dropped() {
    let (site, server) = with_second_version(Settings::default());
    refuse_cloudfront(&server);
    expect(&site, &server, "publish", &["--invalidate", "E2EXAMPLE"], 8, &[]);
    site.version("three");
    server.faults(&[]);
    expect(&site, &server, "publish", &[], 0, &["published"]);
    assert_eq!((invalidation_count(&server), &status(&server)["pending"]), (1, &Value::Null));
    site.version("four");
    refuse_cloudfront(&server);
    expect(&site, &server, "publish", &["--invalidate", "E2EXAMPLE"], 8, &[]);
    expect(&site, &server, "publish", &["--drop-pending"], 0, &["unchanged"]);
    assert_eq!(status(&server)["pending"], Value::Null);
    assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
}

#[test]
fn rollback_without_invalidation_goes_back_no_further() {
    let (site, server) = with_second_version(Settings::default());
    for version in ["two", "three"] {
        site.version(version);
        site.published(&server, &[]);
    }
    refuse_cloudfront(&server);
    expect(&site, &server, "rollback", &["--invalidate", "E2EXAMPLE"], 8, &["is live again"]);
    is_version(&server.objects(), "two").unwrap();
    server.faults(&[]);
    expect(&site, &server, "rollback", &["--invalidate", "E2EXAMPLE"], 0, &["--to", "unchanged"]);
    is_version(&server.objects(), "two").unwrap();
    assert_eq!(invalidation_count(&server), 1);
    expect(&site, &server, "rollback", &[], 0, &["rolled back"]);
    is_version(&server.objects(), "one").unwrap();
}

#[test]
fn first_release_that_fails_verification_is_reported_as_live() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    std::fs::rename(site.path("export"), site.path("stale")).unwrap();
    let live = serve(&site, "stale");
    site.version("two");
    let asked = ["--verify", &live.url(), "--rollback"];
    for _ in 0..2 {
        let differs = "the content differs from index.html";
        let words = ["differ from the seal", "is still live", "first release", differs];
        expect(&site, &server, "publish", &asked, 10, &words);
        is_version(&server.objects(), "two").unwrap();
    }
    let same = serve(&site, "export");
    expect(&site, &server, "publish", &["--verify", &same.url()], 0, &["unchanged"]);
    // A verified release is not rolled back because of a later failure.
    expect(&site, &server, "publish", &asked, 8, &["differ from the seal"]);
    assert_eq!(status(&server)["pending"], Value::Null);
}

/// After a rollback without invalidation, the invalidation stays pending, and no further rollback happens.
#[test]
fn rollback_after_verification_invalidates_later() {
    let (site, server) = with_second_version(Settings::default());
    std::fs::rename(site.path("export"), site.path("stale")).unwrap();
    let live = serve(&site, "stale");
    site.version("three");
    server.faults(&[fault_rule("POST", "/distribution/", When::From(2), Fault::Slow)]);
    let asked = ["--invalidate", "E2EXAMPLE", "--verify", &live.url(), "--rollback"];
    let words = ["differ from the seal", "is live again", "E2EXAMPLE"];
    expect(&site, &server, "publish", &asked, 9, &words);
    is_version(&server.objects(), "one").unwrap();
    let pending = status(&server)["pending"].clone();
    assert_eq!((&pending["invalidate"], &pending["verify"]), (&"E2EXAMPLE".into(), &Value::Null));
    server.faults(&[]);
    expect(&site, &server, "rollback", &[], 0, &["unchanged"]);
    is_version(&server.objects(), "one").unwrap();
    assert_eq!((invalidation_count(&server), &status(&server)["pending"]), (1, &Value::Null));
}

#[test]
fn rejects_impossible_post_publish_steps_at_the_start() {
    let (site, server) = with_second_version(Settings::default());
    for more in [["--verify", "www.example.com"], ["--invalidate", "E1/x"]] {
        expect(&site, &server, "publish", &more, 2, &[]);
        is_version(&server.objects(), "one").unwrap();
    }
}

#[test]
fn next_publisher_resumes_an_interrupted_verification() {
    let (site, server) = with_second_version(Settings::default());
    let live = serve(&site, "export");
    server.faults(&[fault_rule("POST", "/distribution/", When::At(1), Fault::KillAfter)]);
    let asked = ["--invalidate", "E2EXAMPLE", "--verify", &live.url()];
    let mut publish = command(&site, &server, "publish", &asked);
    let mut child = publish.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    server.victim(child.id());
    assert_eq!(child.wait().unwrap().code(), None);
    is_version(&server.objects(), "two").unwrap();
    server.faults(&[]);
    let state = status(&server);
    assert_eq!(state["pending"]["invalidate"], "E2EXAMPLE");
    expect(&site, &server, "unlock", &[], 0, &[]);
    assert_eq!(status(&server)["pending"], state["pending"]);
    is_version(&server.objects(), "two").unwrap();
    assert_verification_is_named_again(&site, &server, &live);
    assert_eq!((invalidation_count(&server), &status(&server)["pending"]), (1, &Value::Null));
}
