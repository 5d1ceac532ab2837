//! Tests messages that `commands/messages.txt` cannot: those of other formats, and about buckets.

#[cfg(all(unix, feature = "network"))]
use std::fs;

use crate::folders::{folder, sitegate, stdout};

#[test]
fn sentences_of_other_formats() {
    let folder = folder(&[
        ("dist/index.html", "<title>a</title><a href=/timetabel/>a</a>"),
        ("dist/timetable/index.html", "<title>b</title><a href=/timetabel/>a</a>"),
        ("sitegate.toml", "[[assert]]\nname = \"one\"\npages = \"/\"\nselect = \"h1\"\n"),
    ]);
    for format in ["sarif", "markdown"] {
        let output = stdout(&sitegate(folder.path(), &["check", "dist", "--format", format]));
        assert!(output.contains("timetable"), "{output}");
        assert!(!output.contains("?.") && !output.contains("Sitegate.toml"), "{output}");
    }
}

#[cfg(all(unix, feature = "network"))]
#[test]
fn plans_count_pages_of_a_bucket_once() {
    use super::outcome::all_output;
    use super::s3::server::{Server, Settings};
    use super::s3::site::Site;

    let (site, server) = (Site::new(), Server::start(Settings::default()));
    let plan = site.on(&server, "publish", &["--dry-run"]).output().unwrap();
    let plan = all_output(&plan);
    assert!(plan.contains("  new            7  ") && plan.contains("  (9 objects)\n"), "{plan}");
    assert!(!plan.contains("  terms  "), "{plan}");
    site.published(&server, &[]);
    fs::remove_dir_all(site.path("export/terms")).unwrap();
    site.write("robots.txt", "User-agent: *\n");
    site.seal();
    let gone = site.on(&server, "publish", &["--dry-run", "--allow-gone"]).output().unwrap();
    let gone = all_output(&gone);
    assert!(gone.contains("  deleted        1  terms/index.html  (2 objects)\n"), "{gone}");
    assert!(gone.contains("  unchanged      5\n"), "{gone}");
}
