//! `sitegate serve`, asked over a plain socket on the built binary.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const INDEX: &str = "<!doctype html><title>Home</title>";

struct Server {
    child: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Answer {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn start(config: &str) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("export");
    write(&root, "index.html", INDEX);
    write(&root, "terms/index.html", "<title>Terms</title>");
    write(&root, "404.html", "<title>Lost</title>");
    write(&root, "assets/app.js", &"let x = 1;\n".repeat(500));
    write(&root, "assets/logo.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    write(&root, "with space.txt", "spaced");
    write(folder.path(), "secret.txt", "secret");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.txt"), root.join("link.txt")).unwrap();
    write(folder.path(), "sitegate.toml", config);
    let mut child = Command::new(env!("CARGO_BIN_EXE_sitegate"))
        .args(["serve", "export", "--port", "0", "--for", "60"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim().rsplit(':').next().unwrap().split('/').next().unwrap().parse().unwrap();
    assert!(line.starts_with("http://127.0.0.1:"), "{line}");
    Server { child, port, folder }
}

impl Server {
    fn ask(&self, method: &str, target: &str, headers: &[&str]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut request = format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        for header in headers {
            request.push_str(header);
            request.push_str("\r\n");
        }
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        Answer { status, headers, body: bytes[end + 4..].to_vec() }
    }

    fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, &[])
    }
}

#[test]
fn by_default_a_folder_is_redirected_to_its_slash() {
    let server = start("");
    let home = server.get("/");
    assert_eq!((home.status, home.body.as_slice()), (200, INDEX.as_bytes()));
    assert_eq!(home.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(home.header("cache-control"), "no-cache");
    let terms = server.get("/terms?x=1");
    assert_eq!((terms.status, terms.header("location")), (302, "/terms/?x=1"));
    assert_eq!(server.get("/terms/").status, 200);
    assert_eq!(server.get("/terms/index.html").status, 200);
    assert_eq!(server.get("/with%20space.txt").body, b"spaced");
    assert_eq!(server.get("/assets/app.js").header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(server.get("/assets/logo.svg").header("content-type"), "image/svg+xml");
}

#[test]
fn never_strips_the_slash() {
    let server = start("[site]\ntrailing-slash = \"never\"\n");
    assert_eq!(server.get("/").status, 200);
    assert_eq!(server.get("/terms").body, b"<title>Terms</title>");
    let slash = server.get("/terms/?x=1");
    assert_eq!((slash.status, slash.header("location")), (301, "/terms?x=1"));
    assert_eq!(server.get("//example.com/").status, 404, "no redirect to another host");
}

#[test]
fn an_unknown_path_gets_the_not_found_page() {
    let server = start("");
    for target in ["/nothing", "/nothing/", "/assets/", "/terms/x", "/index.html/"] {
        let answer = server.get(target);
        assert_eq!((answer.status, answer.body.as_slice()), (404, &b"<title>Lost</title>"[..]), "{target}");
    }
    let server = start("[site]\nnot-found = \"terms/index.html\"\n");
    let answer = server.get("/nothing");
    assert_eq!((answer.status, answer.body.as_slice()), (404, &b"<title>Terms</title>"[..]));
}

#[test]
fn nothing_outside_the_root_is_answered() {
    let server = start("");
    for target in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/terms/%2e%2e/%2e%2e/secret.txt",
        "/..%5csecret.txt",
        "/link.txt",
        "/%00",
        "/%ff",
    ] {
        let answer = server.get(target);
        assert_eq!(answer.status, 404, "{target}");
        assert!(!answer.body.windows(6).any(|w| w == b"secret"), "{target}");
    }
}

#[test]
fn only_get_and_head() {
    let server = start("");
    let head = server.ask("HEAD", "/", &[]);
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), INDEX.len().to_string());
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let answer = server.ask(method, "/", &["Content-Length: 0"]);
        assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD"), "{method}");
    }
}

#[test]
fn a_known_body_is_not_sent_again() {
    let server = start("");
    let etag = server.get("/").header("etag").to_owned();
    let again = server.ask("GET", "/", &[&format!("If-None-Match: {etag}")]);
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, etag.as_str()));
    assert_eq!(server.ask("GET", "/", &["If-None-Match: \"other\""]).status, 200);
}

