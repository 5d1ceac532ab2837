//! Runs the CloudFront function that `host-config` prints in Node, followed by the lookup in the bucket.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sitegate_address::INDEX;
use sitegate_check::Contract;
use sitegate_host::redirects::MovedAddress;
use sitegate_host::{Host, TrailingSlash};
use sitegate_server::host_config;

use crate::sites::{FILES, SLASHES, contract, decoded, expected_answer, paths};

/// Runs the function for many paths at once; `None` if Node is not installed.
fn run(contract: &Contract, requests: &[Value]) -> Option<Vec<Value>> {
    let document: Value =
        serde_json::from_str(&host_config::cloudfront(contract, "my-site", "").unwrap()).unwrap();
    let code = document["function"]["Code"].as_str().unwrap();
    let program = format!(
        "{code}\nconst requests = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n\
         console.log(JSON.stringify(requests.map((request) => handler({{ request }}))));\n"
    );
    let node =
        Command::new("node").arg("-e").arg(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut node) = node else {
        eprintln!("not run: the CloudFront function needs Node, and none is installed");
        return None;
    };
    node.stdin.take().unwrap().write_all(Value::from(requests).to_string().as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Returns the object with exactly this key: a file, or the copy of an index document that `publish` stores
/// under its folder's name.
fn object(key: &str) -> Option<&'static str> {
    let index = format!("{key}/{INDEX}");
    FILES
        .iter()
        .copied()
        .find(|name| *name == key)
        .or_else(|| FILES.iter().copied().find(|name| *name == index))
}

#[test]
fn the_function_and_the_bucket_agree_with_the_check() {
    let paths = paths();
    for slash in SLASHES {
        let contract = contract(Some(Host::Cloudfront), slash);
        let requests: Vec<Value> = paths.iter().map(|path| json!({"uri": path, "querystring": {}})).collect();
        let Some(answers) = run(&contract, &requests) else { return };
        let host = contract.site.host_profile();
        for (path, answer) in paths.iter().zip(answers) {
            let expected = expected_answer(host, path);
            let location = answer["headers"]["location"]["value"].as_str();
            let found = match (answer["uri"].as_str(), location) {
                // The distribution's DefaultRootObject.
                (Some("/"), _) => format!("200 {INDEX}"),
                (Some(uri), _) => {
                    object(&decoded(uri)).map_or("404".to_owned(), |name| format!("200 {name}"))
                }
                (None, location) => format!("{} {}", answer["statusCode"], decoded(location.unwrap())),
            };
            assert_eq!(found, expected, "{path}, trailing-slash {slash:?}");
        }
    }
}

/// S3's REST endpoint reads `+` as a space.
#[test]
fn plus_is_escaped_for_the_bucket() {
    let contract = contract(Some(Host::Cloudfront), TrailingSlash::Redirect);
    let paths = ["/c++.html", "/c%2B%2B.html", "/c++/", "/c++"];
    let requests: Vec<Value> =
        paths.iter().map(|path| json!({"uri": path, "querystring": {"q": {"value": "a+b"}}})).collect();
    let Some(answers) = run(&contract, &requests) else { return };
    for (answer, uri) in answers.iter().zip(["/c%2B%2B.html", "/c%2B%2B.html", "/c%2B%2B/index.html"]) {
        assert_eq!(answer["uri"], uri);
        assert_eq!(answer["querystring"]["q"]["value"], "a+b");
    }
    assert_eq!(answers[3]["headers"]["location"]["value"], "/c++/?q=a+b");
}

#[test]
fn redirects_come_first_and_queries_are_kept() {
    let mut contract = contract(Some(Host::Cloudfront), TrailingSlash::Redirect);
    for (from, to) in [("/old.page", "/docs/"), ("/own", "/docs/?own#part"), ("/part", "/docs/#part")] {
        contract.redirects.push(MovedAddress { from: from.to_owned(), to: to.to_owned(), span: 0..0 });
    }
    let query =
        json!({"a": {"value": "1", "multiValue": [{"value": "1"}, {"value": "2"}]}, "b": {"value": ""}});
    let request = |uri: &str| json!({"uri": uri, "querystring": query});
    let urls =
        ["/old.page", "/old.page/", "//old.page", "/docs", "//docs/x", "//example.com/", "/own", "/part"];
    let requests: Vec<Value> = urls.iter().map(|uri| request(uri)).collect();
    let Some(answers) = run(&contract, &requests) else { return };
    let location = |at: usize| answers[at]["headers"]["location"]["value"].as_str().unwrap_or_default();
    for redirected in [0, 1, 2] {
        assert_eq!(location(redirected), "/docs/?a=1&a=2&b");
    }
    assert_eq!((location(6), location(7)), ("/docs/?own#part", "/docs/?a=1&a=2&b#part"));
    assert_eq!(location(3), "/docs/?a=1&a=2&b");
    for unchanged in [4, 5] {
        assert_eq!(answers[unchanged]["uri"], urls[unchanged], "no redirect to another host");
    }
}
