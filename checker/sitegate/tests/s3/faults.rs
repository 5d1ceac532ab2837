//! Tests failures that only real processes and requests have: SIGKILL, SIGTERM, retries, timeouts and lost answers. The
//! simulation of publishing tests the algorithm.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::server::{Conditions, Fault, Rule, Server, Settings, When};
use super::site::{Site, assert_sound, is_version, public_objects, with_second_version};
use crate::concurrent::for_each_case;
use crate::outcome::{all_output, assert_exit};
use crate::sample;

pub fn fault_rule(method: &'static str, contains: &'static str, when: When, fault: Fault) -> Rule {
    Rule { method, contains, when, fault }
}

/// Publishes a site once, prepares its second version, and checks invariants at every write.
fn watched(settings: Settings) -> (Site, Server) {
    let (site, server) = with_second_version(settings);
    server.watch(Box::new(|objects| assert_sound(objects, &["one", "two"])));
    (site, server)
}

/// Kills a publish before and after the server executes each request of a sample. Then a second run must complete it.
#[test]
fn survives_a_kill_at_every_request() {
    let (site, server) = watched(Settings::default());
    let start = server.objects();
    let mut requests = 0;
    for fault in [Fault::KillBefore, Fault::KillAfter] {
        for k in sample::positions() {
            server.set_objects(start.clone());
            server.faults(&[fault_rule("*", "", When::At(k), fault)]);
            let code = site.start(&server, &[]).wait().unwrap().code();
            if server.fault_count() == 0 {
                assert_eq!(code, Some(0));
                requests += k - 1;
                break;
            }
            assert_eq!(code, None, "killed at request {k}");
            assert_sound(&server.objects(), &["one", "two"]).unwrap();
            server.faults(&[]);
            let result = site.published(&server, &[]);
            let outcome = result["outcome"].as_str().unwrap();
            is_version(&server.objects(), "two").unwrap_or_else(|wrong| panic!("{k} {outcome}: {wrong}"));
            let again = site.published(&server, &[]);
            assert_eq!(again["outcome"], "unchanged", "after a kill at request {k}");
        }
    }
    assert_eq!(server.violations(), Vec::<String>::new());
    assert!(requests >= 30, "{requests} requests");
}

#[test]
fn flipped_byte_never_goes_live() {
    let (site, server) = watched(Settings::default());
    let start = server.objects();
    for k in 1..8 {
        server.set_objects(start.clone());
        server.faults(&[fault_rule("PUT", "", When::At(k), Fault::Flipped)]);
        let output = site.publish(&server, &[]);
        let code = output.status.code().unwrap();
        assert!(server.fault_count() == 0 || [0, 6, 7].contains(&code), "{}", all_output(&output));
        assert_sound(&server.objects(), &["one", "two"]).unwrap();
        server.faults(&[]);
        site.published(&server, &[]);
        is_version(&server.objects(), "two").unwrap();
    }
    assert_eq!(server.violations(), Vec::<String>::new());
}

