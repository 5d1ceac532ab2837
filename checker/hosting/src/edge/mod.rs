//! Writes the configuration that a contract asks of a host: nginx, CloudFront, an S3 website.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use globset::GlobBuilder;
use serde_json::{Value, json};

use crate::headers::{REVALIDATE, STATE, STORED};
use sitegate_check::contract::{Contract, TrailingSlash};

/// Headers that CloudFront takes only under a heading of their own.
const SECURITY: [&str; 5] = [
    "content-security-policy",
    "referrer-policy",
    "strict-transport-security",
    "x-content-type-options",
    "x-frame-options",
];

fn not_found(config: &Contract) -> &str {
    config.site.not_found.as_ref().map_or("404.html", |name| name.value.trim_start_matches('/'))
}

/// A path pattern as a regular expression that nginx and JavaScript understand.
fn regex(pattern: &str) -> io::Result<String> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build().map_err(io::Error::other)?;
    Ok(glob.regex().trim_start_matches("(?-u)").replace("(?:/?|.*/)", "(?:.*/)?"))
}

/// A server block for nginx, with the maps that it needs before it: for a file in `conf.d`.
///
/// # Errors
/// When the contract asks for what a plain server block cannot give.
pub fn nginx(config: &Contract, root: &Path) -> io::Result<String> {
    if config.site.base_path != "/" {
        let message = "site.base-path is not `/`: give the site a server block of its own, or use alias";
        return Err(io::Error::new(io::ErrorKind::Unsupported, message));
    }
    let root = std::path::absolute(root)?;
    let mut names: BTreeMap<String, Vec<(String, &str)>> = BTreeMap::new();
    names.insert("cache-control".to_owned(), Vec::new());
    for rule in &config.headers {
        for (name, value) in &rule.set {
            for pattern in &rule.patterns {
                let entries = names.entry(name.to_ascii_lowercase()).or_default();
                entries.push((regex(pattern)?, value));
            }
        }
    }
    // nginx takes types from its own table, and sends what a file is stored as.
    for own in ["content-type", "content-encoding"] {
        names.remove(own);
    }
    let mut text = String::from("# Written by `sitegate edge nginx`: for a file in /etc/nginx/conf.d/.\n\n");
    let mut add = String::new();
    for (name, entries) in &names {
        let variable = format!("$sitegate_{}", name.replace('-', "_"));
        let default = if name == "cache-control" { REVALIDATE } else { "" };
        let _ = writeln!(text, "map $uri {variable} {{\n    volatile;\n    default {};", quoted(default));
        // The first expression that fits decides here, and the last entry that fits decides in the contract.
        for (pattern, value) in entries.iter().rev() {
            let _ = writeln!(text, "    {} {};", quoted(&format!("~{pattern}")), quoted(value));
        }
        text.push_str("}\n\n");
        let _ = writeln!(add, "    add_header {name} {variable} always;");
    }
    if !config.redirects.is_empty() {
        text.push_str("map $uri $sitegate_moved {\n    default \"\";\n");
        for redirect in &config.redirects {
            let from = regex::escape(&redirect.from);
            let _ = writeln!(text, "    \"~^{from}/?$\" \"{}\";", redirect.to);
        }
        text.push_str("}\n\n");
        add.push_str("\n    if ($sitegate_moved) {\n        return 301 $sitegate_moved;\n    }\n");
    }
    let never = config.site.trailing_slash == TrailingSlash::Never;
    let name = config.site.origin.as_ref().and_then(url::Url::host_str).unwrap_or("_");
    let (slash, find) = match never {
        true => ("    rewrite ^(/.+)/$ $1 permanent;\n\n", "$uri $uri/index.html =404"),
        false => ("", "$uri $uri/ =404"),
    };
    let _ = write!(
        text,
        "server {{
    listen 80;
    server_name {name};
    root {};
    index index.html;
    charset utf-8;
    absolute_redirect off;
    server_tokens off;

    # What `sitegate publish --precompress` puts beside a file is sent as it is; all else is compressed here.
    # With the module for it (Debian: libnginx-mod-http-brotli-static): brotli_static on;
    gzip_static on;
    gzip on;
    gzip_vary on;
    gzip_min_length 1000;
    gzip_types text/css text/plain text/xml application/javascript text/javascript application/json
        application/manifest+json application/xml image/svg+xml;

{add}
    error_page 403 404 =404 /{};
{slash}    location / {{
        try_files {find};
    }}

    location ^~ /{STATE} {{
        return 404;
    }}
}}
",
        quoted(&root.display().to_string()),
        not_found(config),
    );
    Ok(text)
}

