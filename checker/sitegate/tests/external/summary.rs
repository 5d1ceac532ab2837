//! Tests the summary of external hosts in the formats.

use serde_json::{Value, json};

use super::linked_site::{LinkedSite, Server, text};
use crate::folders::json as report_of;

fn without_times(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.remove("seconds");
            entries.values_mut().for_each(without_times);
        }
        Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[test]
fn json_has_a_summary_of_each_host() {
    let server = Server::start();
    let paths = ["/fine", "/gone", "/old", "/wall", "/fine#one", "/fine"];
    let linked_site = LinkedSite::new(&server, &paths, "");
    let output = linked_site.check(&["--external", "--format", "json"]);
    let mut report = report_of(&output);
    let external = &mut report["external"];
    assert!(external["seconds"].as_f64().unwrap() > 0.0);
    without_times(external);
    // HEAD and GET of the missing, blocked and moved URLs and the redirect target; one or two requests of the page.
    let requests = external["requests"].take();
    assert!((7..=8).contains(&requests.as_u64().unwrap()), "{requests}");
    external["hosts"][0]["requests"].take();
    let printed = json!({ "links": 6, "addresses": 4, "there": 1, "moved": 1, "broken": 1, "unverified": 1, "requests": null });
    let mut host = printed.clone();
    host["host"] = server.address.to_string().into();
    host["at_once"] = 6.into();
    let mut all = printed;
    all["known"] = 0.into();
    all["hosts"] = json!([host]);
    assert_eq!(*external, all);
    let again = report_of(&linked_site.check(&["--external", "--format", "json"]));
    assert_eq!((&again["external"]["known"], &again["external"]["requests"]), (&json!(4), &json!(0)));
    let offline = report_of(&linked_site.check(&["--format", "json"]));
    assert_eq!(offline.get("external"), None);
}

#[test]
fn human_output_summarizes_all_hosts() {
    let server = Server::start();
    let linked_site = LinkedSite::new(&server, &["/fine", "/gone", "/old", "/wall"], "");
    let sentence = "4 URLs on 1 external host: 1 ok, 1 moved, 1 broken, 1 unverified; requested in ";
    let host = format!("{}: 4 links: 1 moved, 1 broken, 1 unverified; 6 parallel requests, ", server.address);
    let reported = |arguments: &[&str]| {
        text(&linked_site.check(&[&["--external", "--no-cache"], arguments].concat()).stdout)
    };
    let human = reported(&[]);
    assert!(human.contains(sentence) && !human.contains(&host), "{human}");
    let all = reported(&["--all"]);
    assert!(all.contains(sentence) && all.contains(&host), "{all}");
    for format in ["junit", "html", "markdown", "sarif"] {
        let report = reported(&["--format", format]);
        assert!(report.contains(sentence), "{format}: {report}");
    }
    let (known, again) = (linked_site.check(&["--external"]), linked_site.check(&["--external"]));
    assert!(text(&known.stdout).contains("; requested in "));
    assert!(text(&again.stdout).contains("1 unverified; all cached\n"), "{}", text(&again.stdout));
}

#[test]
fn reports_a_slow_host() {
    let server = Server::start();
    let slow = "[external.host]\ninterval = 2.6\nconcurrency = 2\n";
    let host = format!("\n  {}: 3 links; 2 parallel requests, 5.", server.address);
    LinkedSite::new(&server, &["/a", "/b", "/c"], slow).expect(&["--external"], 0, &[&host]);
}
