//! Answers requests to the S3 test server: a bucket, and CloudFront invalidations.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use md5::{Digest, Md5};

use super::credential_services;
use super::parts;
use super::server::{
    BUCKET, CLOUDFRONT, Conditions, Inner, Modified, Objects, READER, Reply, Request, Settings, Stored,
    http_date,
};
use super::signature::{authorize, hex};

pub fn error(status: u16, code: &str) -> Reply {
    let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>test</Message></Error>");
    let headers = vec![("content-type".to_owned(), "application/xml".to_owned())];
    Reply { status, headers, body: body.into_bytes() }
}

fn empty(status: u16) -> Reply {
    Reply { status, headers: Vec::new(), body: Vec::new() }
}

pub fn answer(request: &Request, inner: &Mutex<Inner>, settings: Settings) -> Reply {
    if let Some(reply) = credential_services::unsigned(request) {
        return reply;
    }
    if !settings.google
        && let Err(code) = authorize(request, settings.skew)
    {
        let status = if code == "XAmzContentSHA256Mismatch" { 400 } else { 403 };
        return error(status, code);
    }
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let path = decode(path);
    if request.method == "POST" && path.starts_with(CLOUDFRONT) {
        let whole = String::from_utf8_lossy(&request.body).contains("<Path>/*</Path>");
        return if whole { empty(201) } else { error(400, "InvalidArgument") };
    }
    if request.method == "POST" && path == "/" {
        return credential_services::assume_role(request);
    }
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    if parts.next() != Some(BUCKET) {
        return error(404, "NoSuchBucket");
    }
    let key = parts.next().unwrap_or("").to_owned();
    let query: BTreeMap<String, String> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decode(name), decode(&value.replace('+', " "))))
        .collect();
    let writes = matches!(request.method.as_str(), "PUT" | "DELETE" | "POST");
    if writes && request.headers.get("authorization").is_some_and(|found| found.contains(READER)) {
        return error(403, "AccessDenied");
    }
    let mut inner = inner.lock().unwrap();
    let reply = match request.method.as_str() {
        "GET" if query.contains_key("list-type") => list(&inner.objects, &query, settings.page),
        "GET" | "HEAD" => get(&inner.objects, &key, request),
        "PUT" if query.contains_key("partNumber") => parts::part(&mut inner.uploads, &query, &request.body)
            .unwrap_or_else(|| error(404, "NoSuchUpload")),
        "POST" if query.contains_key("uploads") => parts::begin(&mut inner.uploads, object_headers(request)),
        "POST" if query.contains_key("uploadId") => {
            let seconds = inner.now(settings);
            match parts::complete(&mut inner.uploads, &query["uploadId"], request, seconds) {
                Some((stored, reply)) => {
                    inner.objects.insert(key.clone(), stored);
                    reply
                }
                None => error(404, "NoSuchUpload"),
            }
        }
        "DELETE" if query.contains_key("uploadId") => {
            inner.uploads.remove(&query["uploadId"]);
            empty(204)
        }
        "PUT" => {
            let seconds = inner.now(settings);
            put(&mut inner.objects, &key, request, settings, seconds)
        }
        "DELETE" => {
            inner.objects.remove(&key);
            empty(204)
        }
        "POST" if query.contains_key("delete") => delete(&mut inner.objects, &request.body),
        _ => error(501, "NotImplemented"),
    };
    if writes
        && let Some(watch) = &inner.watch
        && let Err(wrong) = watch(&inner.objects)
    {
        inner.wrong.push(format!("after {} {key}: {wrong}", request.method));
    }
    reply
}

/// Returns an object, or the requested range of it. Only bytes that are sent are copied, because some objects are large.
fn get(objects: &Objects, key: &str, request: &Request) -> Reply {
    let Some(stored) = objects.get(key) else { return error(404, "NoSuchKey") };
    let mut headers: Vec<(String, String)> =
        stored.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    headers.push(("etag".to_owned(), format!("\"{}\"", stored.etag())));
    headers.push(("x-goog-generation".to_owned(), stored.generation.to_string()));
    headers.push(("last-modified".to_owned(), http_date(stored.modified.0)));
    let range = request.headers.get("range").and_then(|range| range.strip_prefix("bytes="));
    let Some((first, last)) = range.and_then(|range| range.split_once('-')) else {
        headers.push(("content-length".to_owned(), stored.body.len().to_string()));
        return Reply { status: 200, headers, body: stored.body.clone() };
    };
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    let (length, end) = (stored.body.len(), stored.body.len().min(last + 1));
    headers.push(("content-range".to_owned(), format!("bytes {first}-{}/{length}", end - 1)));
    Reply { status: 206, headers, body: stored.body[first..end].to_vec() }
}

