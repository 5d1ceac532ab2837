//! An S3 server for tests. It verifies signatures, has atomic conditional writes, and injects faults.
//!
//! It keeps its objects in memory. If `SITEGATE_TEST_ENDPOINT` names an S3 server on this machine with the keys AKTEST and
//! SKTEST, it forwards requests to a new bucket there, and only injects faults. It listens on 127.0.0.1 and ends with its
//! test.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use md5::{Digest, Md5};

use super::bucket::{answer, error};
use super::claims::{self, Claim};
use super::parts::Uploads;
use super::signature::hex;
use super::upstream::Upstream;

pub const KEY: &str = "AKTEST";
pub const SECRET: &str = "SKTEST";
pub const READER: &str = "AKREAD";
pub const CLOUDFRONT: &str = "/2020-05-31/distribution/";
pub const BUCKET: &str = "site";

/// Bytes of a body that are sent together with the headers.
const PIECE: usize = 64 << 10;

/// A time longer than the default lease, in seconds.
const LEASE: u64 = 100;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    pub body: Vec<u8>,
    pub headers: BTreeMap<String, String>,
    /// The entity tag of the server, if it is not the MD5 of the body.
    pub tag: Option<String>,
    /// The generation, a number that each write changes, on a Google server.
    pub generation: u128,
    /// The time of the write.
    pub modified: Modified,
}

/// The time of a write, in seconds since 1970. It is ignored in comparisons of objects.
#[derive(Clone, Copy, Debug, Default)]
pub struct Modified(pub u64);

impl PartialEq for Modified {
    fn eq(&self, _: &Modified) -> bool {
        true
    }
}

impl Eq for Modified {}

impl Stored {
    /// Returns the entity tag. The MD5 of more than 100 MiB takes seconds, so such a body has its length as tag.
    pub fn etag(&self) -> String {
        let own = || match self.body.len() {
            length @ 0x640_0000.. => format!("{length:032x}"),
            _ => hex(&Md5::digest(&self.body)),
        };
        self.tag.clone().unwrap_or_else(own)
    }
}

pub type Objects = BTreeMap<String, Stored>;

/// The behavior of conditional writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conditions {
    /// As on AWS: the loser gets 412, and entity tags may be quoted or unquoted.
    Honoured,
    /// As on an old Ceph gateway: only unquoted tags work, and the loser of a race gets 500.
    Bare,
    /// As on some stores: conditions are ignored, and all writes get 200.
    Ignored,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// 503 `SlowDown`; not executed.
    Slow,
    /// 500; not executed.
    Broken,
    /// The connection is reset; not executed.
    Reset,
    /// Executed, and the connection is reset before the response.
    Lost,
    /// Executed, and half of the response is sent.
    Cut,
    /// No answer until the test [lets it go on](Server::go_on); not executed.
    Wait,
    /// A byte of the request body is flipped.
    Flipped,
    /// The client is killed; not executed.
    KillBefore,
    /// Executed, and the client is killed before the response.
    KillAfter,
    /// This status with this code of S3; not executed.
    Answer(u16, &'static str),
    /// A false answer that costs a trusting client its memory or time; not executed.
    Claim(Claim),
}

/// The matching requests that get a fault, counted from 1.
#[derive(Clone, Copy, Debug)]
pub enum When {
    At(usize),
    From(usize),
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub method: &'static str,
    pub contains: &'static str,
    pub when: When,
    pub fault: Fault,
}

/// An invariant that is checked after every change of the bucket.
pub type Watch = Box<dyn Fn(&Objects) -> Result<(), String> + Send>;

#[derive(Default)]
pub struct Inner {
    pub objects: Objects,
    /// Incomplete multipart uploads.
    pub uploads: Uploads,
    log: Vec<String>,
    rules: Vec<(Rule, usize)>,
    struck: usize,
    /// Whether requests that wait go on.
    goes_on: bool,
    victim: Option<u32>,
    /// Seconds by which the server's clock was advanced.
    passed: u64,
    pub watch: Option<Watch>,
    pub wrong: Vec<String>,
}

