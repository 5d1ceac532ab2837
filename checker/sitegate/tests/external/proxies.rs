//! Tests external links through a proxy, and with custom certificate authorities.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Output;
use std::sync::{Arc, Mutex};
use std::thread;

use super::linked_site::{LinkedSite, Server};
use super::tls::{Authority, Certificate, Speech, TlsServer};
use crate::folders::sitegate;
use crate::outcome::assert_exit;

/// A proxy that answers http requests itself, and forwards https requests to one address or refuses them.
struct Proxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    fn start(tunnel_target: Option<SocketAddr>) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, kept) = (stream.unwrap(), Arc::clone(&kept));
                thread::spawn(move || serve(stream, tunnel_target, &kept));
            }
        });
        Proxy { address, asked }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn requested(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, tunnel_target: Option<SocketAddr>, asked: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    lines.by_ref().take_while(|line| !line.is_empty()).for_each(drop);
    asked.lock().unwrap().push(first.trim_end_matches(" HTTP/1.1").to_owned());
    if !first.starts_with("CONNECT ") {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        return;
    }
    let Some(tunnel_target) = tunnel_target else {
        stream.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n").unwrap();
        return;
    };
    let other = TcpStream::connect(tunnel_target).unwrap();
    stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").unwrap();
    let (mut from, mut to) = (stream.try_clone().unwrap(), other.try_clone().unwrap());
    thread::spawn(move || io::copy(&mut from, &mut to));
    let _ = io::copy(&mut &other, &mut &stream);
}

/// Checks external links with environment variables.
fn check(linked_site: &LinkedSite, variables: &[(&str, &str)]) -> Output {
    linked_site.command(&["--external", "--no-cache"]).envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn sends_requests_and_host_names_to_a_proxy() {
    let authority = Authority::new("company");
    let secure = TlsServer::start(&authority, Certificate::Good, Speech::Http1);
    let (proxy, direct) = (Proxy::start(Some(secure.address)), Server::start());
    let urls = [
        "http://pages.sitegate-test.org/plain".to_owned(),
        "https://pages.sitegate-test.org/secure".to_owned(),
        format!("http://{}/direct", direct.address),
    ];
    let linked_site = LinkedSite::with_links(&urls, "certificates = \"ca.pem\"\n");
    fs::write(linked_site.path("ca.pem"), authority.pem()).unwrap();
    let url = proxy.url();
    let output =
        check(&linked_site, &[("HTTP_PROXY", &url), ("HTTPS_PROXY", &url), ("NO_PROXY", "127.0.0.1")]);
    assert_exit(&output, 0, &["3 ok"]);
    let mut asked = proxy.requested();
    asked.sort();
    assert_eq!(asked, ["CONNECT pages.sitegate-test.org:443", "HEAD http://pages.sitegate-test.org/plain"]);
    assert_eq!(direct.requested(), ["HEAD /direct"]);
    assert_eq!(secure.versions().len(), 1);
}

#[test]
fn reports_a_proxy_that_blocks_all_requests() {
    let proxy = Proxy::start(None);
    let linked_site =
        LinkedSite::with_links(&["https://pages.sitegate-test.org/".to_owned()], "retries = 0\n");
    let output = check(&linked_site, &[("HTTPS_PROXY", &proxy.url())]);
    assert_exit(&output, 0, &["`: the proxy refuses the connection"]);
}

#[test]
fn an_unreachable_proxy_fails_no_check() {
    let urls = ["http", "https"].map(|scheme| format!("{scheme}://pages.sitegate-test.org/"));
    let linked_site = LinkedSite::with_links(&urls, "retries = 0\n");
    // No server has port 1.
    for (name, proxy) in [
        ("HTTP_PROXY", "http://127.0.0.1:1"),
        ("ALL_PROXY", "http://no-such-proxy.invalid"),
        ("ALL_PROXY", "socks5://127.0.0.1:1"),
    ] {
        let output = check(&linked_site, &[("HTTPS_PROXY", "http://127.0.0.1:1"), (name, proxy)]);
        let words = ["`: the proxy cannot be reached", "2 URLs on 1 external host: 2 unverified"];
        assert_exit(&output, 0, &words);
    }
}

#[test]
fn trusts_custom_authorities_from_the_contract_or_the_environment() {
    let (authority, other) = (Authority::new("company"), Authority::new("another"));
    let secure = TlsServer::start(&authority, Certificate::Good, Speech::Http1);
    let urls = [format!("https://{}/", secure.address)];
    let none = LinkedSite::with_links(&urls, "");
    assert_exit(&check(&none, &[]), 1, &["its certificate is not signed by a trusted authority"]);
    let named = LinkedSite::with_links(&urls, "certificates = \"ca.pem\"\n");
    let both = [other.pem(), authority.pem()].concat();
    fs::write(named.path("ca.pem"), both).unwrap();
    assert_exit(&check(&named, &[]), 0, &[]);
    // On Linux, this variable replaces the system's certificate authorities.
    if cfg!(target_os = "linux") {
        let file = named.path("ca.pem");
        assert_exit(&check(&none, &[("SSL_CERT_FILE", file.to_str().unwrap())]), 0, &[]);
    }
}

/// Whether `sitegate verify` reaches a server.
fn verify_reaches_the_server(linked_site: &LinkedSite, server: &TlsServer) -> bool {
    let before = server.versions().len();
    assert!(linked_site.check(&["--seal", "seal.json"]).status.success());
    let url = format!("https://{}", server.address);
    let verify = ["verify", &url, "--seal", "seal.json", "--timeout", "2"];
    // The answer does not match the seal.
    assert!(!sitegate(linked_site.folder.path(), &verify).status.success());
    server.versions().len() > before
}

#[test]
fn verify_trusts_the_same_authorities() {
    let authority = Authority::new("company");
    let secure = TlsServer::start(&authority, Certificate::Good, Speech::Http1);
    let named = LinkedSite::with_links(&[], "certificates = \"ca.pem\"\n");
    fs::write(named.path("ca.pem"), authority.pem()).unwrap();
    assert!(verify_reaches_the_server(&named, &secure));
    assert!(!verify_reaches_the_server(&LinkedSite::with_links(&[], ""), &secure));
}
