//! `sitegate edge s3-website`: what a public bucket needs to answer as a website, and what it never can.

use crate::error::HostingError;
use serde_json::{Value, json};
use sitegate_check::internal::contract::Contract;

use super::addresses::refuse_clean_urls;
use super::policy::{arn, listing, publisher_policy, refuse_odd_bucket};
use crate::headers::{STATE, STORED};

/// What a public bucket needs to answer as a website, as one JSON document.
///
/// # Errors
/// When pages have clean URLs, or the bucket's name is none.
pub fn s3_website(config: &Contract, bucket: &str, prefix: &str) -> Result<String, HostingError> {
    refuse_clean_urls(config)?;
    refuse_odd_bucket(bucket)?;
    let mut statements = public_policy(bucket, prefix);
    let mut missing = listing(bucket, prefix);
    missing["Sid"] = json!("UnknownPathsAnswer404InsteadOf403");
    missing["Principal"] = json!("*");
    statements.push(missing);
    let document = json!({
        "website_configuration": {
            "IndexDocument": {"Suffix": "index.html"},
            "ErrorDocument": {"Key": config.site.not_found_file()},
        },
        "bucket_policy": {"Version": "2012-10-17", "Statement": statements},
        "publisher_policy": publisher_policy(bucket, prefix),
        "not_possible": headers_it_cannot_send(config),
    });
    Ok(format!("{document:#}\n"))
}

/// Lets the world read the site, and not what sitegate remembers beside it.
///
/// A denial would hit the publisher too, and the conditions that could spare it are not known to every store, so
/// the site is allowed by leaving the memory out. Below a prefix that cannot be said, for it would open the rest
/// of the bucket; there all but the bucket's own account are denied.
fn public_policy(bucket: &str, prefix: &str) -> Vec<Value> {
    let memory = arn(bucket, prefix, &format!("{STATE}*"));
    let mut site = json!({"Sid": "Site", "Effect": "Allow", "Principal": "*", "Action": "s3:GetObject"});
    if prefix.trim_matches('/').is_empty() {
        site["NotResource"] = json!(memory);
        return vec![site];
    }
    site["Resource"] = json!(arn(bucket, prefix, "*"));
    let others = json!({"StringNotEquals": {"aws:PrincipalAccount": "ACCOUNT"}});
    let deny = json!({"Sid": "Memory", "Effect": "Deny", "Principal": "*", "Action": "s3:GetObject",
                      "Resource": memory, "Condition": others});
    vec![site, deny]
}

/// The headers that the contract asks for and that an S3 website never sends.
fn headers_it_cannot_send(config: &Contract) -> Vec<String> {
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
