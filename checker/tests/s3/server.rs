//! An S3 server for tests: signatures checked, conditional writes atomic, faults on demand.
//!
//! It keeps its objects in memory. With SITEGATE_TEST_ENDPOINT set (to an S3 server on this machine that knows
//! the keys AKTEST and SKTEST), it stands before that server instead, with a bucket of its own, and only the
//! faults are its own. It listens on 127.0.0.1 and ends with the test that owns it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use md5::Md5;
use sha2::{Digest, Sha256};

use crate::upstream::Upstream;

pub const KEY: &str = "AKTEST";
pub const SECRET: &str = "SKTEST";
pub const READER: &str = "AKREAD";
/// What a role, a sign-in or a program gives for a while.
pub const TEMPORARY: [&str; 3] = ["AKTEMP", "SKTEMP", "TOKENTEMP"];
pub const ROLE: &str = "arn:aws:iam::123456789012:role/publisher";
pub const SIGN_IN: &str = "SIGNEDIN";
const CLOUDFRONT: &str = "/2020-05-31/distribution/";
const BUCKET: &str = "site";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    pub body: Vec<u8>,
    pub headers: BTreeMap<String, String>,
    /// The server's own entity tag, where it is not the MD5 of the body.
    pub tag: Option<String>,
    /// A number that each write makes anew, where the server is Google's.
    pub generation: u128,
}

impl Stored {
    pub fn etag(&self) -> String {
        self.tag.clone().unwrap_or_else(|| hex(&Md5::digest(&self.body)))
    }
}

pub type Objects = BTreeMap<String, Stored>;

/// How a server treats conditions on writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conditions {
    /// As AWS does: the loser gets 412, an entity tag may come in quotes or bare.
    Honoured,
    /// As an old Ceph gateway does: only bare tags are understood, the loser of a race gets 500.
    Bare,
    /// As some stores do: everyone gets 200.
    Ignored,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// 503 SlowDown; not carried out.
    Slow,
    /// 500; not carried out.
    Broken,
    /// The connection is reset; not carried out.
    Reset,
    /// Carried out, and the connection reset before the answer.
    Lost,
    /// Carried out, and half of the answer sent.
    Cut,
    /// Nothing happens for so long; not carried out.
    Stall(Duration),
    /// A byte of the body is flipped on the way in.
    Flipped,
    /// The client is killed; not carried out.
    KillBefore,
    /// Carried out, and the client killed before the answer.
    KillAfter,
}

/// When a fault strikes, counted over the requests that it concerns, from 1.
#[derive(Clone, Copy, Debug)]
pub enum When {
    At(usize),
    Every(usize),
    From(usize),
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub method: &'static str,
    pub contains: &'static str,
    pub when: When,
    pub fault: Fault,
}

/// Something that must hold after every change of the bucket; an error is what is wrong.
pub type Watch = Box<dyn Fn(&Objects) -> Result<(), String> + Send>;

#[derive(Default)]
struct Inner {
    objects: Objects,
    log: Vec<String>,
    rules: Vec<(Rule, usize)>,
    struck: usize,
    victim: Option<u32>,
    watch: Option<Watch>,
    wrong: Vec<String>,
}

pub struct Server {
    pub port: u16,
    /// The bucket's name.
    pub bucket: String,
    /// The scheme of its URL.
    pub scheme: &'static str,
    upstream: Option<Upstream>,
    inner: Arc<Mutex<Inner>>,
    stop: Arc<AtomicBool>,
}

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub conditions: Conditions,
    /// Keys in one page of a listing.
    pub page: usize,
    /// How far the server's clock is ahead, in seconds.
    pub skew: u64,
    /// Whether entity tags tell nothing of the content, as those of encrypted objects.
    pub opaque: bool,
    /// Whether it speaks Google's dialect: generations in conditions, and no signatures.
    pub google: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { conditions: Conditions::Honoured, page: 1000, skew: 0, opaque: false, google: false }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

