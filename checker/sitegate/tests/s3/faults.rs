//! Tests the failure matrix: what visitors see at each moment, and that a second run completes the switch.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::positions::at_each_position;
use super::server::{Conditions, Fault, Rule, Server, Settings, When};
use super::site::{Site, is_version, said, sound, visible};
use crate::sample;

pub fn rule(method: &'static str, contains: &'static str, when: When, fault: Fault) -> Rule {
    Rule { method, contains, when, fault }
}

/// A published site, ready for its second version, and checked at every write.
pub fn ready(settings: Settings) -> (Site, Server) {
    let (site, server) = (Site::new(), Server::start(settings));
    site.published(&server, &[]);
    site.version("two");
    server.watch(Box::new(|objects| sound(objects, &["one", "two"])));
    (site, server)
}

/// Kills a publish at every request in turn, before and after the server has executed it. A second run must
/// complete it.
fn kill_at_every_request(settings: Settings) -> usize {
    let (site, server) = ready(settings);
    let start = server.objects();
    let mut requests = 0;
    for fault in [Fault::KillBefore, Fault::KillAfter] {
        for k in sample::positions() {
            server.set_objects(start.clone());
            server.faults(&[rule("*", "", When::At(k), fault)]);
            let code = site.start(&server, &[]).wait().unwrap().code();
            if server.struck() == 0 {
                assert_eq!(code, Some(0));
                requests += k - 1;
                break;
            }
            assert_eq!(code, None, "killed at request {k}");
            sound(&server.objects(), &["one", "two"]).unwrap();
            server.faults(&[]);
            let result = site.published(&server, &[]);
            let outcome = result["outcome"].as_str().unwrap();
            is_version(&server.objects(), "two").unwrap_or_else(|wrong| panic!("{k} {outcome}: {wrong}"));
            let again = site.published(&server, &[]);
            assert_eq!(again["outcome"], "unchanged", "after a kill at request {k}");
        }
    }
    assert_eq!(server.wrong(), Vec::<String>::new());
    requests
}

#[test]
fn killed_at_every_request() {
    let requests = kill_at_every_request(Settings::default());
    assert!(requests >= 30, "{requests} requests");
}

#[test]
fn killed_at_every_request_of_the_first_publish() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    server.watch(Box::new(|objects| sound(objects, &["one"])));
    let mut requests = 0;
    for k in sample::positions() {
        server.set_objects(BTreeMap::default());
        server.faults(&[rule("*", "", When::At(k), Fault::KillAfter)]);
        site.start(&server, &[]).wait().unwrap();
        if server.struck() == 0 {
            requests = k - 1;
            break;
        }
        server.faults(&[]);
        site.published(&server, &[]);
        is_version(&server.objects(), "one").unwrap();
    }
    assert_eq!(server.wrong(), Vec::<String>::new());
    assert!(requests >= 20, "{requests} requests");
}

/// After a kill, the old release is published instead of the new one: going back must work as well.
#[test]
fn a_killed_switch_can_be_reverted() {
    let (site, server) = ready(Settings::default());
    let start = server.objects();
    for k in sample::positions() {
        site.version("two");
        server.set_objects(start.clone());
        server.faults(&[rule("PUT", "", When::At(k), Fault::KillAfter)]);
        site.start(&server, &[]).wait().unwrap();
        if server.struck() == 0 {
            break;
        }
        server.faults(&[]);
        site.version("one");
        site.published(&server, &[]);
        is_version(&server.objects(), "one").unwrap();
    }
    assert_eq!(server.wrong(), Vec::<String>::new());
}

#[test]
fn survives_transient_faults() {
    for fault in [Fault::Slow, Fault::Broken, Fault::Reset, Fault::Lost, Fault::Cut] {
        let (site, server) = ready(Settings::default());
        server.faults(&[rule("*", "", When::Every(7), fault)]);
        let output = site.publish(&server, &[]);
        // A conditional write is not repeated blindly. The run stops, and the next one completes it.
        let code = output.status.code().unwrap();
        assert!([0, 6, 7].contains(&code), "{fault:?}: {}", said(&output));
        assert!(server.struck() > 0);
        server.faults(&[]);
        site.published(&server, &[]);
        is_version(&server.objects(), "two").unwrap_or_else(|wrong| panic!("{fault:?}: {wrong}"));
        assert_eq!(server.wrong(), Vec::<String>::new(), "{fault:?}");
    }
}

