//! Verifies AWS Signature Version 4, as a server does.

use std::time::{SystemTime, UNIX_EPOCH};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};

use super::bucket::decode;
use super::credential_services::TEMPORARY;
use super::server::{KEY, READER, Request, SECRET};

/// Verifies the signature (AWS Signature Version 4), time and body digest of a request.
pub fn authorize(request: &Request, skew: u64) -> Result<(), &'static str> {
    let header = |name: &str| request.headers.get(name).map(String::as_str);
    let authorization = header("authorization").ok_or("AccessDenied")?;
    let field = |name: &str| {
        let start = authorization.find(&format!("{name}="))? + name.len() + 1;
        authorization[start..].split([',', ' ']).next()
    };
    let credential = field("Credential").ok_or("AuthorizationHeaderMalformed")?;
    let (key, scope) = credential.split_once('/').ok_or("AuthorizationHeaderMalformed")?;
    let secret = match key {
        KEY | READER => SECRET,
        key if key == TEMPORARY[0] && header("x-amz-security-token") == Some(TEMPORARY[2]) => TEMPORARY[1],
        key if key == TEMPORARY[0] => return Err("InvalidToken"),
        _ => return Err("InvalidAccessKeyId"),
    };
    let date = header("x-amz-date").ok_or("AccessDenied")?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() + skew;
    if now.abs_diff(seconds(date)) > 15 * 60 {
        return Err("RequestTimeTooSkewed");
    }
    let body = hex(&Sha256::digest(&request.body));
    // Only buckets require the digest in a header. Requests for roles are at the root.
    let digest = header("x-amz-content-sha256").or((request.target == "/").then_some(&body));
    let digest = digest.ok_or("AccessDenied")?;
    if digest != body {
        return Err("XAmzContentSHA256Mismatch");
    }
    let signed = field("SignedHeaders").ok_or("AuthorizationHeaderMalformed")?;
    for must in ["host", "x-amz-content-sha256", "x-amz-date"] {
        if request.headers.contains_key(must) && !signed.split(';').any(|name| name == must) {
            return Err("AuthorizationHeaderMalformed");
        }
    }
    // S3 refuses them, too.
    let is_unsigned =
        |name: &&String| name.starts_with("x-amz-") && !signed.split(';').any(|known| known == *name);
    if request.headers.keys().any(|name| is_unsigned(&name)) {
        return Err("AccessDenied");
    }
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    // The signature covers the canonical encoding of the query.
    let mut pairs: Vec<String> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decode(name), decode(&value.replace('+', " "))))
        .map(|(name, value)| format!("{}={}", encode(&name), encode(&value)))
        .collect();
    pairs.sort();
    let headers: String =
        signed.split(';').map(|name| format!("{name}:{}\n", header(name).unwrap_or(""))).collect();
    let canonical = format!("{}\n{path}\n{}\n{headers}\n{signed}\n{digest}", request.method, pairs.join("&"));
    let expected = signature(secret, date, scope, &canonical);
    if field("Signature") == Some(&expected) { Ok(()) } else { Err("SignatureDoesNotMatch") }
}

/// Returns the signature of a canonical request.
pub fn signature(secret: &str, date: &str, scope: &str, canonical: &str) -> String {
    let to_sign = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{}", hex(&Sha256::digest(canonical)));
    let key =
        scope.split('/').fold(format!("AWS4{secret}").into_bytes(), |key, part| hmac(&key, part.as_bytes()));
    hex(&hmac(&key, to_sign.as_bytes()))
}

/// Percent-encodes text as AWS does in signatures.
pub fn encode(text: &str) -> String {
    const SIGNED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, SIGNED).to_string()
}

/// Parses a time such as `20240911T143000Z` into seconds since 1970.
fn seconds(date: &str) -> u64 {
    let date = chrono::NaiveDateTime::parse_from_str(date, "%Y%m%dT%H%M%SZ").unwrap();
    date.and_utc().timestamp().unsigned_abs()
}

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = [0_u8; 64];
    if key.len() > 64 {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let inner: Vec<u8> = block.iter().map(|byte| byte ^ 0x36).chain(message.iter().copied()).collect();
    let outer: Vec<u8> = block.iter().map(|byte| byte ^ 0x5c).chain(Sha256::digest(&inner)).collect();
    Sha256::digest(&outer).to_vec()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
