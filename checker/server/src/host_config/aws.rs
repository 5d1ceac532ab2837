//! `sitegate host-config s3-website`: configures a public bucket as a website, and lists what it cannot do. `cloudfront`:
//! configures a distribution, its function and its headers for a private bucket.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Value, json};
use sitegate_address::percent::escape_reference;
use sitegate_check::Contract;
use sitegate_host::TrailingSlash;
use sitegate_host::headers::{STATE, STORED};

use super::config_file::reject_clean_urls;
use super::patterns::page_patterns;
use crate::error::ServerError;

/// Returns the configuration of a public bucket as a website, as one JSON document. Only if `may_list`, unknown paths
/// answer 404 instead of 403: S3 then also lists all keys to anyone who requests it.
///
/// # Errors
/// When the contract has clean URLs, or the bucket's name is invalid.
pub fn s3_website(
    config: &Contract,
    bucket: &str,
    prefix: &str,
    may_list: bool,
) -> Result<String, ServerError> {
    reject_clean_urls(config)?;
    refuse_invalid_bucket(bucket)?;
    let mut statements = public_policy(bucket, prefix);
    let mut not_possible = unsupported_headers(config);
    if may_list {
        let mut missing = listing(bucket, prefix);
        missing["Sid"] = json!("AnyoneMayListSoThatUnknownPathsAnswer404InsteadOf403");
        missing["Principal"] = json!("*");
        statements.push(missing);
    } else {
        not_possible.push("status 404 for unknown paths: they answer 403, with the same page".to_owned());
    }
    let document = json!({
        "website_configuration": {
            "IndexDocument": {"Suffix": "index.html"},
            "ErrorDocument": {"Key": config.site.not_found_file()},
        },
        "bucket_policy": {"Version": "2012-10-17", "Statement": statements},
        "publisher_policy": publisher_policy(bucket, prefix),
        "not_possible": not_possible,
    });
    Ok(format!("{document:#}\n"))
}

/// Allows everyone to read the site, but not the target state.
///
/// A denial would include the publisher, and not every store supports conditions that could exempt it. So the
/// permission excludes the target state instead. Below a prefix this is impossible, because it would open the
/// rest of the bucket. There, the target state is denied to all but the bucket's own account.
fn public_policy(bucket: &str, prefix: &str) -> Vec<Value> {
    let target_state = arn(bucket, prefix, &format!("{STATE}*"));
    let mut site = json!({"Sid": "Site", "Effect": "Allow", "Principal": "*", "Action": "s3:GetObject"});
    if prefix.trim_matches('/').is_empty() {
        site["NotResource"] = json!(target_state);
        return vec![site];
    }
    site["Resource"] = json!(arn(bucket, prefix, "*"));
    let others = json!({"StringNotEquals": {"aws:PrincipalAccount": "ACCOUNT"}});
    let deny = json!({"Sid": "TargetState", "Effect": "Deny", "Principal": "*", "Action": "s3:GetObject",
                      "Resource": target_state, "Condition": others});
    vec![site, deny]
}

/// Returns the headers of the contract that an S3 website cannot send.
fn unsupported_headers(config: &Contract) -> Vec<String> {
    let mut names: Vec<String> = config
        .headers
        .iter()
        .flat_map(|rule| rule.set.keys())
        .map(|name| name.to_ascii_lowercase())
        .filter(|name| !STORED.contains(&name.as_str()))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the minimum permissions of the publisher.
fn publisher_policy(bucket: &str, prefix: &str) -> Value {
    json!({
        "Version": "2012-10-17",
        "Statement": [
            listing(bucket, prefix),
            {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"],
             "Resource": arn(bucket, prefix, "*")},
        ],
    })
}

/// Returns the permission to list a prefix of a bucket.
///
/// It also makes S3 return 404 instead of 403 for missing objects. For this, S3 compares the requested key with
/// the condition's prefix.
fn listing(bucket: &str, prefix: &str) -> Value {
    let mut list = json!({
        "Effect": "Allow", "Action": "s3:ListBucket", "Resource": format!("arn:aws:s3:::{bucket}")
    });
    if !prefix.trim_matches('/').is_empty() {
        list["Condition"] = json!({"StringLike": {"s3:prefix": format!("{}/*", literal(prefix))}});
    }
    list
}

/// Returns the ARN of objects below a prefix of a bucket.
fn arn(bucket: &str, prefix: &str, rest: &str) -> String {
    match literal(prefix).as_str() {
        "" => format!("arn:aws:s3:::{bucket}/{rest}"),
        prefix => format!("arn:aws:s3:::{bucket}/{prefix}/{rest}"),
    }
}

/// Escapes wildcards in a prefix.
fn literal(prefix: &str) -> String {
    let plain = |character: char| match character {
        '*' => "${*}".to_owned(),
        '?' => "${?}".to_owned(),
        '$' => "${$}".to_owned(),
        other => other.to_string(),
    };
    prefix.trim_matches('/').chars().map(plain).collect()
}

/// Rejects a bucket name that would match other buckets, too.
///
/// # Errors
/// When it has characters that are not allowed in bucket names.
fn refuse_invalid_bucket(bucket: &str) -> Result<(), ServerError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if !bucket.is_empty() && bucket.bytes().all(plain) {
        return Ok(());
    }
    Err(ServerError::Unsupported(format!("--bucket: `{bucket}` is not a valid bucket name")))
}

