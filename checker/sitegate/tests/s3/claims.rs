//! Tests stores that claim too much: lengths, bodies, listings and records without an end. The program stops with an
//! error, and its memory stays bounded.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::server::{Fault, Request, Rule, Server, Settings, When};
use super::site::Site;
use crate::concurrent::for_each_case;

/// Bytes that a client would have to read before an endless body ends after all.
const ENDLESS: usize = 1 << 30;

/// Maximum additional memory of a run, in kB: one record of the maximum size, twice.
#[cfg(target_os = "linux")]
const MEMORY: u64 = 160 << 10;

/// A false answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// A `Content-Length` of 50 GB.
    Length,
    /// A body without an end.
    Endless,
    /// An error whose body has no end.
    Error,
    /// A page of a listing that names itself as the next one.
    SameToken,
    /// Two pages of a listing that name each other.
    Circle,
    /// A page without keys that always names another one.
    NewTokens,
}

/// All false answers.
const CLAIMS: [Claim; 6] =
    [Claim::Length, Claim::Endless, Claim::Error, Claim::SameToken, Claim::Circle, Claim::NewTokens];

/// Sends a false answer. Returns whether the connection can be used again: connecting for each of ten thousand pages takes
/// most of the time of a listing without an end.
pub fn send(mut stream: &TcpStream, request: &Request, claim: Claim) -> bool {
    static TOKENS: AtomicUsize = AtomicUsize::new(0);
    let number = TOKENS.fetch_add(1, Ordering::Relaxed);
    let endless = |status, length| {
        send_endless(stream, status, length, request);
        false
    };
    let token = match claim {
        Claim::Length => return endless("200 X", "content-length: 50000000000"),
        Claim::Endless => return endless("200 X", "transfer-encoding: chunked"),
        Claim::Error => return endless("400 X", "transfer-encoding: chunked"),
        Claim::SameToken => "same".to_owned(),
        Claim::Circle => format!("token{}", number % 2),
        Claim::NewTokens => format!("token{number}"),
    };
    let body = format!(
        "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>{token}</NextContinuationToken>\
         </ListBucketResult>"
    );
    let answer = format!("HTTP/1.1 200 X\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(answer.as_bytes()).is_ok()
}

fn send_endless(mut stream: &TcpStream, status: &str, length: &str, request: &Request) {
    let head = format!(
        "HTTP/1.1 {status}\r\n{length}\r\netag: \"x\"\r\nlast-modified: Wed, 11 Sep 2024 14:30:00 GMT\r\n\r\n"
    );
    if stream.write_all(head.as_bytes()).is_err() || request.method == "HEAD" {
        return;
    }
    let mut piece = b" ".repeat(1 << 16);
    if length.contains("chunked") {
        piece.splice(0..0, b"10000\r\n".iter().copied());
        piece.extend(b"\r\n");
    }
    for _ in 0..ENDLESS >> 16 {
        if stream.write_all(&piece).is_err() {
            return;
        }
    }
}

/// Runs a command that must fail soon, with little memory.
fn assert_bounded(site: &Site, server: &Server, command: &str, what: &str) {
    let start = Instant::now();
    #[cfg(target_os = "linux")]
    {
        let (_, usual) = super::large::measured(site.command(&["explain"]));
        let (ended, peak) = super::large::measured(site.on(server, command, &[]));
        assert!(matches!(ended.code(), Some(2 | 3 | 6)), "{command}, {what}: {ended}");
        assert!(peak < usual + MEMORY, "{command}, {what}: {peak} kB, and {usual} kB for another command");
    }
    #[cfg(not(target_os = "linux"))]
    {
        let ended = site.on(server, command, &[]).output().unwrap().status;
        assert!(matches!(ended.code(), Some(2 | 3 | 6)), "{command}, {what}: {ended}");
    }
    assert!(start.elapsed() < Duration::from_mins(5), "{command}, {what}: {:?}", start.elapsed());
}

#[test]
fn claims_of_a_store_are_bounded() {
    // A listing can also continue without an end.
    let endless = [Claim::Length, Claim::Endless, Claim::Error];
    let reads = [".sitegate/runs/", ".sitegate/releases/"];
    let mut cases: Vec<_> = CLAIMS.map(|claim| ("GET", "list-type", claim)).into();
    for claim in endless {
        cases.extend(reads.map(|contains| ("GET", contains, claim)));
    }
    cases.extend(endless.map(|claim| ("PUT", "", claim)));
    let fixture = || {
        let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
        site.published(&server, &[]);
        site.version("two");
        let before = server.objects();
        (site, server, before)
    };
    for_each_case(&cases, fixture, |(site, server, before), &(method, contains, claim)| {
        server.set_objects(before.clone());
        server.faults(&[Rule { method, contains, when: When::From(1), fault: Fault::Claim(claim) }]);
        if method == "PUT" {
            assert_bounded(site, server, "publish", &format!("{claim:?} at each write"));
            return;
        }
        for command in ["status", "publish"] {
            assert_bounded(site, server, command, &format!("{claim:?} at {contains}"));
        }
        assert!(server.fault_count() > 0, "{claim:?} at {contains}");
        assert_eq!(server.objects(), *before);
    });
}

/// A record of 400 MB is read in no command, and `repair` names it.
#[test]
fn large_records_are_not_read() {
    let keys = [".sitegate/runs/0000000001.json", ".sitegate/releases/"];
    for_each_case(
        &keys,
        || (),
        |(), key| {
            let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
            site.published(&server, &[]);
            let objects = server.objects();
            let key = objects.keys().find(|found| found.starts_with(key)).unwrap();
            server.change(key, &" ".repeat(400 << 20));
            for command in ["status", "publish", "rollback", "gc"] {
                assert_bounded(&site, &server, command, "a record of 400 MB");
            }
            site.expect(&server, "repair", &[], 0, &[&format!("{key} cannot be read")]);
        },
    );
}
