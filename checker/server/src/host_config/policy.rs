//! Builds AWS policy statements that several hosts need.

use crate::error::ServerError;
use serde_json::{Value, json};

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
pub(super) fn listing(bucket: &str, prefix: &str) -> Value {
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
