//! Tests the steps after a publish: CloudFront invalidation, verification of the live site, and pending steps.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::releases::{run_without_files, status};
use super::server::{Fault, Rule, Server, Settings, When};
use super::site::{Site, is_version};
use crate::outcome::{all_output, assert_exit};
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
        let output = site.command(&["verify", &live.url(), "--seal", "seal.json"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{config}: {}", all_output(&output));
    }
    let live = serve(&site, "export");
    std::fs::write(site.path("export/terms/index.html"), "another page").unwrap();
    std::fs::remove_file(site.path("export/404.html")).unwrap();
    std::fs::remove_file(site.path("export/robots.txt")).unwrap();
    let command = ["verify", &live.url(), "--seal", "seal.json", "--format", "json"];
    let output = site.command(&command).output().unwrap();
    assert_exit(&output, 8, &[]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let wrong: Vec<String> =
        found["wrong"].as_array().unwrap().iter().map(|wrong| wrong["message"].to_string()).collect();
    assert!(
        wrong.iter().any(|message| message.contains("the content differs from terms/index.html")),
        "{wrong:?}"
    );
    assert!(wrong.iter().any(|message| message.contains("returns 404 instead of 200")), "{wrong:?}");
    assert!(found["wrong"].to_string().contains("sitegate-"), "an unknown path must answer the 404 page");
}

#[test]
fn invalidates_cloudfront_with_a_signed_request() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    let run = |more: &[&str]| {
        let mut command = site.on(&server, "publish", more);
        command.env("AWS_ENDPOINT_URL_CLOUDFRONT", server.url()).output().unwrap()
    };
    assert_exit(&run(&["--invalidate", "E2EXAMPLE"]), 0, &[]);
    let printed =
        server.log().iter().filter(|line| line.contains("/distribution/E2EXAMPLE/invalidation")).count();
    assert_eq!(printed, 1);
}

/// Publishes a site once, and prepares its second version.
fn site_with_second_version() -> (Site, Server) {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    site.version("two");
    (site, server)
}

fn refuse_cloudfront(server: &Server) {
    let (when, fault) = (When::From(1), Fault::Slow);
    server.faults(&[Rule { method: "POST", contains: "/distribution/", when, fault }]);
}

fn run(site: &Site, server: &Server, command: &str, more: &[&str]) -> Output {
    let mut command = site.on(server, command, more);
    command.env("AWS_ENDPOINT_URL_CLOUDFRONT", server.url()).output().unwrap()
}

/// Returns the number of CloudFront invalidations since the faults were set.
fn invalidation_count(server: &Server) -> usize {
    server.log().iter().filter(|line| line.contains("/invalidation")).count()
}

/// Completes a pending verification of a site on this machine. Anyone who can write to the target can record such a URL, so
/// that only the command line names it.
fn assert_verification_is_named_again(site: &Site, server: &Server, live: &ServeProcess) {
    let refused = run(site, server, "publish", &[]);
    assert_exit(&refused, 11, &["127.0.0.1 is not a public address", "name it by `--verify` again"]);
    assert_exit(&run(site, server, "publish", &["--verify", &live.url()]), 0, &["unchanged"]);
}

#[test]
fn pending_steps_are_kept_until_done() {
    let (site, server) = site_with_second_version();
    let live = serve(&site, "export");
    refuse_cloudfront(&server);
    let asked = ["--invalidate", "E2EXAMPLE", "--verify", &live.url()];
    assert_exit(
        &run(&site, &server, "publish", &asked),
        8,
        &["CloudFront distribution E2EXAMPLE", "run the same"],
    );
    is_version(&server.objects(), "two").unwrap();
    // A retry keeps pending steps, with the options or without.
    assert_exit(&run(&site, &server, "publish", &asked), 8, &["CloudFront distribution E2EXAMPLE"]);
    assert_exit(
        &run(&site, &server, "publish", &[]),
        8,
        &["steps of an earlier publish", "--drop-pending", "E2EXAMPLE"],
    );
    let state = status(&server);
    assert_eq!(state["pending"]["invalidate"], "E2EXAMPLE");
    assert_eq!((&state["pending"]["verify"]["url"], &state["held"]), (&live.url().into(), &Value::Null));
    let text = all_output(&run_without_files(&server, "status", &[]));
    assert!(
        text.contains("invalidate CloudFront distribution E2EXAMPLE") && text.contains(&live.url()),
        "{text}"
    );
    server.faults(&[]);
    assert_exit(&run(&site, &server, "gc", &[]), 0, &[]);
    assert_verification_is_named_again(&site, &server, &live);
    assert_eq!(invalidation_count(&server), 1);
    assert_eq!(status(&server)["pending"], Value::Null);
    // The completed step is not repeated.
    server.faults(&[]);
    assert_exit(&run(&site, &server, "publish", &["--invalidate", "E2EXAMPLE"]), 0, &["unchanged"]);
    assert_eq!(invalidation_count(&server), 0);
}

