//! `sitegate host-config s3-website`: configures a public bucket as a website, and lists what it cannot do. Builds the
//! policy statements of buckets, which the configuration of CloudFront needs, too.

use serde_json::{Value, json};
use sitegate_check::Contract;
use sitegate_host::headers::{STATE, STORED};

use super::config_file::reject_clean_urls;
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
pub(super) fn publisher_policy(bucket: &str, prefix: &str) -> Value {
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
pub(super) fn arn(bucket: &str, prefix: &str, rest: &str) -> String {
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
pub(super) fn refuse_invalid_bucket(bucket: &str) -> Result<(), ServerError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if !bucket.is_empty() && bucket.bytes().all(plain) {
        return Ok(());
    }
    Err(ServerError::Unsupported(format!("--bucket: `{bucket}` is not a valid bucket name")))
}
