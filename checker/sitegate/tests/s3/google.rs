//! Tests Google's dialect: the same requests with generations instead of entity tags.

use super::faults::{race, rule};
use super::server::{Fault, Server, Settings, When};
use super::site::{Site, is_version, page_text, said};

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
    let output = site.on(&server, "rollback", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    is_version(&server.objects(), "one").unwrap();
    let run = server.objects()[".sitegate/runs/0000000003.json"].body.clone();
    let promises = r#""create":true,"replace":"quoted""#;
    assert!(String::from_utf8(run).unwrap().contains(promises));
}

#[test]
fn one_of_four_concurrent_publishers_wins() {
    let [won, lost] = race(4, 2, GOOGLE);
    assert_eq!(won + lost, 8, "{won} won, {lost} lost");
    assert!(won >= 2);
}

#[test]
fn notices_a_page_that_changes_after_the_plan() {
    let (site, server) = (Site::new(), Server::start(GOOGLE));
    site.published(&server, &[]);
    site.write("terms/index.html", &page_text("one").replace("<title>one", "<title>two"));
    site.seal();
    let stall = Fault::Stall(std::time::Duration::from_millis(800));
    server.faults(&[rule("PUT", "sitegate%2Freleases", When::At(1), stall)]);
    let child = site.on(&server, "publish", &[]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while server.struck() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    server.change("terms", "edited by hand");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{}", said(&output));
    assert_eq!(server.objects()["terms"].body, b"edited by hand");
}
