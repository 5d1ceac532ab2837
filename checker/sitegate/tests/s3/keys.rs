//! Keys of odd forms: those of others are left alone whatever they are called, and none goes out that a store cannot hold.

use crate::releases::{away, status};
use crate::server::{Server, Settings};
use crate::site::{Site, is_version, said};

/// Keys that stores hold and that path libraries refuse, cut short or take for others.
const ODD: [&str; 14] = [
    "logs//2026/x.gz",
    "//",
    "/leading",
    "a/./b",
    "a/../b",
    "terms/",
    "blog/",
    "control\u{1}\u{7f}",
    " space.html ",
    "line\nbreak",
    "a&b<c>\"d\"",
    "a%2Fb",
    ".sitegate/runs//0000000009.json",
    ".sitegate/runs/9.json",
];

#[test]
fn foreign_keys_of_odd_forms_stand_in_nobodys_way() {
    for google in [false, true] {
        let (site, server) =
            (Site::new(), Server::in_memory(Settings { page: 4, google, ..Settings::default() }));
        let long = "k".repeat(1024);
        for key in ODD.into_iter().chain([long.as_str()]) {
            server.change(key, "not ours");
        }
        assert_eq!(
            said(&site.on(&server, "publish", &["--dry-run"]).output().unwrap()).matches("new").count(),
            1
        );
        site.published(&server, &[]);
        is_version(&server.objects(), "one").unwrap();
        assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
        site.version("two");
        site.published(&server, &[]);
        for command in ["status", "gc", "unlock", "rollback"] {
            let output = away(&server, command, &[]);
            assert_eq!(output.status.code(), Some(0), "{command}: {}", said(&output));
        }
        is_version(&server.objects(), "one").unwrap();
        assert_eq!(status(&server)["releases"].as_array().unwrap().len(), 2);
        let objects = server.objects();
        for key in ODD.into_iter().chain([long.as_str()]) {
            assert_eq!(objects[key].body, b"not ours", "{key:?}");
        }
    }
}
