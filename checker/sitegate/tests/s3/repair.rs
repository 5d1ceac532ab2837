//! Tests `sitegate target repair` and `sitegate target unlock` on buckets with damaged state.

use super::releases::{run_without_files, status};
use super::server::{Server, Settings};
use super::site::{Site, is_version};
use crate::outcome::assert_exit;

#[test]
fn unlocks_a_damaged_record_at_a_store_without_a_clock() {
    let site = Site::new();
    let server = Server::in_memory(Settings { dated: false, ..Settings::default() });
    site.published(&server, &["--lease", "3"]);
    server.change(".sitegate/runs/0000000001.json", "{");
    assert_exit(&run_without_files(&server, "repair", &["--apply"]), 5, &["does not report its age"]);
    for command in ["unlock", "repair"] {
        assert_exit(
            &run_without_files(&server, command, if command == "repair" { &["--apply"] } else { &[] }),
            0,
            &[],
        );
    }
    is_version(&server.objects(), "one").unwrap();
}

/// A damaged record does not show how long its lease is. The command reports that, and suggests `unlock`.
#[test]
fn waits_for_or_unlocks_a_recently_damaged_record() {
    for waits in [true, false] {
        let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
        site.published(&server, &[]);
        site.version("two");
        site.published(&server, &[]);
        server.change(".sitegate/runs/0000000002.json", "{");
        let before = server.objects();
        assert_exit(
            &run_without_files(&server, "repair", &["--apply"]),
            5,
            &[
                "its record does not say",
                "notice within 60 s",
                "try again in ",
                "`sitegate target unlock s3://",
            ],
        );
        assert_eq!(server.objects(), before);
        if waits {
            server.outlast_leases();
        } else {
            assert_exit(
                &run_without_files(&server, "unlock", &[]),
                0,
                &["held by run 2, whose record cannot be read"],
            );
            assert_eq!(status(&server)["releases"].as_array().unwrap().len(), 2);
        }
        assert_exit(&run_without_files(&server, "repair", &["--apply"]), 0, &[]);
        assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
        is_version(&server.objects(), "two").unwrap();
        assert_exit(&run_without_files(&server, "rollback", &[]), 0, &[]);
        is_version(&server.objects(), "one").unwrap();
    }
}
