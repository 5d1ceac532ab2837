//! Tests the output of `sitegate edge` for CloudFront and S3 websites.

pub mod site;

use serde_json::Value;

use site::{site, sitegate, write_file};

fn document(host: &str, slash: &str) -> Value {
    let folder = site(slash);
    let output = sitegate(folder.path(), &["edge", host, "--bucket", "my-site", "--prefix", "www"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn cloudfront_has_error_responses_headers_and_minimal_permissions() {
    let edge = document("cloudfront", "never");
    let errors = &edge["distribution"]["CustomErrorResponses"]["Items"];
    assert_eq!((&errors[0]["ErrorCode"], &errors[0]["ResponseCode"]), (&403.into(), &"404".into()));
    assert_eq!(edge["distribution"]["OriginPath"], "/www");
    let policies = edge["response_headers_policies"].as_array().unwrap();
    assert_eq!(policies[0]["path_patterns"][0], "/*");
    let security = &policies[1]["policy"]["SecurityHeadersConfig"];
    assert_eq!(security["ContentSecurityPolicy"]["ContentSecurityPolicy"], "default-src 'none'");
    assert_eq!(policies[1]["policy"]["CustomHeadersConfig"]["Items"][1]["Value"], "none");
    let code = edge["function"]["Code"].as_str().unwrap();
    assert!(code.contains("\"/old/terms\":\"/terms\""), "{code}");
    let text = edge.to_string();
    assert!(text.contains("arn:aws:s3:::my-site/www/.sitegate/*"), "{text}");
    assert!(!text.contains("s3:*"), "no right that is not needed");
}

#[test]
fn s3_website_lists_unsupported_settings() {
    let edge = document("s3-website", "redirect");
    assert_eq!(edge["website_configuration"]["ErrorDocument"]["Key"], "404.html");
    assert_eq!(edge["not_possible"], serde_json::json!(["content-security-policy", "x-odd", "x-robots-tag"]));
    let [site, deny, list] = edge["bucket_policy"]["Statement"].as_array().unwrap().as_slice() else {
        panic!("{edge}")
    };
    assert_eq!(site["Resource"], "arn:aws:s3:::my-site/www/*");
    assert_eq!(list["Condition"], serde_json::json!({"StringLike": {"s3:prefix": "www/*"}}));
    assert_eq!(
        (&deny["Effect"], &deny["Resource"]),
        (&"Deny".into(), &"arn:aws:s3:::my-site/www/.sitegate/*".into())
    );
}

#[test]
fn escapes_wildcards_in_names() {
    let folder = site("redirect");
    for host in ["s3-website", "cloudfront"] {
        let output = sitegate(folder.path(), &["edge", host, "--bucket", "my-site", "--prefix", "/w*w/?$/"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("my-site/w${*}w/${?}${$}/.sitegate/*") && !text.contains("w*w/?$/*"), "{text}");
        let output = sitegate(folder.path(), &["edge", host, "--bucket", "*"]);
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn headers_contain_no_line_breaks() {
    let folder = site("redirect");
    write_file(folder.path(), "sitegate.toml", "[[headers]]\npaths = [\"/**\"]\nset = { X-A = \"a\\nb\" }\n");
    for host in ["nginx", "cloudfront"] {
        let output = sitegate(folder.path(), &["edge", host]);
        assert_eq!(output.status.code(), Some(2), "{host}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains("is not a valid header"), "{text}");
    }
}

#[test]
fn bucket_without_prefix_hides_the_target_state() {
    let folder = site("redirect");
    let output = sitegate(folder.path(), &["edge", "s3-website", "--bucket", "my-site"]);
    let edge: Value = serde_json::from_slice(&output.stdout).unwrap();
    let statement = &edge["bucket_policy"]["Statement"][0];
    assert_eq!(statement["NotResource"], "arn:aws:s3:::my-site/.sitegate/*");
    assert_eq!(statement.get("Resource"), None);
}