#[test]
fn pending_steps_move_to_the_next_release_or_are_dropped() {
    let (site, server) = site_with_second_version();
    refuse_cloudfront(&server);
    assert_exit(&run(&site, &server, "publish", &["--invalidate", "E2EXAMPLE"]), 8, &[]);
    site.version("three");
    server.faults(&[]);
    assert_exit(&run(&site, &server, "publish", &[]), 0, &["published"]);
    assert_eq!((invalidation_count(&server), &status(&server)["pending"]), (1, &Value::Null));
    site.version("four");
    refuse_cloudfront(&server);
    assert_exit(&run(&site, &server, "publish", &["--invalidate", "E2EXAMPLE"]), 8, &[]);
    assert_exit(&run(&site, &server, "publish", &["--drop-pending"]), 0, &["unchanged"]);
    assert_eq!(status(&server)["pending"], Value::Null);
    assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
}

#[test]
fn rollback_without_invalidation_goes_back_no_further() {
    let (site, server) = site_with_second_version();
    for version in ["two", "three"] {
        site.version(version);
        site.published(&server, &[]);
    }
    refuse_cloudfront(&server);
    assert_exit(&run(&site, &server, "rollback", &["--invalidate", "E2EXAMPLE"]), 8, &["is live again"]);
    is_version(&server.objects(), "two").unwrap();
    server.faults(&[]);
    assert_exit(&run(&site, &server, "rollback", &["--invalidate", "E2EXAMPLE"]), 0, &["--to", "unchanged"]);
    is_version(&server.objects(), "two").unwrap();
    assert_eq!(invalidation_count(&server), 1);
    assert_exit(&run(&site, &server, "rollback", &[]), 0, &["rolled back"]);
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
        let output = run(&site, &server, "publish", &asked);
        assert_exit(
            &output,
            10,
            &[
                "differ from the seal",
                "is still live",
                "first release",
                "the content differs from index.html",
            ],
        );
        is_version(&server.objects(), "two").unwrap();
    }
    let same = serve(&site, "export");
    assert_exit(&run(&site, &server, "publish", &["--verify", &same.url()]), 0, &["unchanged"]);
    // A verified release is not rolled back because of a later failure.
    assert_exit(&run(&site, &server, "publish", &asked), 8, &["differ from the seal"]);
    assert_eq!(status(&server)["pending"], Value::Null);
}

/// After a rollback without invalidation, the invalidation stays pending, and no further rollback happens.
#[test]
fn rollback_after_verification_invalidates_later() {
    let (site, server) = site_with_second_version();
    std::fs::rename(site.path("export"), site.path("stale")).unwrap();
    let live = serve(&site, "stale");
    site.version("three");
    let rule = Rule { method: "POST", contains: "/distribution/", when: When::From(2), fault: Fault::Slow };
    server.faults(&[rule]);
    let asked = ["--invalidate", "E2EXAMPLE", "--verify", &live.url(), "--rollback"];
    assert_exit(
        &run(&site, &server, "publish", &asked),
        9,
        &["differ from the seal", "is live again", "E2EXAMPLE"],
    );
    is_version(&server.objects(), "one").unwrap();
    let pending = status(&server)["pending"].clone();
    assert_eq!((&pending["invalidate"], &pending["verify"]), (&"E2EXAMPLE".into(), &Value::Null));
    server.faults(&[]);
    assert_exit(&run(&site, &server, "rollback", &[]), 0, &["unchanged"]);
    is_version(&server.objects(), "one").unwrap();
    assert_eq!((invalidation_count(&server), &status(&server)["pending"]), (1, &Value::Null));
}

#[test]
fn rejects_impossible_post_publish_steps_at_the_start() {
    let (site, server) = site_with_second_version();
    for more in [["--verify", "www.example.com"], ["--invalidate", "E1/x"]] {
        assert_exit(&run(&site, &server, "publish", &more), 2, &[]);
        is_version(&server.objects(), "one").unwrap();
    }
}

#[test]
fn next_publisher_resumes_an_interrupted_verification() {
    let (site, server) = site_with_second_version();
    let live = serve(&site, "export");
    server.faults(&[Rule {
        method: "POST",
        contains: "/distribution/",
        when: When::At(1),
        fault: Fault::KillAfter,
    }]);
    let mut command = site.on(&server, "publish", &["--invalidate", "E2EXAMPLE", "--verify", &live.url()]);
    command.env("AWS_ENDPOINT_URL_CLOUDFRONT", server.url());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    server.victim(child.id());
    assert_eq!(child.wait().unwrap().code(), None);
    is_version(&server.objects(), "two").unwrap();
    server.faults(&[]);
    let state = status(&server);
    assert_eq!(state["pending"]["invalidate"], "E2EXAMPLE");
    assert_eq!(run(&site, &server, "unlock", &[]).status.code(), Some(0));
    assert_eq!(status(&server)["pending"], state["pending"]);
    is_version(&server.objects(), "two").unwrap();
    assert_verification_is_named_again(&site, &server, &live);
    assert_eq!((invalidation_count(&server), &status(&server)["pending"]), (1, &Value::Null));
}
