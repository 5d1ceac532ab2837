//! Tests publishers that are suspended beyond their lease, with and without another publisher meanwhile.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::faults::{ready, rule, signal};
use super::positions::at_each_position;
use super::server::{Fault, Server, Settings, When};
use super::site::{Site, is_version, said, visible};

/// Starts a publisher that is suspended while a write waits at the server, which closes the connection
/// meanwhile; none if it ends before that write. No other request is in flight then: one that was sent in time
/// might be executed later.
fn sleeper(site: &Site, server: &Server, k: usize) -> Option<Child> {
    server.faults(&[rule("PUT", "", When::At(k), Fault::Stall(Duration::from_millis(1_500)))]);
    let mut command = site.on(server, "publish", &["--lease", "3"]);
    let quiet = command.stderr(Stdio::null()).stdout(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    while server.struck() == 0 {
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        sleep(Duration::from_millis(2));
    }
    sleep(Duration::from_millis(500));
    signal(&child, "-STOP");
    Some(child)
}

/// Publishers are suspended at any request, beyond their lease, while another one publishes. None of their
/// later requests may go live.
#[test]
fn suspended_publishers_overwrite_nothing() {
    let external = || {
        let (site, server) = ready(Settings::default());
        let successor = Site::new();
        // The release that the suspended publisher would damage: its pages are those of the first one, except
        // for one.
        successor.version("one");
        successor.write("robots.txt", "User-agent: *\n# new\n");
        successor.seal();
        let start = server.objects();
        (site, server, successor, start)
    };
    at_each_position(external, |(site, server, successor, start), k| {
        server.set_objects(start.clone());
        let Some(mut child) = sleeper(site, server, k) else { return false };
        sleep(Duration::from_millis(2300));
        server.outlast_leases();
        let output = successor.publish(server, &["--overwrite-drift"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let live = visible(&server.objects());
        signal(&child, "-CONT");
        let code = child.wait().unwrap().code();
        // If only its last record was in flight, it had finished before the other one began.
        assert!(matches!(code, Some(5..=7)), "write {k}: {code:?}");
        assert_eq!(visible(&server.objects()), live, "write {k}");
        assert_eq!(successor.published(server, &[])["outcome"], "unchanged", "write {k}");
        true
    });
}

/// A publisher that wakes up after its lease acquires the target again and continues if no one else did, at any
/// write, and even if the store responds slowly.
#[test]
fn a_suspended_publisher_without_successor_continues() {
    let external = || {
        let (site, server) = ready(Settings::default());
        let start = server.objects();
        (site, server, start)
    };
    at_each_position(external, |(site, server, start), k| {
        server.set_objects(start.clone());
        let Some(mut child) = sleeper(site, server, k) else { return false };
        sleep(Duration::from_millis(2_300));
        let stall = Fault::Stall(Duration::from_secs(1));
        let anew = rule("PUT", "runs/0000000003", When::At(1), stall);
        server.faults(&[anew][..k % 2]);
        signal(&child, "-CONT");
        assert_eq!(child.wait().unwrap().code(), Some(0), "write {k}");
        is_version(&server.objects(), "two").unwrap();
        assert!(server.objects().contains_key(".sitegate/runs/0000000003.json"), "write {k}");
        server.faults(&[]);
        assert_eq!(site.published(server, &[])["outcome"], "unchanged", "write {k}");
        true
    });
}
