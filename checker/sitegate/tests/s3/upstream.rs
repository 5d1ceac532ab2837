//! A client of a real S3 server on this machine, to which the fault server forwards requests.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use super::bucket::decode;
use super::server::{KEY, Objects, Reply, Request, SECRET, Stored};
use super::signature::{encode, hex, signature};

const REGION: &str = "us-east-1";

/// Headers of an object that are compared.
const KEPT: [&str; 4] = ["content-type", "cache-control", "content-language", "content-disposition"];

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A bucket on a real server.
#[derive(Clone)]
pub struct Upstream {
    /// Host and port.
    pub address: String,
    /// The bucket of a test.
    pub bucket: String,
}

impl Upstream {
    /// Creates a bucket.
    pub fn new(endpoint: &str) -> Upstream {
        let address = endpoint.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let bucket = format!("t{}-{seconds}-{count}", std::process::id());
        let upstream = Upstream { address, bucket };
        assert_eq!(
            upstream.signed_request("PUT", "", "", &BTreeMap::new(), b"").status,
            200,
            "cannot make a bucket"
        );
        upstream
    }

    /// Forwards a request unchanged: its signature covers the host that the client used.
    pub fn forward(&self, request: &Request) -> Reply {
        let headers: Vec<(String, String)> = request
            .headers
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "connection" | "expect" | "content-length"))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        send(&self.address, &request.method, &request.target, &headers, &request.body)
    }

    /// Sends a signed request. `query` must be canonical.
    pub fn signed_request(
        &self,
        method: &str,
        key: &str,
        query: &str,
        headers: &BTreeMap<String, String>,
        body: &[u8],
    ) -> Reply {
        let path = match key {
            "" => format!("/{}", self.bucket),
            key => format!("/{}/{}", self.bucket, encode(key).replace("%2F", "/")),
        };
        let digest = hex(&Sha256::digest(body));
        let date = chrono::Utc::now().format("%Y%m%dT%H%M%SZ").to_string();
        let mut all = headers.clone();
        all.insert("host".to_owned(), self.address.clone());
        all.insert("x-amz-content-sha256".to_owned(), digest.clone());
        all.insert("x-amz-date".to_owned(), date.clone());
        let signed = all.keys().cloned().collect::<Vec<_>>().join(";");
        let lines: String = all.iter().map(|(name, value)| format!("{name}:{value}\n")).collect();
        let canonical = format!("{method}\n{path}\n{query}\n{lines}\n{signed}\n{digest}");
        let scope = format!("{}/{REGION}/s3/aws4_request", &date[..8]);
        let signature = signature(SECRET, &date, &scope, &canonical);
        all.insert(
            "authorization".to_owned(),
            format!(
                "AWS4-HMAC-SHA256 Credential={KEY}/{scope}, SignedHeaders={signed}, Signature={signature}"
            ),
        );
        let target = if query.is_empty() { path } else { format!("{path}?{query}") };
        send(&self.address, method, &target, &all.into_iter().collect::<Vec<_>>(), body)
    }

    pub fn put(&self, key: &str, stored: &Stored) {
        assert_eq!(self.signed_request("PUT", key, "", &stored.headers, &stored.body).status, 200, "{key}");
    }

    pub fn delete(&self, key: &str) {
        assert!(self.signed_request("DELETE", key, "", &BTreeMap::new(), b"").status < 300, "{key}");
    }

    fn keys(&self) -> Vec<String> {
        let reply = self.signed_request("GET", "", "encoding-type=url&list-type=2", &BTreeMap::new(), b"");
        let text = String::from_utf8(reply.body).unwrap();
        let listed = text.split("<Key>").skip(1).filter_map(|rest| rest.split("</Key>").next());
        listed.map(|key| decode(&quick_xml::escape::unescape(key).unwrap())).collect()
    }

    pub fn objects(&self) -> Objects {
        let objects = self.keys().into_iter().filter_map(|key| {
            let reply = self.signed_request("GET", &key, "", &BTreeMap::new(), b"");
            let headers = reply.headers.into_iter().filter(|(name, _)| KEPT.contains(&name.as_str()));
            (reply.status == 200)
                .then(|| (key, Stored { headers: headers.collect(), body: reply.body, ..Stored::default() }))
        });
        objects.collect()
    }

    pub fn set_objects(&self, objects: &Objects) {
        let there = self.objects();
        for key in there.keys().filter(|key| !objects.contains_key(*key)) {
            self.delete(key);
        }
        for (key, stored) in objects.iter().filter(|(key, stored)| there.get(*key) != Some(stored)) {
            self.put(key, stored);
        }
    }
}

/// Sends a request over a new connection, and reads the whole response.
pub fn send(address: &str, method: &str, target: &str, headers: &[(String, String)], body: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(address).unwrap();
    let mut text = format!("{method} {target} HTTP/1.1\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("content-length: {}\r\nconnection: close\r\n\r\n", body.len()));
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    stream.write_all(&bytes).unwrap();
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).map_or(500, |status| status.parse().unwrap());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.push((name.to_lowercase(), value.trim().to_owned())),
            None => break,
        }
    }
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let mut body = Vec::new();
    if chunked {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).unwrap();
            let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).unwrap();
            body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                break;
            }
        }
    } else if method != "HEAD" {
        reader.read_to_end(&mut body).unwrap();
    }
    headers.retain(|(name, _)| name != "transfer-encoding" && name != "connection");
    Reply { status, headers, body }
}
