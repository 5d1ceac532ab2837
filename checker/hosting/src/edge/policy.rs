//! Rights in AWS's policy language that more than one host needs.

use serde_json::{Value, json};

/// What the publisher must be allowed to do, and no more.
pub(super) fn publisher_policy(bucket: &str, prefix: &str) -> Value {
    let mut list = json!({
        "Effect": "Allow", "Action": "s3:ListBucket", "Resource": format!("arn:aws:s3:::{bucket}")
    });
    if !prefix.is_empty() {
        list["Condition"] = json!({"StringLike": {"s3:prefix": format!("{}/*", prefix.trim_matches('/'))}});
    }
    json!({
        "Version": "2012-10-17",
        "Statement": [
            list,
            {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
             "Resource": arn(bucket, prefix, "*")},
        ],
    })
}

/// The name of what lies below a prefix of a bucket.
pub(super) fn arn(bucket: &str, prefix: &str, rest: &str) -> String {
    match prefix.trim_matches('/') {
        "" => format!("arn:aws:s3:::{bucket}/{rest}"),
        prefix => format!("arn:aws:s3:::{bucket}/{prefix}/{rest}"),
    }
}