/// The response to each write is lost in turn. The write was executed, which the publisher must find out.
#[test]
fn finds_out_the_outcome_of_a_lost_response() {
    let (site, server) = ready(Settings::default());
    let start = server.objects();
    for k in sample::positions() {
        server.set_objects(start.clone());
        server.faults(&[rule("PUT", "", When::At(k), Fault::Lost)]);
        let output = site.publish(&server, &[]);
        if server.struck() == 0 {
            break;
        }
        assert_eq!(output.status.code(), Some(0), "write {k}: {}", said(&output));
        is_version(&server.objects(), "two").unwrap();
    }
}

#[test]
fn never_publishes_a_flipped_byte() {
    let (site, server) = ready(Settings::default());
    let start = server.objects();
    for k in 1..8 {
        server.set_objects(start.clone());
        server.faults(&[rule("PUT", "", When::At(k), Fault::Flipped)]);
        let output = site.publish(&server, &[]);
        let code = output.status.code().unwrap();
        assert!(server.struck() == 0 || [0, 6, 7].contains(&code), "{}", said(&output));
        sound(&server.objects(), &["one", "two"]).unwrap();
        server.faults(&[]);
        site.published(&server, &[]);
        is_version(&server.objects(), "two").unwrap();
    }
    assert_eq!(server.wrong(), Vec::<String>::new());
}

#[test]
fn a_stall_is_bounded() {
    let (site, server) = ready(Settings::default());
    server.faults(&[rule("PUT", "assets/", When::At(1), Fault::Stall(Duration::from_secs(20)))]);
    let start = Instant::now();
    let output = site.publish(&server, &["--timeout", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn distinguishes_an_unreachable_store_from_a_broken_connection() {
    let (site, server) = ready(Settings::default());
    let start = server.objects();
    server.faults(&[rule("*", "", When::From(1), Fault::Broken)]);
    let output = site.publish(&server, &[]);
    assert_eq!(output.status.code(), Some(6), "{}", said(&output));
    assert_eq!(visible(&server.objects()), visible(&start));
    server.faults(&[rule("PUT", "/terms", When::From(1), Fault::Broken)]);
    let output = site.publish(&server, &[]);
    assert_eq!(output.status.code(), Some(7), "{}", said(&output));
    assert!(said(&output).contains("run the same command again"), "{}", said(&output));
    server.faults(&[]);
    let result = site.published(&server, &[]);
    assert_eq!((&result["resumes"], &result["outcome"]), (&true.into(), &"published".into()));
    is_version(&server.objects(), "two").unwrap();
}

/// Many concurrent publishers: one wins, the others report it, and one complete release is live.
pub fn race(publishers: usize, rounds: usize, settings: Settings) -> [usize; 2] {
    let server = Server::start(settings);
    let first = Site::new();
    first.published(&server, &[]);
    server.watch(Box::new(|objects| {
        let versions: Vec<String> =
            std::iter::once("one".to_owned()).chain((0..16).map(|n| format!("v{n}"))).collect();
        sound(objects, &versions.iter().map(String::as_str).collect::<Vec<_>>())
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
                        code => panic!("{code:?}: {}", said(&output)),
                    };
                });
            }
        });
        let objects = server.objects();
        let whole = (0..16).any(|number| is_version(&objects, &format!("v{number}")).is_ok());
        assert!(whole, "round {round}: what is live is not one release");
    }
    assert_eq!(server.wrong(), Vec::<String>::new());
    [won, lost].map(AtomicUsize::into_inner)
}

#[test]
fn two_publishers_at_once() {
    for conditions in [Conditions::Honoured, Conditions::Bare] {
        let [won, lost] = race(2, 5, Settings { conditions, ..Settings::default() });
        assert_eq!(won + lost, 10, "{won} won, {lost} lost");
        assert!(won >= 5);
    }
}

