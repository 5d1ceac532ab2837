//! `sitegate repair` and `sitegate unlock` on buckets whose memory was damaged.

use super::releases::{away, status};
use super::server::{Server, Settings};
use super::site::{Site, is_version, said};

#[test]
fn a_damaged_record_of_a_store_that_tells_no_time_is_unlocked() {
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

/// How long a publisher may go on whose record was damaged cannot be read from it: that is said, and `unlock` is the way
/// out for who knows better.
#[test]
fn a_record_that_was_damaged_just_now_is_waited_for_or_unlocked() {
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
