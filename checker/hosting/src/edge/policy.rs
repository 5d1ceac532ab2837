//! Rights in AWS's policy language that more than one host needs.

use crate::error::HostingError;
use serde_json::{Value, json};

/// What the publisher must be allowed to do, and no more.
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

/// The right to list what lies below a prefix of a bucket, and nothing beside it.
///
/// It is also what tells a path that is not there (404) from one that may not be read (403): for that, S3 takes the key
/// that was asked for as the prefix of the condition.
pub(super) fn listing(bucket: &str, prefix: &str) -> Value {
    let mut list = json!({
        "Effect": "Allow", "Action": "s3:ListBucket", "Resource": format!("arn:aws:s3:::{bucket}")
    });
    if !prefix.trim_matches('/').is_empty() {
        list["Condition"] = json!({"StringLike": {"s3:prefix": format!("{}/*", literal(prefix))}});
    }
    list
}

/// The name of what lies below a prefix of a bucket.
pub(super) fn arn(bucket: &str, prefix: &str, rest: &str) -> String {
    match literal(prefix).as_str() {
        "" => format!("arn:aws:s3:::{bucket}/{rest}"),
        prefix => format!("arn:aws:s3:::{bucket}/{prefix}/{rest}"),
    }
}

/// A prefix in which no character stands for others.
fn literal(prefix: &str) -> String {
    let plain = |character: char| match character {
        '*' => "${*}".to_owned(),
        '?' => "${?}".to_owned(),
        '$' => "${$}".to_owned(),
        other => other.to_string(),
    };
    prefix.trim_matches('/').chars().map(plain).collect()
}

/// Refuses a bucket's name that would stand for other buckets too.
///
/// # Errors
/// When it has characters that no bucket's name has.
pub(super) fn refuse_odd_bucket(bucket: &str) -> Result<(), HostingError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if !bucket.is_empty() && bucket.bytes().all(plain) {
        return Ok(());
    }
    Err(HostingError::Unsupported(format!("--bucket: `{bucket}` is not the name of a bucket")))
}
