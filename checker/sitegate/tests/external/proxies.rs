//! Other hosts behind a proxy, and behind authorities of a company's own.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;

use super::place::{DocumentId, Server, text};
use super::tls::{Authority, Certificate, Speech, TlsServer};

/// A proxy: what is asked by http it answers itself, and what is asked by https it leads to one address, or refuses.
struct Proxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    fn start(behind: Option<SocketAddr>) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, kept) = (stream.unwrap(), Arc::clone(&kept));
                thread::spawn(move || serve(stream, behind, &kept));
            }
        });
        Proxy { address, asked }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, behind: Option<SocketAddr>, asked: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    lines.by_ref().take_while(|line| !line.is_empty()).for_each(drop);
    asked.lock().unwrap().push(first.trim_end_matches(" HTTP/1.1").to_owned());
    if !first.starts_with("CONNECT ") {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        return;
    }
    let Some(behind) = behind else {
        stream.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n").unwrap();
        return;
    };
    let other = TcpStream::connect(behind).unwrap();
    stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").unwrap();
    let (mut from, mut to) = (stream.try_clone().unwrap(), other.try_clone().unwrap());
    thread::spawn(move || io::copy(&mut from, &mut to));
    let _ = io::copy(&mut &other, &mut &stream);
}

/// A check of links, with variables of the environment.
fn check(place: &DocumentId, variables: &[(&str, &str)]) -> Output {
    place.command(&["--external", "--no-cache"]).envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn a_proxy_is_asked_in_the_place_of_hosts_and_looks_their_names_up() {
    let authority = Authority::new("company");
    let secure = TlsServer::start(&authority, Certificate::Good, Speech::Http1);
    let (proxy, direct) = (Proxy::start(Some(secure.address)), Server::start());
    let urls = [
        "http://pages.sitegate-test.org/plain".to_owned(),
        "https://pages.sitegate-test.org/secure".to_owned(),
        format!("http://{}/direct", direct.address),
    ];
    let place = DocumentId::linking(&urls, "certificates = \"ca.pem\"\n");
    fs::write(place.folder.path().join("ca.pem"), authority.pem()).unwrap();
    let url = proxy.url();
    let output = check(&place, &[("HTTP_PROXY", &url), ("HTTPS_PROXY", &url), ("NO_PROXY", "127.0.0.1")]);
    assert!(text(&output.stdout).contains("3 ok"), "{}{}", text(&output.stdout), text(&output.stderr));
    let mut asked = proxy.asked();
    asked.sort();
    assert_eq!(asked, ["CONNECT pages.sitegate-test.org:443", "HEAD http://pages.sitegate-test.org/plain"]);
    assert_eq!(direct.asked(), ["HEAD /direct"]);
    assert_eq!(secure.versions().len(), 1);
}

#[test]
fn a_proxy_that_lets_nothing_through_is_told_as_that() {
    let proxy = Proxy::start(None);
    let place = DocumentId::linking(&["https://pages.sitegate-test.org/".to_owned()], "retries = 0\n");
    let output = check(&place, &[("HTTPS_PROXY", &proxy.url())]);
    let told = text(&output.stdout);
    assert!(told.contains("`: the proxy does not lead there"), "{told}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn authorities_of_a_company_are_trusted_where_the_contract_or_the_environment_names_them() {
    let (authority, other) = (Authority::new("company"), Authority::new("another"));
    let secure = TlsServer::start(&authority, Certificate::Good, Speech::Http1);
    let urls = [format!("https://{}/", secure.address)];
    let none = DocumentId::linking(&urls, "");
    let told = text(&check(&none, &[]).stdout);
    assert!(told.contains("its certificate is signed by nobody that is trusted"), "{told}");
    let named = DocumentId::linking(&urls, "certificates = \"ca.pem\"\n");
    let both = [other.pem(), authority.pem()].concat();
    fs::write(named.folder.path().join("ca.pem"), both).unwrap();
    assert_eq!(check(&named, &[]).status.code(), Some(0));
    // On Linux the system's own authorities are those of this file, where the variable names one.
    if cfg!(target_os = "linux") {
        let file = named.folder.path().join("ca.pem");
        assert_eq!(check(&none, &[("SSL_CERT_FILE", file.to_str().unwrap())]).status.code(), Some(0));
    }
}

/// Whether `sitegate verify` gets as far as to ask a server.
fn is_asked_by_verify(place: &DocumentId, server: &TlsServer) -> bool {
    let before = server.versions().len();
    assert!(place.check(&["--seal", "seal.json"]).status.success());
    let url = format!("https://{}", server.address);
    let mut verify = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    verify.args(["verify", &url, "--seal", "seal.json", "--timeout", "2"]).current_dir(place.folder.path());
    // What it answers is not what was sealed.
    assert!(!verify.output().unwrap().status.success());
    server.versions().len() > before
}

#[test]
fn a_live_site_is_verified_by_the_same_authorities() {
    let authority = Authority::new("company");
    let secure = TlsServer::start(&authority, Certificate::Good, Speech::Http1);
    let named = DocumentId::linking(&[], "certificates = \"ca.pem\"\n");
    fs::write(named.folder.path().join("ca.pem"), authority.pem()).unwrap();
    assert!(is_asked_by_verify(&named, &secure));
    assert!(!is_asked_by_verify(&DocumentId::linking(&[], ""), &secure));
}
