//! `sitegate edge cloudfront`: a distribution, its function and its headers in front of a private bucket.

use std::collections::BTreeMap;
use std::io;

use serde_json::{Value, json};
use sitegate_check::contract::Contract;
use sitegate_check::contract::host::TrailingSlash;

use super::addresses::refuse_clean_urls;
use super::policy::{arn, publisher_policy};
use crate::headers::{STATE, STORED};

/// The function that the distribution runs for each request; its settings come before it.
const FUNCTION: &str = include_str!("function.js");

/// Headers that CloudFront takes only under a heading of their own.
const SECURITY: [&str; 5] = [
    "content-security-policy",
    "referrer-policy",
    "strict-transport-security",
    "x-content-type-options",
    "x-frame-options",
];

/// What CloudFront needs in front of a private bucket, as one JSON document.
///
/// # Errors
/// When a pattern of the contract cannot be written for CloudFront, or pages have clean URLs.
pub fn cloudfront(config: &Contract, bucket: &str, prefix: &str) -> io::Result<String> {
    refuse_clean_urls(config)?;
    let page = format!("/{}", config.site.not_found_file());
    let error = |code: u16| json!({"ErrorCode": code, "ResponsePagePath": page, "ResponseCode": "404", "ErrorCachingMinTTL": 10});
    let objects = arn(bucket, prefix, "*");
    let distribution = "arn:aws:cloudfront::ACCOUNT:distribution/DISTRIBUTION";
    let only = json!({"StringEquals": {"AWS:SourceArn": distribution}});
    let principal = json!({"Service": "cloudfront.amazonaws.com"});
    let mut publisher = publisher_policy(bucket, prefix);
    if let Some(statements) = publisher["Statement"].as_array_mut() {
        statements.push(json!({
            "Effect": "Allow", "Action": "cloudfront:CreateInvalidation", "Resource": distribution
        }));
    }
    let document = json!({
        "distribution": {
            "DefaultRootObject": "index.html",
            "OriginPath": if prefix.is_empty() { String::new() } else { format!("/{}", prefix.trim_matches('/')) },
            "CustomErrorResponses": {"Quantity": 2, "Items": [error(403), error(404)]},
        },
        "function": {
            "EventType": "viewer-request",
            "Runtime": "cloudfront-js-2.0",
            "Code": function(config),
        },
        "response_headers_policies": response_headers(config),
        "bucket_policy": {
            "Version": "2012-10-17",
            "Statement": [
                {"Sid": "Site", "Effect": "Allow", "Principal": principal, "Action": "s3:GetObject",
                 "Resource": objects, "Condition": only},
                {"Sid": "Memory", "Effect": "Deny", "Principal": principal, "Action": "s3:GetObject",
                 "Resource": arn(bucket, prefix, &format!("{STATE}*"))},
            ],
        },
        "publisher_policy": publisher,
    });
    Ok(format!("{document:#}\n"))
}

/// The CloudFront function that gives every page one address, with the contract's settings in it.
fn function(config: &Contract) -> String {
    let moves: BTreeMap<&str, &str> =
        config.redirects.iter().map(|redirect| (redirect.from.as_str(), redirect.to.as_str())).collect();
    let settings = json!({
        "moves": moves,
        "stripsSlash": config.site.trailing_slash == TrailingSlash::Never,
    });
    format!("var settings = {settings};\n\n{FUNCTION}")
}

/// The headers that a bucket cannot send, by path: one policy for each entry of the contract, each with what
/// the entries before it ask of every path.
fn response_headers(config: &Contract) -> Vec<Value> {
    let mut everywhere: BTreeMap<String, String> = BTreeMap::new();
    let mut policies = Vec::new();
    for rule in &config.headers {
        let own: BTreeMap<String, String> = rule
            .set
            .iter()
            .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()))
            .filter(|(name, _)| !STORED.contains(&name.as_str()))
            .collect();
        if own.is_empty() {
            continue;
        }
        let all = rule.patterns.iter().any(|pattern| pattern == "/**");
        let mut set = everywhere.clone();
        set.extend(own.clone());
        if all {
            everywhere.extend(own);
        }
        let paths: Vec<String> = rule.patterns.iter().map(|pattern| pattern.replace("**", "*")).collect();
        policies.push(json!({"path_patterns": paths, "policy": policy(&set)}));
    }
    policies
}

fn policy(set: &BTreeMap<String, String>) -> Value {
    let mut security = serde_json::Map::new();
    for (name, value) in set.iter().filter(|(name, _)| SECURITY.contains(&name.as_str())) {
        let (key, setting) = match name.as_str() {
            "content-security-policy" => {
                ("ContentSecurityPolicy", json!({"Override": true, "ContentSecurityPolicy": value}))
            }
            "referrer-policy" => ("ReferrerPolicy", json!({"Override": true, "ReferrerPolicy": value})),
            "x-frame-options" => {
                ("FrameOptions", json!({"Override": true, "FrameOption": value.to_ascii_uppercase()}))
            }
            "x-content-type-options" => ("ContentTypeOptions", json!({"Override": true})),
            _ => ("StrictTransportSecurity", transport_security(value)),
        };
        security.insert(key.to_owned(), setting);
    }
    let custom: Vec<Value> = set
        .iter()
        .filter(|(name, _)| !SECURITY.contains(&name.as_str()))
        .map(|(name, value)| json!({"Header": name, "Value": value, "Override": true}))
        .collect();
    let mut policy = json!({"SecurityHeadersConfig": security});
    if !custom.is_empty() {
        policy["CustomHeadersConfig"] = json!({"Quantity": custom.len(), "Items": custom});
    }
    policy
}

fn transport_security(value: &str) -> Value {
    let has = |word: &str| value.split(';').any(|part| part.trim().eq_ignore_ascii_case(word));
    let age = value.split(';').find_map(|part| part.trim().strip_prefix("max-age=")?.parse::<u64>().ok());
    json!({
        "Override": true,
        "AccessControlMaxAgeSec": age.unwrap_or(0),
        "IncludeSubdomains": has("includeSubDomains"),
        "Preload": has("preload"),
    })
}

#[cfg(test)]
mod tests {
    use super::transport_security;

    #[test]
    fn transport_security_is_taken_apart() {
        let setting = transport_security("max-age=63072000; includeSubDomains");
        assert_eq!(setting["AccessControlMaxAgeSec"], 63_072_000);
        assert_eq!((&setting["IncludeSubdomains"], &setting["Preload"]), (&true.into(), &false.into()));
    }
}
