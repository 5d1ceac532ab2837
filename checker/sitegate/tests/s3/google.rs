//! Tests Google's dialect of S3: conditions on generations instead of entity tags.

use super::faults::{fault_rule, race};
use super::server::{Fault, Server, Settings, When};
use super::site::{Site, is_version, page_text};
use crate::outcome::assert_exit;

const GOOGLE: Settings = Settings {
    conditions: super::server::Conditions::Honoured,
    page: 1000,
    skew: 0,
    opaque: false,
    google: true,
    dated: true,
};

#[test]
fn publishes_and_rolls_back() {
    let (site, server) = (Site::new(), Server::start(GOOGLE));
    site.published(&server, &[]);
    assert_eq!(server.objects()["terms"].headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(site.published(&server, &[])["outcome"], "unchanged");
    site.version("two");
    site.published(&server, &[]);
    is_version(&server.objects(), "two").unwrap();
    site.expect(&server, "rollback", &[], 0, &[]);
    is_version(&server.objects(), "one").unwrap();
    let run = server.objects()[".sitegate/runs/0000000003.json"].body.clone();
    let promises = r#""create":true,"replace":"quoted""#;
    assert!(String::from_utf8(run).unwrap().contains(promises));
}

#[test]
fn only_one_of_four_concurrent_publishers_wins() {
    let [won, lost] = race(4, 1, GOOGLE);
    assert_eq!(won + lost, 4, "{won} won, {lost} were rejected");
    assert!(won >= 1);
}

#[test]
fn detects_a_page_that_changed_since_the_plan() {
    let (site, server) = (Site::new(), Server::start(GOOGLE));
    site.published(&server, &[]);
    site.write("terms/index.html", &page_text("one").replace("<title>one", "<title>two"));
    site.seal();
    server.faults(&[fault_rule("PUT", "sitegate%2Freleases", When::At(1), Fault::Wait)]);
    let child = site.on(&server, "publish", &[]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    server.wait_for_fault();
    server.change("terms", "edited by hand");
    server.go_on();
    assert_exit(&child.wait_with_output().unwrap(), 7, &[]);
    assert_eq!(server.objects()["terms"].body, b"edited by hand");
}