/// `--timeout` counts whole seconds, so this test takes one.
#[test]
fn a_request_without_an_answer_ends_with_a_timeout() {
    let (site, server) = watched(Settings::default());
    server.faults(&[fault_rule("PUT", "assets/", When::At(1), Fault::Wait)]);
    let start = Instant::now();
    site.expect(&server, "publish", &["--timeout", "1"], 0, &[]);
    assert!(server.fault_count() == 1 && start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn exit_code_says_whether_pages_changed() {
    let (site, server) = watched(Settings::default());
    let start = server.objects();
    // Not retried, so that the test does not wait.
    let broken = Fault::Answer(405, "MethodNotAllowed");
    server.faults(&[fault_rule("*", "", When::From(1), broken)]);
    site.expect(&server, "publish", &[], 6, &[]);
    assert_eq!(public_objects(&server.objects()), public_objects(&start));
    server.faults(&[fault_rule("PUT", "/terms", When::From(1), broken)]);
    site.expect(&server, "publish", &[], 7, &["cannot write ", "run the same command again"]);
    server.faults(&[]);
    let result = site.published(&server, &[]);
    assert_eq!((&result["resumes"], &result["outcome"]), (&true.into(), &"published".into()));
    is_version(&server.objects(), "two").unwrap();
}

/// Runs many publishers at once: one wins, the others are rejected, and the live files are one release.
pub fn race(publishers: usize, rounds: usize, settings: Settings) -> [usize; 2] {
    let server = Server::start(settings);
    let first = Site::new();
    first.published(&server, &[]);
    server.watch(Box::new(|objects| {
        let versions: Vec<String> =
            std::iter::once("one".to_owned()).chain((0..16).map(|n| format!("v{n}"))).collect();
        assert_sound(objects, &versions.iter().map(String::as_str).collect::<Vec<_>>())
    }));
    let (won, lost) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for round in 0..rounds {
        let sites: Vec<Site> = (0..publishers).map(|_| Site::new()).collect();
        for (number, site) in sites.iter().enumerate() {
            site.version(&format!("v{}", (number + round) % 16));
        }
        std::thread::scope(|scope| {
            for site in &sites {
                scope.spawn(|| {
                    let output = site.publish(&server, &["--overwrite-drift"]);
                    match output.status.code() {
                        Some(0) => won.fetch_add(1, Ordering::Relaxed),
                        Some(5) => lost.fetch_add(1, Ordering::Relaxed),
                        code => panic!("{code:?}: {}", all_output(&output)),
                    };
                });
            }
        });
        let objects = server.objects();
        let whole = (0..16).any(|number| is_version(&objects, &format!("v{number}")).is_ok());
        assert!(whole, "round {round}: the live files are not one release");
    }
    assert_eq!(server.violations(), Vec::<String>::new());
    [won, lost].map(AtomicUsize::into_inner)
}

#[test]
fn one_of_two_concurrent_publishers_wins() {
    for conditions in [Conditions::Honoured, Conditions::Bare] {
        let [won, lost] = race(2, 3, Settings { conditions, ..Settings::default() });
        assert_eq!(won + lost, 6, "{won} won, {lost} were rejected");
        assert!(won >= 3);
    }
}

/// Injects faults into the requests of a publish, one at a time. All publishes must succeed.
fn assert_survives_each_fault(faults: &[Fault], settings: Settings) {
    let fixture = || {
        let (site, server) = watched(settings);
        let start = server.objects();
        (site, server, start)
    };
    let (site, server, _) = fixture();
    server.faults(&[]);
    site.published(&server, &[]);
    let requests = server.log().len();
    assert!(requests >= 12, "{requests} requests");
    let positions = || sample::positions().take_while(|k| *k <= requests);
    let cases: Vec<_> = faults.iter().flat_map(|&fault| positions().map(move |k| (fault, k))).collect();
    for_each_case(&cases, fixture, |(site, server, start), &(fault, k)| {
        server.set_objects(start.clone());
        server.faults(&[fault_rule("*", "", When::At(k), fault)]);
        let output = site.publish(server, &[]);
        let asked = server.log()[k - 1].clone();
        assert_eq!(output.status.code(), Some(0), "{fault:?} at {k}, {asked}: {}", all_output(&output));
        assert_eq!(server.fault_count(), 1, "{fault:?} at {k}, {asked}");
        let wrong = is_version(&server.objects(), "two");
        wrong.unwrap_or_else(|wrong| panic!("{fault:?} at {k}, {asked}: {wrong}"));
        server.faults(&[]);
        assert_eq!(site.published(server, &[])["outcome"], "unchanged", "{fault:?} at {k}, {asked}");
        assert_eq!(server.violations(), Vec::<String>::new());
    });
}

#[test]
fn survives_each_fault_at_any_request() {
    let throttled = Fault::Answer(429, "TooManyRequests");
    let faults = [Fault::Reset, Fault::Lost, Fault::Cut, Fault::Broken, Fault::Slow, throttled];
    assert_survives_each_fault(&faults, Settings::default());
    for settings in [
        Settings { opaque: true, ..Settings::default() },
        Settings { conditions: Conditions::Bare, ..Settings::default() },
    ] {
        assert_survives_each_fault(&[Fault::Reset, Fault::Lost], settings);
    }
}

/// Only headers change, so reading the content back does not show whether a write was executed.
#[test]
fn survives_a_reset_when_only_headers_change() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    let headers = "[[headers]]\npaths = [\"/terms/**\"]\nset = { Cache-Control = \"max-age=60\" }\n";
    std::fs::write(site.path("sitegate.toml"), headers).unwrap();
    site.seal();
    let start = server.objects();
    for fault in [Fault::Reset, Fault::Lost, Fault::Broken] {
        for k in sample::positions() {
            server.set_objects(start.clone());
            server.faults(&[fault_rule("PUT", "", When::At(k), fault)]);
            let output = site.publish(&server, &[]);
            assert_eq!(output.status.code(), Some(0), "{fault:?} at {k}: {}", all_output(&output));
            for key in ["terms", "terms/index.html"] {
                assert_eq!(server.objects()[key].headers["cache-control"], "max-age=60", "{fault:?} at {k}");
            }
            if server.fault_count() == 0 {
                break;
            }
        }
    }
}

fn signal(child: &std::process::Child, name: &str) {
    std::process::Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
}

/// Ctrl-C and SIGTERM release the target, so that the next publisher need not wait.
#[test]
fn stopped_publisher_releases_the_target() {
    let cases = [
        ("-INT", "assets/", 130, "nothing visible was changed"),
        ("-TERM", "/terms", 143, "run the same command again to complete the switch"),
    ];
    for (name, at, code, word) in cases {
        let (site, server) = watched(Settings::default());
        server.faults(&[fault_rule("PUT", at, When::At(1), Fault::Wait)]);
        let child = site.on(&server, "publish", &[]).stderr(std::process::Stdio::piped()).spawn().unwrap();
        server.wait_for_fault();
        signal(&child, name);
        server.go_on();
        assert_exit(&child.wait_with_output().unwrap(), code, &[word]);
        assert_eq!(is_version(&server.objects(), "one").is_ok(), code == 130);
        site.published(&server, &[]);
        is_version(&server.objects(), "two").unwrap();
        assert_eq!(server.violations(), Vec::<String>::new());
    }
}
