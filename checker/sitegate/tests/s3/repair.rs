//! Tests `sitegate repair` and `sitegate unlock` on buckets with a damaged state.

use super::releases::{away, status};
use super::server::{Server, Settings};
use super::site::{Site, is_version, said};

#[test]
fn unlocks_a_damaged_record_if_the_store_reports_no_time() {
    let site = Site::new();
    let server = Server::in_memory(Settings { dated: false, ..Settings::default() });
    site.published(&server, &["--lease", "3"]);
    server.change(".sitegate/runs/0000000001.json", "{");
    let output = away(&server, "repair", &["--apply"]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(said(&output).contains("does not report its age"), "{}", said(&output));
    for command in ["unlock", "repair"] {
        let output = away(&server, command, if command == "repair" { &["--apply"] } else { &[] });
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    is_version(&server.objects(), "one").unwrap();
}

/// A damaged record does not show how long its publisher may be at work. The message says so, and suggests
/// `unlock`.
#[test]
fn recent_damage_needs_a_wait_or_unlock() {
    for waits in [true, false] {
        let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
        site.published(&server, &[]);
        site.version("two");
        site.published(&server, &[]);
        server.change(".sitegate/runs/0000000002.json", "{");
        let before = server.objects();
        let output = away(&server, "repair", &["--apply"]);
        assert_eq!(output.status.code(), Some(5), "{}", said(&output));
        for words in
            ["its record does not say", "notice within 60 s", "try again in ", "`sitegate unlock s3://"]
        {
            assert!(said(&output).contains(words), "`{words}` is not in:\n{}", said(&output));
        }
        assert_eq!(server.objects(), before);
        if waits {
            server.outlast_leases();
        } else {
            let output = away(&server, "unlock", &[]);
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
            assert!(said(&output).contains("from run 2, whose record cannot be read"), "{}", said(&output));
            assert_eq!(status(&server)["releases"].as_array().unwrap().len(), 2);
        }
        let output = away(&server, "repair", &["--apply"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
        is_version(&server.objects(), "two").unwrap();
        let output = away(&server, "rollback", &[]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        is_version(&server.objects(), "one").unwrap();
    }
}