pub struct Request {
    pub method: String,
    pub target: String,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Server {
    /// A server in memory, or in front of a real one where the settings allow it.
    pub fn start(settings: Settings) -> Server {
        let plain = settings.conditions == Conditions::Honoured
            && settings.skew == 0
            && !settings.opaque
            && !settings.google;
        let endpoint = std::env::var("SITEGATE_TEST_ENDPOINT").ok().filter(|_| plain);
        Server::serve(settings, endpoint.map(|endpoint| Upstream::new(&endpoint)))
    }

    /// A server in memory, whatever the environment says.
    pub fn in_memory(settings: Settings) -> Server {
        Server::serve(settings, None)
    }

    /// The real server behind this one.
    pub fn upstream(&self) -> Option<&Upstream> {
        self.upstream.as_ref()
    }

    fn serve(settings: Settings, upstream: Option<Upstream>) -> Server {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let inner = Arc::new(Mutex::new(Inner::default()));
        let stop = Arc::new(AtomicBool::new(false));
        let bucket = upstream.as_ref().map_or(BUCKET.to_owned(), |upstream| upstream.bucket.clone());
        let server = Server {
            port,
            bucket,
            scheme: if settings.google { "gs" } else { "s3" },
            upstream: upstream.clone(),
            inner: Arc::clone(&inner),
            stop: Arc::clone(&stop),
        };
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (inner, upstream) = (Arc::clone(&inner), upstream.clone());
                std::thread::spawn(move || serve(&stream, &inner, settings, upstream.as_ref()));
            }
        });
        server
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn objects(&self) -> Objects {
        match &self.upstream {
            Some(upstream) => upstream.objects(),
            None => self.inner.lock().unwrap().objects.clone(),
        }
    }

    pub fn set_objects(&self, objects: Objects) {
        match &self.upstream {
            Some(upstream) => upstream.set_objects(&objects),
            None => self.inner.lock().unwrap().objects = objects,
        }
    }

    pub fn change(&self, key: &str, body: &str) {
        let mut stored = self.objects().remove(key).unwrap_or_default();
        stored.body = body.as_bytes().to_vec();
        match &self.upstream {
            Some(upstream) => upstream.put(key, &stored),
            None => drop(self.inner.lock().unwrap().objects.insert(key.to_owned(), stored)),
        }
    }

    pub fn remove(&self, key: &str) {
        match &self.upstream {
            Some(upstream) => upstream.delete(key),
            None => drop(self.inner.lock().unwrap().objects.remove(key)),
        }
    }

    /// Sets the faults, and forgets what was asked so far.
    pub fn faults(&self, rules: &[Rule]) {
        let mut inner = self.inner.lock().unwrap();
        inner.rules = rules.iter().map(|rule| (rule.clone(), 0)).collect();
        inner.struck = 0;
        inner.log.clear();
    }

    pub fn struck(&self) -> usize {
        self.inner.lock().unwrap().struck
    }

    pub fn victim(&self, pid: u32) {
        self.inner.lock().unwrap().victim = Some(pid);
    }

    /// The requests since the faults were set, as `METHOD key`.
    pub fn log(&self) -> Vec<String> {
        self.inner.lock().unwrap().log.clone()
    }

    pub fn watch(&self, watch: Watch) {
        self.inner.lock().unwrap().watch = Some(watch);
    }

    /// What the watch has complained of.
    pub fn wrong(&self) -> Vec<String> {
        self.inner.lock().unwrap().wrong.clone()
    }
}

fn serve(stream: &TcpStream, inner: &Mutex<Inner>, settings: Settings, upstream: Option<&Upstream>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(mut request) = read(&mut reader) {
        let fault = strike(&request, inner);
        match fault {
            Some(Fault::Slow) => return reply(stream, &error(503, "SlowDown"), usize::MAX),
            Some(Fault::Broken) => return reply(stream, &error(500, "InternalError"), usize::MAX),
            Some(Fault::Reset) => return hang_up(stream),
            Some(Fault::Stall(time)) => {
                std::thread::sleep(time);
                return hang_up(stream);
            }
            Some(Fault::KillBefore) => {
                kill(inner);
                return hang_up(stream);
            }
            Some(Fault::Flipped) if !request.body.is_empty() => request.body[0] ^= 1,
            _ => {}
        }
        let answer = match upstream.filter(|_| !request.target.starts_with(CLOUDFRONT)) {
            Some(upstream) => upstream.pass(&request),
            None => answer(&request, inner, settings),
        };
        match fault {
            Some(Fault::Lost) => return hang_up(stream),
            Some(Fault::KillAfter) => {
                kill(inner);
                return hang_up(stream);
            }
            Some(Fault::Cut) => {
                reply(stream, &answer, answer.body.len() / 2);
                return hang_up(stream);
            }
            _ if request.method == "HEAD" => reply(stream, &answer, 0),
            _ => reply(stream, &answer, usize::MAX),
        }
    }
}