#[test]
fn ranges() {
    let server = start("");
    let part = server.ask("GET", "/with%20space.txt", &["Range: bytes=1-3"]);
    assert_eq!((part.status, part.body.as_slice()), (206, &b"pac"[..]));
    assert_eq!(part.header("content-range"), "bytes 1-3/6");
    assert_eq!(server.ask("GET", "/with%20space.txt", &["Range: bytes=-2"]).body, b"ed");
    assert_eq!(server.ask("GET", "/with%20space.txt", &["Range: bytes=9-"]).status, 416);
}

#[test]
fn text_is_compressed_for_those_who_take_it() {
    let server = start("");
    let plain = server.get("/assets/app.js");
    let brotli = server.ask("GET", "/assets/app.js", &["Accept-Encoding: gzip, deflate, br"]);
    assert_eq!(brotli.header("content-encoding"), "br");
    let mut body = Vec::new();
    brotli::Decompressor::new(brotli.body.as_slice(), 4096).read_to_end(&mut body).unwrap();
    assert_eq!(body, plain.body);
    let gzip = server.ask("GET", "/assets/app.js", &["Accept-Encoding: gzip, br;q=0"]);
    assert_eq!(gzip.header("content-encoding"), "gzip");
    body.clear();
    flate2::read::GzDecoder::new(gzip.body.as_slice()).read_to_end(&mut body).unwrap();
    assert_eq!(body, plain.body);
    assert_eq!(gzip.header("vary"), "Accept-Encoding");
    assert_ne!(gzip.header("etag"), plain.header("etag"));
}

#[test]
fn the_contract_sets_headers() {
    let server = start(
        "[[headers]]\npaths = [\"/**\"]\nset = { X-Frame-Options = \"DENY\" }\n\
         [[headers]]\npaths = [\"/assets/**\"]\nset = { Cache-Control = \"public, max-age=31536000, immutable\" }\n",
    );
    assert_eq!(server.get("/terms/").header("x-frame-options"), "DENY");
    assert_eq!(server.get("/nothing").header("x-frame-options"), "DENY");
    let asset = server.get("/assets/app.js");
    assert_eq!(asset.header("cache-control"), "public, max-age=31536000, immutable");
}

#[test]
fn below_a_base_path() {
    let server = start("[site]\nbase-path = \"/docs/\"\n");
    assert_eq!(server.get("/docs").header("location"), "/docs/");
    assert_eq!(server.get("/docs/").body, INDEX.as_bytes());
    assert_eq!(server.get("/docs/terms").header("location"), "/docs/terms/");
    assert_eq!(server.get("/terms/").status, 404);
}

#[test]
fn a_busy_port_names_the_way_out() {
    let server = start("");
    let port = server.port.to_string();
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sitegate"))
        .args(["serve", ".", "--port", &port, "--for", "5"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains(&format!("port {port} is in use")) && text.contains("--port 0"), "{text}");
}

#[test]
fn stops_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sitegate"))
        .args(["serve", ".", "--port", "0", "--for", "0"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_moved_address_leads_on() {
    let server = start("[[redirects]]\nfrom = \"/old\"\nto = \"/terms/\"\n");
    for target in ["/old", "/old/"] {
        let answer = server.get(target);
        assert_eq!((answer.status, answer.header("location")), (301, "/terms/"), "{target}");
    }
    assert_eq!(server.get("/older").status, 404);
}

#[test]
fn a_host_is_previewed_as_it_will_answer() {
    let server = start("[site]\nhost = \"netlify\"\n");
    assert_eq!(server.get("/404").status, 200, "Netlify adds .html");
    assert_eq!(server.get("/terms").status, 301);
    let server = start("[site]\nhost = \"s3-rest\"\n");
    assert_eq!((server.get("/").status, server.get("/terms/").status), (200, 404));
    let server = start("");
    fs::write(server.folder.path().join("export/_redirects"), "/was/* /:splat 302\n/app/* /terms/ 200\n")
        .unwrap();
    let answer = server.get("/was/404.html");
    assert_eq!((answer.status, answer.header("location")), (302, "/404.html"), "read again for each request");
    assert_eq!(server.get("/app/x").body, b"<title>Terms</title>");
}