/// The function that runs for each request. Its settings are inserted before it.
const FUNCTION: &str = include_str!("function.js");

/// Maximum size of a function, in bytes.
const MAX_FUNCTION: usize = 10 << 10;

/// Headers with their own settings in CloudFront.
const SECURITY: [&str; 5] = [
    "content-security-policy",
    "referrer-policy",
    "strict-transport-security",
    "x-content-type-options",
    "x-frame-options",
];

/// Returns the configuration of CloudFront for a private bucket, as one JSON document.
///
/// # Errors
/// When a pattern of the contract cannot be expressed in CloudFront, or the contract has clean URLs.
pub fn cloudfront(config: &Contract, bucket: &str, prefix: &str) -> Result<String, ServerError> {
    reject_clean_urls(config)?;
    refuse_invalid_bucket(bucket)?;
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
    let code = function(config);
    if code.len() > MAX_FUNCTION {
        let message = format!(
            "redirects: the function has {} bytes; CloudFront runs at most {MAX_FUNCTION}",
            code.len()
        );
        return Err(ServerError::Unsupported(message));
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
            "Code": code,
        },
        "response_headers_policies": response_headers(config)?,
        "bucket_policy": {
            "Version": "2012-10-17",
            "Statement": [
                {"Sid": "Site", "Effect": "Allow", "Principal": principal, "Action": "s3:GetObject",
                 "Resource": objects, "Condition": only},
                {"Sid": "TargetState", "Effect": "Deny", "Principal": principal, "Action": "s3:GetObject",
                 "Resource": arn(bucket, prefix, &format!("{STATE}*"))},
            ],
        },
        "publisher_policy": publisher,
    });
    Ok(format!("{document:#}\n"))
}

/// Returns the CloudFront function that gives every page one URL, with the contract's settings.
fn function(config: &Contract) -> String {
    // CloudFront passes paths as they were requested: encoded.
    let moves: BTreeMap<Cow<'_, str>, &str> = config
        .redirects
        .iter()
        .map(|redirect| (escape_reference(&redirect.from), redirect.to.as_str()))
        .collect();
    let settings = json!({
        "moves": moves,
        "stripsSlash": config.site.trailing_slash == TrailingSlash::Never,
    });
    format!("var settings = {settings};\n\n{FUNCTION}")
}

/// Returns the headers that a bucket cannot send, by path: one policy per entry of the contract, including the
/// headers that earlier entries set for all paths.
fn response_headers(config: &Contract) -> Result<Vec<Value>, ServerError> {
    let mut for_all_paths: BTreeMap<String, String> = BTreeMap::new();
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
        let mut set = for_all_paths.clone();
        set.extend(own.clone());
        if all {
            for_all_paths.extend(own);
        }
        let mut paths = Vec::new();
        for pattern in &rule.patterns {
            paths.extend(page_patterns(pattern, "CloudFront")?.iter().map(|path| path.replace("**", "*")));
        }
        policies.push(json!({"path_patterns": paths, "policy": policy(&set)}));
    }
    Ok(policies)
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
    fn parses_strict_transport_security() {
        let setting = transport_security("max-age=63072000; includeSubDomains");
        assert_eq!(setting["AccessControlMaxAgeSec"], 63_072_000);
        assert_eq!((&setting["IncludeSubdomains"], &setting["Preload"]), (&true.into(), &false.into()));
    }
}