impl Inner {
    /// Returns the server's time, in seconds since 1970.
    pub fn now(&self, settings: Settings) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() + settings.skew + self.passed
    }
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
    /// Maximum number of keys in one page of a listing.
    pub page: usize,
    /// Offset of the server's clock, in seconds.
    pub skew: u64,
    /// Whether entity tags do not depend on the content, as with encrypted objects.
    pub opaque: bool,
    /// Whether it speaks Google's dialect: generations in conditions, and no signatures.
    pub google: bool,
    /// Whether responses have a date.
    pub dated: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            conditions: Conditions::Honoured,
            page: 1000,
            skew: 0,
            opaque: false,
            google: false,
            dated: true,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.go_on();
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
    /// Starts a server in memory, or a proxy of a real one if the settings allow it.
    pub fn start(settings: Settings) -> Server {
        let plain = settings.conditions == Conditions::Honoured
            && settings.skew == 0
            && !settings.opaque
            && settings.dated
            && !settings.google;
        let endpoint = std::env::var("SITEGATE_TEST_ENDPOINT").ok().filter(|_| plain);
        Server::serve(settings, endpoint.map(|endpoint| Upstream::new(&endpoint)))
    }

    /// Starts a server in memory, and ignores the environment.
    pub fn in_memory(settings: Settings) -> Server {
        Server::serve(settings, None)
    }

    /// Returns the real server behind this one.
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
        stored.modified = Modified(self.inner.lock().unwrap().now(Settings::default()));
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

    /// Sets the faults, and clears the log of requests.
    pub fn faults(&self, rules: &[Rule]) {
        let mut inner = self.inner.lock().unwrap();
        inner.rules = rules.iter().map(|rule| (rule.clone(), 0)).collect();
        inner.struck = 0;
        inner.goes_on = false;
        inner.log.clear();
    }

    /// Waits until a request gets a fault.
    pub fn wait_for_fault(&self) {
        while self.fault_count() == 0 {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Lets requests go on that [wait](Fault::Wait).
    pub fn go_on(&self) {
        self.inner.lock().unwrap().goes_on = true;
    }

    /// Advances the server's clock past all leases.
    pub fn outlast_leases(&self) {
        self.inner.lock().unwrap().passed += LEASE;
    }

    /// Returns the number of incomplete multipart uploads.
    pub fn unfinished(&self) -> usize {
        self.inner.lock().unwrap().uploads.len()
    }

    pub fn fault_count(&self) -> usize {
        self.inner.lock().unwrap().struck
    }

    pub fn victim(&self, pid: u32) {
        self.inner.lock().unwrap().victim = Some(pid);
    }

    /// Returns the requests since the faults were set, as `METHOD key`.
    pub fn log(&self) -> Vec<String> {
        self.inner.lock().unwrap().log.clone()
    }

    pub fn watch(&self, watch: Watch) {
        self.inner.lock().unwrap().watch = Some(watch);
    }

    /// Returns the violations of the invariant.
    pub fn violations(&self) -> Vec<String> {
        self.inner.lock().unwrap().wrong.clone()
    }
}

fn serve(stream: &TcpStream, inner: &Mutex<Inner>, settings: Settings, upstream: Option<&Upstream>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(mut request) = read(&mut reader) {
        let fault = next_fault(&request, inner);
        match fault {
            Some(Fault::Slow) => return reply(stream, &error(503, "SlowDown"), usize::MAX),
            Some(Fault::Broken) => return reply(stream, &error(500, "InternalError"), usize::MAX),
            Some(Fault::Reset) => return hang_up(stream),
            Some(Fault::Wait) => {
                while !inner.lock().unwrap().goes_on {
                    std::thread::sleep(Duration::from_millis(2));
                }
                return hang_up(stream);
            }
            Some(Fault::KillBefore) => {
                kill(inner);
                return hang_up(stream);
            }
            Some(Fault::Claim(claim)) if claims::send(stream, &request, claim) => continue,
            Some(Fault::Claim(_)) => return,
            Some(Fault::Answer(status, code)) => return reply(stream, &error(status, code), usize::MAX),
            Some(Fault::Flipped) if !request.body.is_empty() => request.body[0] ^= 1,
            _ => {}
        }
        let mut answer = match upstream.filter(|_| !request.target.starts_with(CLOUDFRONT)) {
            Some(upstream) => upstream.forward(&request),
            None => answer(&request, inner, settings),
        };
        if settings.dated {
            answer.headers.retain(|(name, _)| name != "date");
            let now = inner.lock().unwrap().now(settings);
            answer.headers.push(("date".to_owned(), http_date(now)));
        }
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

fn next_fault(request: &Request, inner: &Mutex<Inner>) -> Option<Fault> {
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
            When::From(from) => *count >= from,
        };
        if strikes && found.is_none() {
            found = Some(rule.fault);
        }
    }
    inner.struck += usize::from(found.is_some());
    found
}

/// Kills the client, waits until it has ended, and advances the clock past its lease.
fn kill(inner: &Mutex<Inner>) {
    let mut inner = inner.lock().unwrap();
    inner.passed += LEASE;
    let victim = inner.victim.unwrap().to_string();
    std::process::Command::new("kill").args(["-9", &victim]).status().unwrap();
}

/// Formats a time as an HTTP date.
pub fn http_date(seconds: u64) -> String {
    let time = chrono::DateTime::from_timestamp(i64::try_from(seconds).unwrap(), 0).unwrap();
    time.format("%a, %d %b %Y %H:%M:%S GMT").to_string()
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

/// Sends a response with at most `length` bytes of its body.
pub fn reply(mut stream: &TcpStream, reply: &Reply, length: usize) {
    let mut bytes = head(reply);
    let body = &reply.body[..length.min(reply.body.len())];
    // A small answer is one packet, and a large body is not copied.
    let (with_head, rest) = body.split_at(body.len().min(PIECE));
    bytes.extend_from_slice(with_head);
    let _ = stream.write_all(&bytes).and_then(|()| stream.write_all(rest));
}

/// Returns the status line and the headers of a response.
fn head(reply: &Reply) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {} X\r\n", reply.status);
    for (name, value) in &reply.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !reply.headers.iter().any(|(name, _)| name == "content-length") {
        text.push_str(&format!("content-length: {}\r\n", reply.body.len()));
    }
    text.push_str("\r\n");
    text.into_bytes()
}
