//! Tests publishers that are suspended past their lease, with and without another publisher in between.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::faults::{fault_rule, signal, site_with_second_version};
use super::positions::at_each_position;
use super::server::{Fault, Server, Settings, When};
use super::site::{Site, all_output, is_version, public_objects};

/// Starts a publisher and suspends it during a write that the server drops. Returns `None` if it ends before that write.
/// Only this write is in flight then, even on a busy machine. A request that was sent in time may be executed later.
fn start_suspended_publisher(site: &Site, server: &Server, k: usize) -> Option<Child> {
    server.faults(&[fault_rule("PUT", "", When::At(k), Fault::Stall(Duration::from_millis(1_500)))]);
    let mut command = site.on(server, "publish", &["--lease", "3"]);
    let quiet = command.stderr(Stdio::null()).stdout(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    while server.fault_count() == 0 {
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        sleep(Duration::from_millis(2));
    }
    sleep(Duration::from_millis(500));
    signal(&child, "-STOP");
    Some(child)
}

/// Suspends publishers during any request past their lease, while another one publishes. None of their later requests may
/// change the live files.
#[test]
fn publisher_suspended_at_any_write_overwrites_nothing() {
    let external = || {
        let (site, server) = site_with_second_version(Settings::default());
        let successor = Site::new();
        // A release that the suspended publisher would revert: it differs from the first in one page.
        successor.version("one");
        successor.write("robots.txt", "User-agent: *\n# new\n");
        successor.seal();
        let start = server.objects();
        (site, server, successor, start)
    };
    at_each_position(external, |(site, server, successor, start), k| {
        server.set_objects(start.clone());
        let Some(mut child) = start_suspended_publisher(site, server, k) else { return false };
        sleep(Duration::from_millis(2300));
        server.outlast_leases();
        let output = successor.publish(server, &["--overwrite-drift"]);
        assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
        let live = public_objects(&server.objects());
        signal(&child, "-CONT");
        let code = child.wait().unwrap().code();
        // If only its last record was in flight, it had finished before the other started.
        assert!(matches!(code, Some(5..=7)), "write {k}: {code:?}");
        assert_eq!(public_objects(&server.objects()), live, "write {k}");
        assert_eq!(successor.published(server, &[])["outcome"], "unchanged", "write {k}");
        true
    });
}

/// A publisher that resumes after its lease, and finds that no one took the target, acquires it again and continues. This
/// also works if the store answers slowly, and the write in flight is retried first.
#[test]
fn suspended_publisher_resumes_if_no_other_ran() {
    let external = || {
        let (site, server) = site_with_second_version(Settings::default());
        let start = server.objects();
        (site, server, start)
    };
    at_each_position(external, |(site, server, start), k| {
        server.set_objects(start.clone());
        let Some(mut child) = start_suspended_publisher(site, server, k) else { return false };
        sleep(Duration::from_millis(2_300));
        let stall = Fault::Stall(Duration::from_secs(1));
        let on_reacquire = fault_rule("PUT", "runs/0000000003", When::At(1), stall);
        server.faults(&[on_reacquire][..k % 2]);
        signal(&child, "-CONT");
        assert_eq!(child.wait().unwrap().code(), Some(0), "write {k}");
        is_version(&server.objects(), "two").unwrap();
        assert!(server.objects().contains_key(".sitegate/runs/0000000003.json"), "write {k}");
        server.faults(&[]);
        assert_eq!(site.published(server, &[])["outcome"], "unchanged", "write {k}");
        true
    });
}
