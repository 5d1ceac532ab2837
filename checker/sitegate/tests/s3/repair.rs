//! Tests `sitegate target repair` and `sitegate target unlock` on buckets with damaged state.

use super::server::{Server, Settings};
use super::site::{Site, expect_without_files, is_version, status};

#[test]
fn unlocks_a_damaged_record_at_a_store_without_a_clock() {
    let site = Site::new();
    let server = Server::in_memory(Settings { dated: false, ..Settings::default() });
    site.published(&server, &["--lease", "3"]);
    server.change(".sitegate/runs/0000000001.json", "{");
    expect_without_files(&server, "repair", &["--apply"], 5, &["does not report its age"]);
    expect_without_files(&server, "unlock", &[], 0, &[]);
    expect_without_files(&server, "repair", &["--apply"], 0, &[]);
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
        let unlock = "`sitegate target unlock s3://";
        let words = ["its record does not say", "notice within 60 s", "try again in ", unlock];
        expect_without_files(&server, "repair", &["--apply"], 5, &words);
        assert_eq!(server.objects(), before);
        if waits {
            server.outlast_leases();
        } else {
            let held = "held by run 2, whose record cannot be read";
            expect_without_files(&server, "unlock", &[], 0, &[held]);
            assert_eq!(status(&server)["releases"].as_array().unwrap().len(), 2);
        }
        expect_without_files(&server, "repair", &["--apply"], 0, &[]);
        assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
        is_version(&server.objects(), "two").unwrap();
        expect_without_files(&server, "rollback", &[], 0, &[]);
        is_version(&server.objects(), "one").unwrap();
    }
}