#[test]
fn sixteen_publishers_at_once() {
    let [won, lost] = race(16, 1, Settings::default());
    assert_eq!(won + lost, 16, "{won} won, {lost} lost");
    assert!(won >= 1);
}

/// A publisher that saw another one at work has an outdated view, even if the other one ends before it acts.
#[test]
fn a_holder_that_ends_during_a_survey_still_counts() {
    let (site, server) = ready(Settings::default());
    let wait = || {
        while server.struck() == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    server.faults(&[rule("PUT", "terms", When::At(1), Fault::Stall(Duration::from_millis(800)))]);
    let mut holder = site.on(&server, "publish", &[]).stderr(std::process::Stdio::null()).spawn().unwrap();
    wait();
    let other = Site::new();
    other.version("three");
    server.faults(&[rule("GET", ".sitegate/releases/", When::At(1), Fault::Stall(Duration::from_secs(3)))]);
    let late = other.on(&server, "publish", &[]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    wait();
    assert!(holder.wait().unwrap().success());
    let output = late.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    is_version(&server.objects(), "two").unwrap();
}

/// A listing has many pages. Another publisher that runs between two of them must not look like manual changes.
#[test]
fn distinguishes_another_publisher_from_manual_changes() {
    let (site, server) = (Site::new(), Server::in_memory(Settings { page: 5, ..Settings::default() }));
    site.published(&server, &[]);
    let other = Site::new();
    other.version("two");
    server.faults(&[rule("GET", "list-type", When::At(2), Fault::Stall(Duration::from_secs(4)))]);
    let late = site.on(&server, "publish", &[]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while server.struck() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    other.published(&server, &[]);
    let output = late.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    is_version(&server.objects(), "two").unwrap();
}

/// Someone writes to the bucket between the plan and the switch.
#[test]
fn notices_changes_since_the_plan() {
    let (site, server) = ready(Settings::default());
    server.faults(&[rule(
        "PUT",
        ".sitegate/releases/",
        When::At(1),
        Fault::Stall(Duration::from_millis(800)),
    )]);
    let child = site.on(&server, "publish", &[]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while server.struck() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    server.watch(Box::new(|_| Ok(())));
    server.change("terms", "edited by hand");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{}", said(&output));
    assert_eq!(server.objects()["terms"].body, b"edited by hand");
}

/// A publisher that is suspended beyond its lease finds the run of another one, and stops.
#[test]
fn a_suspended_publisher_does_not_overwrite_its_successor() {
    let (site, server) = ready(Settings::default());
    server.faults(&[rule("PUT", "assets/", When::At(1), Fault::Stall(Duration::from_secs(5)))]);
    let child = site.on(&server, "publish", &["--lease", "3"]);
    let mut child = { child }.stderr(std::process::Stdio::piped()).spawn().unwrap();
    while server.struck() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let sleeping = std::process::Command::new("kill").args(["-STOP", &child.id().to_string()]).status();
    assert!(sleeping.unwrap().success());
    std::thread::sleep(Duration::from_secs(5));
    let successor = Site::new();
    successor.version("two");
    successor.published(&server, &[]);
    std::process::Command::new("kill").args(["-CONT", &child.id().to_string()]).status().unwrap();
    let code = child.wait().unwrap().code();
    assert!(matches!(code, Some(5 | 6)), "{code:?}");
    is_version(&server.objects(), "two").unwrap();
    assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
}

/// Each request of a publish meets a fault, one at a time. Every publish must succeed.
fn each_fault_is_survived(faults: &[Fault], settings: Settings, more: &[&str]) {
    let external = || {
        let (site, server) = ready(settings);
        let start = server.objects();
        (site, server, start)
    };
    for &fault in faults {
        let requests = at_each_position(external, |(site, server, start), k| {
            server.set_objects(start.clone());
            server.faults(&[rule("*", "", When::At(k), fault)]);
            let output = site.publish(server, more);
            if server.struck() == 0 {
                return false;
            }
            let asked = server.log()[k - 1].clone();
            assert_eq!(output.status.code(), Some(0), "{fault:?} at {k}, {asked}: {}", said(&output));
            let wrong = is_version(&server.objects(), "two");
            wrong.unwrap_or_else(|wrong| panic!("{fault:?} at {k}, {asked}: {wrong}"));
            server.faults(&[]);
            assert_eq!(site.published(server, &[])["outcome"], "unchanged", "{fault:?} at {k}, {asked}");
            assert_eq!(server.wrong(), Vec::<String>::new());
            true
        });
        assert!(requests >= 12, "{requests} requests");
    }
}

#[test]
fn survives_a_reset_at_any_request() {
    each_fault_is_survived(&[Fault::Reset, Fault::Lost], Settings::default(), &[]);
}

#[test]
fn survives_an_error_at_any_request() {
    each_fault_is_survived(&[Fault::Broken, Fault::Slow, Fault::Cut], Settings::default(), &[]);
}

#[test]
fn survives_a_stall_at_any_request() {
    let stall = Fault::Stall(Duration::from_millis(1500));
    each_fault_is_survived(&[stall], Settings::default(), &["--timeout", "1"]);
}

#[test]
fn survives_a_reset_with_unusual_entity_tags() {
    for settings in [
        Settings { opaque: true, ..Settings::default() },
        Settings { conditions: Conditions::Bare, ..Settings::default() },
    ] {
        each_fault_is_survived(&[Fault::Reset, Fault::Lost], settings, &[]);
    }
}

/// Only headers change, so reading the content does not show whether the write happened.
#[test]
fn a_reset_does_not_hide_a_change_of_headers() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    site.published(&server, &[]);
    let headers = "[[headers]]\npaths = [\"/terms/**\"]\nset = { Cache-Control = \"max-age=60\" }\n";
    std::fs::write(site.path("sitegate.toml"), headers).unwrap();
    site.seal();
    let start = server.objects();
    for fault in [Fault::Reset, Fault::Lost, Fault::Broken] {
        for k in sample::positions() {
            server.set_objects(start.clone());
            server.faults(&[rule("PUT", "", When::At(k), fault)]);
            let output = site.publish(&server, &[]);
            assert_eq!(output.status.code(), Some(0), "{fault:?} at {k}: {}", said(&output));
            for key in ["terms", "terms/index.html"] {
                assert_eq!(server.objects()[key].headers["cache-control"], "max-age=60", "{fault:?} at {k}");
            }
            if server.struck() == 0 {
                break;
            }
        }
    }
}

pub fn signal(child: &std::process::Child, name: &str) {
    std::process::Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
}

/// After Ctrl-C or SIGTERM, the lease ends, and the next publisher need not wait.
#[test]
fn a_stopped_publisher_ends_its_lease() {
    let cases = [
        ("-INT", "assets/", 130, "nothing visible was changed"),
        ("-TERM", "/terms", 143, "run the same command again to complete the switch"),
    ];
    for (name, at, code, word) in cases {
        let (site, server) = ready(Settings::default());
        server.faults(&[rule("PUT", at, When::At(1), Fault::Stall(Duration::from_millis(600)))]);
        let child = site.on(&server, "publish", &[]).stderr(std::process::Stdio::piped()).spawn().unwrap();
        while server.struck() == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert!(said(&output).contains(word), "{}", said(&output));
        assert_eq!(is_version(&server.objects(), "one").is_ok(), code == 130);
        site.published(&server, &[]);
        is_version(&server.objects(), "two").unwrap();
        assert_eq!(server.wrong(), Vec::<String>::new());
    }
}

/// The store's clock decides whether a publisher is alive, independent of this machine's clock.
#[test]
fn waits_for_a_whole_lease_if_the_store_reports_no_time() {
    let (site, server) = (Site::new(), Server::start(Settings { dated: false, ..Settings::default() }));
    site.published(&server, &[]);
    let key = ".sitegate/runs/0000000001.json";
    let mut run: serde_json::Value = serde_json::from_slice(&server.objects()[key].body).unwrap();
    run["stage"] = "publishing".into();
    run["lease"] = 2.into();
    run["previous"] = serde_json::Value::Null;
    server.change(key, &run.to_string());
    site.version("two");
    let start = Instant::now();
    site.published(&server, &[]);
    assert!(start.elapsed() >= Duration::from_secs(2), "{:?}", start.elapsed());
    is_version(&server.objects(), "two").unwrap();
}