fn strike(request: &Request, inner: &Mutex<Inner>) -> Option<Fault> {
    let mut inner = inner.lock().unwrap();
    inner.log.push(format!("{} {}", request.method, request.target));
    let mut found = None;
    for (rule, count) in &mut inner.rules {
        if !(rule.method == "*" || rule.method == request.method) || !request.target.contains(rule.contains) {
            continue;
        }
        *count += 1;
        let strikes = match rule.when {
            When::At(at) => *count == at,
            When::Every(every) => *count % every == 0,
            When::From(from) => *count >= from,
        };
        if strikes && found.is_none() {
            found = Some(rule.fault);
        }
    }
    inner.struck += usize::from(found.is_some());
    found
}

/// Kills the client, and waits until it is gone, so that nothing it does can follow.
fn kill(inner: &Mutex<Inner>) {
    let victim = inner.lock().unwrap().victim.unwrap();
    std::process::Command::new("kill").args(["-9", &victim.to_string()]).status().unwrap();
}

fn hang_up(stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Both);
}

pub fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|&length| length > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.insert(name.to_lowercase(), value.trim().to_owned()),
            None => break,
        };
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { method, target, headers, body })
}

fn reply(mut stream: &TcpStream, reply: &Reply, length: usize) {
    let mut text = format!("HTTP/1.1 {} X\r\n", reply.status);
    for (name, value) in &reply.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !reply.headers.iter().any(|(name, _)| name == "content-length") {
        text.push_str(&format!("content-length: {}\r\n", reply.body.len()));
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(&reply.body[..length.min(reply.body.len())]);
    let _ = stream.write_all(&bytes);
}

fn error(status: u16, code: &str) -> Reply {
    let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>test</Message></Error>");
    let headers = vec![("content-type".to_owned(), "application/xml".to_owned())];
    Reply { status, headers, body: body.into_bytes() }
}

fn empty(status: u16) -> Reply {
    Reply { status, headers: Vec::new(), body: Vec::new() }
}

fn answer(request: &Request, inner: &Mutex<Inner>, settings: Settings) -> Reply {
    if request.target.starts_with("/federation/credentials?") {
        return exchange(request);
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
        return assume_role(request);
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
        "GET" | "HEAD" => get(&inner.objects, &key),
        "PUT" => put(&mut inner.objects, &key, request, settings),
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

/// Gives the credentials of a role to whoever signed the request and knows the external id.
fn assume_role(request: &Request) -> Reply {
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(&request.body).into_owned().collect();
    let field = |name: &str| form.get(name).map_or("", String::as_str);
    if field("Action") != "AssumeRole" || field("RoleArn") != ROLE || field("ExternalId") != "us & them" {
        return error(403, "AccessDenied");
    }
    let [key, secret, token] = TEMPORARY;
    let body = format!(
        "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>{key}</AccessKeyId>\
         <SecretAccessKey>{secret}</SecretAccessKey><SessionToken>{token}</SessionToken>\
         <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>"
    );
    Reply { status: 200, headers: Vec::new(), body: body.into_bytes() }
}

/// Gives the credentials of a role to whoever signed in.
fn exchange(request: &Request) -> Reply {
    if request.headers.get("x-amz-sso_bearer_token").map(String::as_str) != Some(SIGN_IN) {
        return error(401, "UnauthorizedException");
    }
    if !request.target.contains("role_name=Publisher&account_id=123456789012") {
        return error(403, "ForbiddenException");
    }
    let [key, secret, token] = TEMPORARY;
    let body = format!(
        "{{\"roleCredentials\": {{\"accessKeyId\": \"{key}\", \"secretAccessKey\": \"{secret}\", \
         \"sessionToken\": \"{token}\", \"expiration\": 4070908800000}}}}"
    );
    Reply { status: 200, headers: Vec::new(), body: body.into_bytes() }
}

fn get(objects: &Objects, key: &str) -> Reply {
    let Some(stored) = objects.get(key) else { return error(404, "NoSuchKey") };
    let mut headers: Vec<(String, String)> =
        stored.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    headers.push(("etag".to_owned(), format!("\"{}\"", stored.etag())));
    headers.push(("x-goog-generation".to_owned(), stored.generation.to_string()));
    headers.push(("last-modified".to_owned(), "Wed, 11 Sep 2024 14:30:00 GMT".to_owned()));
    headers.push(("content-length".to_owned(), stored.body.len().to_string()));
    Reply { status: 200, headers, body: stored.body.clone() }
}

fn put(objects: &mut Objects, key: &str, request: &Request, settings: Settings) -> Reply {
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
        None => {
            let kept = ["content-type", "cache-control", "content-language", "content-disposition"];
            let headers = request.headers.iter().filter(|(name, _)| kept.contains(&name.as_str()));
            let headers = headers.map(|(name, value)| (name.clone(), value.clone())).collect();
            Stored { body: request.body.clone(), headers, ..Stored::default() }
        }
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    // Each write gives another one, of the very shape of a digest.
    stored.tag = settings.opaque.then(|| hex(&Md5::digest(now.to_string())));
    stored.generation = if settings.google { now } else { 0 };
    let etag = format!("\"{}\"", stored.etag());
    let generation = stored.generation.to_string();
    objects.insert(key.to_owned(), stored);
    let body = match copied.is_some() {
        true => format!(
            "<CopyObjectResult><LastModified>2024-09-11T14:30:00Z</LastModified><ETag>{etag}</ETag></CopyObjectResult>"
        ),
        false => String::new(),
    };
    let headers = vec![("etag".to_owned(), etag), ("x-goog-generation".to_owned(), generation)];
    Reply { status: 200, headers, body: body.into_bytes() }
}

fn list(objects: &Objects, query: &BTreeMap<String, String>, page: usize) -> Reply {
    let prefix = query.get("prefix").map_or("", String::as_str);
    let after = query.get("continuation-token").or_else(|| query.get("start-after"));
    let mut found =
        objects.iter().filter(|(key, _)| key.starts_with(prefix) && after.is_none_or(|after| *key > after));
    let mut body = String::from("<?xml version=\"1.0\"?><ListBucketResult>");
    let mut last = "";
    for (key, stored) in found.by_ref().take(page) {
        last = key;
        body.push_str(&format!(
            "<Contents><Key>{key}</Key><LastModified>2024-09-11T14:30:00.000Z</LastModified>\
             <ETag>&quot;{}&quot;</ETag><Size>{}</Size></Contents>",
            stored.etag(),
            stored.body.len()
        ));
    }
    match found.next() {
        Some(_) => body.push_str(&format!(
            "<IsTruncated>true</IsTruncated><NextContinuationToken>{last}</NextContinuationToken>"
        )),
        None => body.push_str("<IsTruncated>false</IsTruncated>"),
    }
    body.push_str("</ListBucketResult>");
    Reply { status: 200, headers: Vec::new(), body: body.into_bytes() }
}

fn delete(objects: &mut Objects, body: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(body);
    let mut reply = String::from("<?xml version=\"1.0\"?><DeleteResult>");
    for part in text.split("<Key>").skip(1) {
        let key = part.split("</Key>").next().unwrap();
        objects.remove(key);
        reply.push_str(&format!("<Deleted><Key>{key}</Key></Deleted>"));
    }
    reply.push_str("</DeleteResult>");
    Reply { status: 200, headers: Vec::new(), body: reply.into_bytes() }
}

pub fn decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned()
}

/// Checks a request's signature (AWS Signature Version 4), its clock and its body's digest.
fn authorize(request: &Request, skew: u64) -> Result<(), &'static str> {
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
    let digest = header("x-amz-content-sha256").ok_or("AccessDenied")?;
    if digest != hex(&Sha256::digest(&request.body)) {
        return Err("XAmzContentSHA256Mismatch");
    }
    let signed = field("SignedHeaders").ok_or("AuthorizationHeaderMalformed")?;
    for must in ["host", "x-amz-content-sha256", "x-amz-date"] {
        if !signed.split(';').any(|name| name == must) {
            return Err("AuthorizationHeaderMalformed");
        }
    }
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let mut pairs: Vec<String> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| if pair.contains('=') { pair.to_owned() } else { format!("{pair}=") })
        .map(|pair| pair.replace('+', "%20"))
        .collect();
    pairs.sort();
    let headers: String =
        signed.split(';').map(|name| format!("{name}:{}\n", header(name).unwrap_or(""))).collect();
    let canonical = format!("{}\n{path}\n{}\n{headers}\n{signed}\n{digest}", request.method, pairs.join("&"));
    let to_sign =
        format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{}", hex(&Sha256::digest(canonical.as_bytes())));
    let mut signing = format!("AWS4{secret}").into_bytes();
    for part in scope.split('/') {
        signing = hmac(&signing, part.as_bytes());
    }
    let expected = hex(&hmac(&signing, to_sign.as_bytes()));
    if field("Signature") == Some(&expected) { Ok(()) } else { Err("SignatureDoesNotMatch") }
}

/// The seconds since 1970 of `20240911T143000Z`.
fn seconds(date: &str) -> u64 {
    let number = |range: std::ops::Range<usize>| date[range].parse::<u64>().unwrap();
    let (year, month, day) = (number(0..4), number(4..6), number(6..8));
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468;
    days * 86_400 + number(9..11) * 3600 + number(11..13) * 60 + number(13..15)
}

pub fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
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