/// Returns the headers of a request that are stored with the object.
fn object_headers(request: &Request) -> BTreeMap<String, String> {
    let kept = [
        "content-type",
        "cache-control",
        "content-language",
        "content-disposition",
        "x-amz-website-redirect-location",
    ];
    let headers = request.headers.iter().filter(|(name, _)| kept.contains(&name.as_str()));
    headers.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn put(objects: &mut Objects, key: &str, request: &Request, settings: Settings, seconds: u64) -> Reply {
    let conditions = settings.conditions;
    let there = objects.get(key);
    if conditions != Conditions::Ignored {
        if request.headers.contains_key("if-none-match") && there.is_some() {
            return match conditions {
                Conditions::Bare => error(500, "UnknownError"),
                _ => error(412, "PreconditionFailed"),
            };
        }
        if let Some(wanted) = request.headers.get("if-match") {
            let Some(there) = there else { return error(404, "NoSuchKey") };
            let bare = wanted.trim_matches('"');
            let understood = conditions == Conditions::Honoured || bare == wanted;
            if !understood || bare != there.etag() {
                return error(412, "PreconditionFailed");
            }
        }
    }
    if let Some(wanted) = request.headers.get("x-goog-if-generation-match")
        && *wanted != there.map_or(0, |there| there.generation).to_string()
    {
        return error(412, "PreconditionFailed");
    }
    let copied =
        ["x-amz-copy-source", "x-goog-copy-source"].iter().find_map(|name| request.headers.get(*name));
    let mut stored = match copied {
        Some(source) => {
            let source = decode(source);
            let source = source.trim_start_matches('/').strip_prefix(&format!("{BUCKET}/")).unwrap();
            match objects.get(source) {
                Some(stored) => stored.clone(),
                None => return error(404, "NoSuchKey"),
            }
        }
        None => Stored { body: request.body.clone(), headers: object_headers(request), ..Stored::default() },
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    // Each write has another tag, in the format of a digest.
    stored.tag = settings.opaque.then(|| hex(&Md5::digest(now.to_string())));
    stored.generation = if settings.google { now } else { 0 };
    stored.modified = Modified(seconds);
    let etag = format!("\"{}\"", stored.etag());
    let generation = stored.generation.to_string();
    objects.insert(key.to_owned(), stored);
    let body = if copied.is_some() {
        format!(
            "<CopyObjectResult><LastModified>2024-09-11T14:30:00Z</LastModified><ETag>{etag}</ETag></CopyObjectResult>"
        )
    } else {
        String::new()
    };
    let headers = vec![("etag".to_owned(), etag), ("x-goog-generation".to_owned(), generation)];
    Reply { status: 200, headers, body: body.into_bytes() }
}

fn list(objects: &Objects, query: &BTreeMap<String, String>, page: usize) -> Reply {
    let prefix = query.get("prefix").map_or("", String::as_str);
    let token = query.get("continuation-token").map(|token| unhex(token));
    let after = token.as_ref().or_else(|| query.get("start-after"));
    let mut found =
        objects.iter().filter(|(key, _)| key.starts_with(prefix) && after.is_none_or(|after| *key > after));
    let mut body = String::from("<?xml version=\"1.0\"?><ListBucketResult>");
    let mut last = "";
    for (key, stored) in found.by_ref().take(page) {
        last = key;
        body.push_str(&format!(
            "<Contents><Key>{}</Key><LastModified>2024-09-11T14:30:00.000Z</LastModified>\
             <ETag>&quot;{}&quot;</ETag><Size>{}</Size></Contents>",
            escaped(key),
            stored.etag(),
            stored.body.len()
        ));
    }
    match found.next() {
        Some(_) => body.push_str(&format!(
            "<IsTruncated>true</IsTruncated><NextContinuationToken>{}</NextContinuationToken>",
            hex(last.as_bytes())
        )),
        None => body.push_str("<IsTruncated>false</IsTruncated>"),
    }
    body.push_str("</ListBucketResult>");
    Reply { status: 200, headers: Vec::new(), body: body.into_bytes() }
}

/// Escapes a key as AWS does in XML, with character references that XML 1.0 does not allow.
fn escaped(key: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/-_.~ %".contains(c);
    key.chars().map(|c| if plain(c) { c.to_string() } else { format!("&#x{:x};", u32::from(c)) }).collect()
}

/// Decodes hexadecimal text.
fn unhex(text: &str) -> String {
    let bytes = (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap());
    String::from_utf8(bytes.collect()).unwrap()
}

fn delete(objects: &mut Objects, body: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(body);
    let mut reply = String::from("<?xml version=\"1.0\"?><DeleteResult>");
    for part in text.split("<Key>").skip(1) {
        let key = part.split("</Key>").next().unwrap();
        objects.remove(&*quick_xml::escape::unescape(key).unwrap());
        reply.push_str(&format!("<Deleted><Key>{key}</Key></Deleted>"));
    }
    reply.push_str("</DeleteResult>");
    Reply { status: 200, headers: Vec::new(), body: reply.into_bytes() }
}

pub fn decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned()
}
