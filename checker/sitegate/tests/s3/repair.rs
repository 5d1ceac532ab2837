//! Tests `sitegate target repair` and `sitegate target unlock` on buckets with damaged state.

use super::releases::{run_without_files, status};
use super::server::{Server, Settings};
use super::site::{Site, all_output, is_version};

#[test]
fn unlocks_a_damaged_record_at_a_store_without_a_clock() {
    let site = Site::new();
    let server = Server::in_memory(Settings { dated: false, ..Settings::default() });
    site.published(&server, &["--lease", "3"]);
    server.change(".sitegate/runs/0000000001.json", "{");
    let output = run_without_files(&server, "repair", &["--apply"]);
    assert_eq!(output.status.code(), Some(5), "{}", all_output(&output));
    assert!(all_output(&output).contains("does not report its age"), "{}", all_output(&output));
    for command in ["unlock", "repair"] {
        let output =
            run_without_files(&server, command, if command == "repair" { &["--apply"] } else { &[] });
        assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
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
        let output = run_without_files(&server, "repair", &["--apply"]);
        assert_eq!(output.status.code(), Some(5), "{}", all_output(&output));
        for words in [
            "its record does not say",
            "notice within 60 s",
            "try again in ",
            "`sitegate target unlock s3://",
        ] {
            assert!(all_output(&output).contains(words), "`{words}` is not in:\n{}", all_output(&output));
        }
        assert_eq!(server.objects(), before);
        if waits {
            server.outlast_leases();
        } else {
            let output = run_without_files(&server, "unlock", &[]);
            assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
            assert!(
                all_output(&output).contains("held by run 2, whose record cannot be read"),
                "{}",
                all_output(&output)
            );
            assert_eq!(status(&server)["releases"].as_array().unwrap().len(), 2);
        }
        let output = run_without_files(&server, "repair", &["--apply"]);
        assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
        assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
        is_version(&server.objects(), "two").unwrap();
        let output = run_without_files(&server, "rollback", &[]);
        assert_eq!(output.status.code(), Some(0), "{}", all_output(&output));
        is_version(&server.objects(), "one").unwrap();
    }
}