/// A string in nginx's syntax; its `$` would otherwise be read as a variable in values.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What CloudFront needs in front of a private bucket, as one JSON document.
///
/// # Errors
/// When a pattern of the contract cannot be written for CloudFront.
pub fn cloudfront(config: &Contract, bucket: &str, prefix: &str) -> io::Result<String> {
    let page = format!("/{}", not_found(config));
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

/// What the publisher must be allowed to do, and no more.
fn publisher_policy(bucket: &str, prefix: &str) -> Value {
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

fn arn(bucket: &str, prefix: &str, rest: &str) -> String {
    match prefix.trim_matches('/') {
        "" => format!("arn:aws:s3:::{bucket}/{rest}"),
        prefix => format!("arn:aws:s3:::{bucket}/{prefix}/{rest}"),
    }
}

/// A CloudFront function that gives every page one address.
fn function(config: &Contract) -> String {
    let body = match config.site.trailing_slash {
        TrailingSlash::Never => {
            "    if (uri.length > 1 && uri.endsWith('/')) {
        return moved(uri.replace(/\\/+$/, '') || '/', request.querystring);
    }
    return request;"
        }
        TrailingSlash::Redirect => {
            "    var last = uri.slice(uri.lastIndexOf('/') + 1);
    if (last === '') {
        request.uri = uri + 'index.html';
    } else if (last.indexOf('.') < 0) {
        return moved(uri + '/', request.querystring);
    }
    return request;"
        }
    };
    let moves: BTreeMap<&str, &str> =
        config.redirects.iter().map(|redirect| (redirect.from.as_str(), redirect.to.as_str())).collect();
    let moves = json!(moves);
    format!(
        "var moves = {moves};

function moved(uri, query) {{
    var pairs = [];
    for (var name in query) {{
        var values = query[name].multiValue || [query[name]];
        values.forEach(function (entry) {{ pairs.push(name + (entry.value === '' ? '' : '=' + entry.value)); }});
    }}
    var value = uri + (pairs.length ? '?' + pairs.join('&') : '');
    return {{ statusCode: 301, statusDescription: 'Moved Permanently', headers: {{ location: {{ value: value }} }} }};
}}

function handler(event) {{
    var request = event.request;
    // Two slashes at the start would name another host in a redirect.
    var uri = request.uri.replace(/^\\/+/, '/');
    var to = moves[uri.length > 1 ? uri.replace(/\\/+$/, '') : uri];
    if (to) {{
        return {{ statusCode: 301, statusDescription: 'Moved Permanently', headers: {{ location: {{ value: to }} }} }};
    }}
{body}
}}
"
    )
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

/// What a public bucket needs to answer as a website, as one JSON document.
///
/// # Errors
/// None at present; the signature is that of its siblings.
pub fn s3_website(config: &Contract, bucket: &str, prefix: &str) -> io::Result<String> {
    let mut statements = public_policy(bucket, prefix);
    statements.push(json!({
        "Sid": "UnknownPathsAnswer404InsteadOf403", "Effect": "Allow", "Principal": "*",
        "Action": "s3:ListBucket", "Resource": format!("arn:aws:s3:::{bucket}")
    }));
    let document = json!({
        "website_configuration": {
            "IndexDocument": {"Suffix": "index.html"},
            "ErrorDocument": {"Key": not_found(config)},
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

#[cfg(test)]
mod tests {
    use super::{regex, transport_security};

    #[test]
    fn patterns_become_expressions_without_rust_only_syntax() {
        for (pattern, expected) in [("/assets/*.js", "^/assets/[^/]*\\.js$"), ("/**", "^/.*$")] {
            assert_eq!(regex(pattern).ok().as_deref(), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn transport_security_is_taken_apart() {
        let setting = transport_security("max-age=63072000; includeSubDomains");
        assert_eq!(setting["AccessControlMaxAgeSec"], 63_072_000);
        assert_eq!((&setting["IncludeSubdomains"], &setting["Preload"]), (&true.into(), &false.into()));
    }
}
