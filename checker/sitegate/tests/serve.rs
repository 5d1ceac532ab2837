//! Tests `sitegate serve` with plain HTTP requests.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use sitegate_host::redirect_page::SCRIPT_HASH;

use crate::folders::{program, sitegate, write};
use crate::outcome::assert_exit;
use crate::serve_process::ServeProcess;

const INDEX: &str = "<!doctype html><title>Home</title>";

struct Server {
    process: ServeProcess,
    folder: tempfile::TempDir,
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
    let process = ServeProcess::start(program(folder.path(), &SERVE));
    Server { process, folder }
}

/// Previews the folder `export`.
const SERVE: [&str; 6] = ["serve", "export", "--port", "0", "--stop-after", "60"];

impl Server {
    fn request(&self, method: &str, target: &str, headers: &[&str]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.process.port)).unwrap();
        let host =
            if headers.iter().any(|header| header.starts_with("Host:")) { "" } else { "Host: localhost\r\n" };
        let mut request = format!("{method} {target} HTTP/1.1\r\n{host}Connection: close\r\n");
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
        self.request("GET", target, &[])
    }
}

/// A request target, its status, and a part of its location or else of its body.
type Row = (&'static str, u16, &'static str);

#[test]
fn follows_the_contract() {
    let (terms, lost) = ("<title>Terms</title>", "<title>Lost</title>");
    let cases: &[(&str, &[Row])] = &[
        (
            "",
            &[
                ("/", 200, INDEX),
                ("/terms?x=1", 302, "/terms/?x=1"),
                ("/terms/", 200, terms),
                ("/terms/index.html", 200, terms),
                ("/with%20space.txt", 200, "spaced"),
                ("/nothing", 404, lost),
                ("/nothing/", 404, lost),
                ("/assets/", 404, lost),
                ("/terms/x", 404, lost),
                ("/index.html/", 404, lost),
            ],
        ),
        ("[site]\nnot-found = \"terms/index.html\"\n", &[("/nothing", 404, terms)]),
        (
            "[site]\ntrailing-slash = \"never\"\n",
            &[
                ("/", 200, INDEX),
                ("/terms", 200, terms),
                ("/terms/?x=1", 301, "/terms?x=1"),
                // There is no redirect to another host.
                ("//example.com/", 404, ""),
            ],
        ),
        (
            "[site]\nbase-path = \"/docs/\"\n",
            &[
                ("/docs", 302, "/docs/"),
                ("/docs/", 200, INDEX),
                ("/docs/terms", 302, "/docs/terms/"),
                ("/terms/", 404, ""),
            ],
        ),
        (
            "[[redirects]]\nfrom = \"/old\"\nto = \"/terms/\"\n",
            &[("/old", 301, "/terms/"), ("/old/", 301, "/terms/"), ("/older", 404, lost)],
        ),
        ("[site]\nhost = \"netlify\"\n", &[("/404", 200, lost), ("/terms", 301, "/terms/")]),
        ("[site]\nhost = \"s3-rest\"\n", &[("/", 200, INDEX), ("/terms/", 404, "")]),
    ];
    for (config, rows) in cases {
        let server = start(config);
        for (target, status, text) in *rows {
            let answer = server.get(target);
            assert_eq!(answer.status, *status, "{config}{target}");
            match status / 100 {
                3 => assert_eq!(answer.header("location"), *text, "{config}{target}"),
                _ => assert!(String::from_utf8(answer.body).unwrap().contains(text), "{config}{target}"),
            }
        }
    }
}

#[test]
fn applies_the_redirects_file_as_it_is_at_each_request() {
    let server = start("");
    fs::write(server.folder.path().join("export/_redirects"), "/was/* /:splat 302\n/app/* /terms/ 200\n")
        .unwrap();
    let answer = server.get("/was/404.html");
    assert_eq!((answer.status, answer.header("location")), (302, "/404.html"));
    assert_eq!(server.get("/app/x").body, b"<title>Terms</title>");
}

#[test]
fn hashes_inline_code_of_the_current_export() {
    let server =
        start("[[headers]]\npaths = [\"/**\"]\nset.Content-Security-Policy = \"script-src 'auto'\"\n");
    let policy = |target| server.get(target).header("content-security-policy").to_owned();
    assert_eq!(policy("/"), "script-src 'none'");
    let page = server.folder.path().join("export/index.html");
    fs::write(page, "<title>New</title><script>1</script>").unwrap();
    let hashed = "script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='";
    assert_eq!((policy("/"), policy("/assets/app.js")), (hashed.to_owned(), hashed.to_owned()));
}

#[test]
fn hashes_the_script_of_redirect_pages() {
    let server = start(
        "[[redirects]]\nfrom = \"/old\"\nto = \"/terms/\"\n\
         [[headers]]\npaths = [\"/**\"]\nset.Content-Security-Policy = \"script-src 'auto'\"\n",
    );
    let policy = server.get("/").header("content-security-policy").to_owned();
    assert_eq!(policy, format!("script-src {SCRIPT_HASH}"));
}

#[test]
fn serves_nothing_outside_the_root() {
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
fn accepts_only_get_and_head() {
    let server = start("");
    let head = server.request("HEAD", "/", &[]);
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), INDEX.len().to_string());
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let answer = server.request(method, "/", &["Content-Length: 0"]);
        assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD"), "{method}");
    }
}

#[test]
fn answers_304_for_the_same_content() {
    let server = start("");
    let file = server.folder.path().join("export/with space.txt");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    let asked = |etag: &str| server.request("GET", "/with%20space.txt", &[&format!("If-None-Match: {etag}")]);
    let etag = server.get("/with%20space.txt").header("etag").to_owned();
    assert_eq!(asked("\"other\"").status, 200);
    // The time of the file does not matter.
    for _ in 0..2 {
        let again = asked(&etag);
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, etag.as_str()));
        fs::remove_file(&file).unwrap();
        fs::write(&file, "spaced").unwrap();
    }
    fs::write(&file, "spices").unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    let edited = asked(&etag);
    assert_eq!((edited.status, edited.body.as_slice()), (200, &b"spices"[..]));
}

#[test]
fn serves_ranges() {
    let server = start("");
    let asked = |method: &str, headers: &[&str]| server.request(method, "/with%20space.txt", headers);
    let part = asked("GET", &["Range: bytes=1-3"]);
    assert_eq!((part.status, part.body.as_slice()), (206, &b"pac"[..]));
    assert_eq!(part.header("content-range"), "bytes 1-3/6");
    assert_eq!(asked("GET", &["Range: bytes=-2"]).body, b"ed");
    let outside = asked("GET", &["Range: bytes=9-"]);
    assert_eq!((outside.status, outside.header("content-range")), (416, "bytes */6"));
    // Several ranges get the whole file.
    let several = asked("GET", &["Range: bytes=0-1,-2"]);
    assert_eq!((several.status, several.body.as_slice()), (200, &b"spaced"[..]));
    assert_eq!(several.header("content-type"), "text/plain; charset=utf-8");
    let etag = several.header("etag");
    let weak = format!("W/{etag}");
    for (if_range, status) in
        [(etag, 206), ("\"other\"", 200), (&weak, 200), ("Wed, 11 Sep 2024 14:30:00 GMT", 200)]
    {
        let part = asked("GET", &["Range: bytes=1-3", &format!("If-Range: {if_range}")]);
        assert_eq!(part.status, status, "{if_range}");
    }
    let head = asked("HEAD", &["Range: bytes=1-3"]);
    assert_eq!((head.status, head.header("content-length")), (200, "6"), "ranges are for GET");
}

#[test]
fn rejects_foreign_host_headers() {
    let server = start("");
    let asked = |host: &str| server.request("GET", "/", &[&format!("Host: {host}")]);
    let port = server.process.port;
    for own in [
        "localhost".to_owned(),
        format!("LOCALHOST:{port}"),
        format!("127.0.0.1:{port}"),
        format!("[::1]:{port}"),
    ] {
        assert_eq!(asked(&own).status, 200, "{own}");
    }
    for other in [
        format!("evil.example:{port}"),
        "evil.example".to_owned(),
        "127.0.0.1.evil.example".to_owned(),
        "localhost:1".to_owned(),
    ] {
        let answer = asked(&other);
        let text = String::from_utf8(answer.body).unwrap();
        assert_eq!(answer.status, 421, "{other}");
        assert!(text.contains("--host NAME") && !text.contains("evil"), "{text}");
    }
    // The target has the last word.
    assert_eq!(server.request("GET", "http://evil.example/", &[]).status, 421);
    assert_eq!(server.request("GET", "/", &["Host: localhost", "Host: evil.example"]).status, 400);
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("export"), "index.html", INDEX);
    let command = program(folder.path(), &[&SERVE[..], &["--host", "tunnel.example"]].concat());
    let server = Server { process: ServeProcess::start(command), folder };
    assert_eq!(server.request("GET", "/", &["Host: Tunnel.example"]).status, 200);
}

/// Returns the value of a line of /proc/PID/status, in kB.
#[cfg(target_os = "linux")]
fn memory_status(server: &Server, name: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/status", server.process.child.id())).unwrap();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn streams_a_large_file() {
    let server = start("");
    let film = fs::File::create(server.folder.path().join("export/film.mp4")).unwrap();
    film.set_len(300 << 20).unwrap();
    let before = memory_status(&server, "VmHWM");
    let head = server.request("HEAD", "/film.mp4", &[]);
    assert_eq!((head.status, head.header("content-length")), (200, "314572800"));
    assert_eq!(head.header("etag"), "", "to compute it, each range would read the whole file");
    let part = server.request("GET", "/film.mp4", &["Range: bytes=314572790-"]);
    assert_eq!((part.status, part.body.len()), (206, 10));
    assert_eq!(server.get("/film.mp4").body.len(), 300 << 20);
    let grown = memory_status(&server, "VmHWM") - before;
    assert!(grown < 8 << 10, "grown by {grown} kB");
}

#[cfg(target_os = "linux")]
#[test]
fn recovers_when_file_descriptors_run_out() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("export"), "index.html", INDEX);
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -n 24; exec \"$0\" serve export --port 0 --stop-after 60",
        env!("CARGO_BIN_EXE_sitegate"),
    ]);
    command.current_dir(folder.path());
    let server = Server { process: ServeProcess::start(command), folder };
    let ticks = || {
        let text = fs::read_to_string(format!("/proc/{}/stat", server.process.child.id())).unwrap();
        let fields: Vec<i64> = text
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .filter_map(|field| field.parse().ok())
            .collect();
        // User and system time are fields 14 and 15. The name and the state, before the fourth, are not numbers.
        fields[10] + fields[11]
    };
    let many: Vec<TcpStream> =
        (0..40).map(|_| TcpStream::connect(("127.0.0.1", server.process.port)).unwrap()).collect();
    let before = ticks();
    std::thread::sleep(std::time::Duration::from_secs(1));
    let used = ticks() - before;
    assert!(used < 30, "{used} hundredths of a second in one");
    drop(many);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn rejects_an_endless_request_head() {
    let server = start("");
    let large = format!("X-Large: {}", "x".repeat(200_000));
    assert_eq!(server.request("GET", "/", &[&large]).status, 431);
}

#[test]
fn compresses_text_if_the_client_accepts_it() {
    let server = start("");
    let plain = server.get("/assets/app.js");
    let brotli = server.request("GET", "/assets/app.js", &["Accept-Encoding: gzip, deflate, br"]);
    assert_eq!(brotli.header("content-encoding"), "br");
    let mut body = Vec::new();
    brotli::Decompressor::new(brotli.body.as_slice(), 4096).read_to_end(&mut body).unwrap();
    assert_eq!(body, plain.body);
    let gzip = server.request("GET", "/assets/app.js", &["Accept-Encoding: gzip, br;q=0"]);
    assert_eq!(gzip.header("content-encoding"), "gzip");
    body.clear();
    flate2::read::GzDecoder::new(gzip.body.as_slice()).read_to_end(&mut body).unwrap();
    assert_eq!(body, plain.body);
    assert_eq!(gzip.header("vary"), "Accept-Encoding");
    assert_ne!(gzip.header("etag"), plain.header("etag"));
}

#[test]
fn sets_headers_of_the_media_type_and_the_contract() {
    let server = start(
        "[[headers]]\npaths = [\"/terms/**\", \"/404.html\"]\nset = { X-Frame-Options = \"DENY\" }\n\
         [[headers]]\npaths = [\"/assets/*.js\"]\nset = { Cache-Control = \"public, max-age=31536000, immutable\" }\n",
    );
    for (target, name, value) in [
        ("/", "content-type", "text/html; charset=utf-8"),
        ("/", "cache-control", "no-cache"),
        ("/", "x-frame-options", ""),
        ("/terms/", "x-frame-options", "DENY"),
        ("/nothing", "x-frame-options", "DENY"),
        ("/assets/app.js", "content-type", "text/javascript; charset=utf-8"),
        ("/assets/app.js", "cache-control", "public, max-age=31536000, immutable"),
        ("/assets/logo.svg", "content-type", "image/svg+xml"),
    ] {
        assert_eq!(server.get(target).header(name), value, "{target}");
    }
}

#[test]
fn suggests_another_port_if_the_port_is_in_use() {
    let server = start("");
    let port = server.process.port.to_string();
    let folder = tempfile::tempdir().unwrap();
    let output = sitegate(folder.path(), &["serve", ".", "--port", &port, "--stop-after", "5"]);
    assert_exit(&output, 2, &[&format!("port {port} is in use"), "--port 0"]);
}

#[test]
fn stops_after_the_given_time() {
    let folder = tempfile::tempdir().unwrap();
    let output = sitegate(folder.path(), &["serve", ".", "--port", "0", "--stop-after", "0"]);
    assert_eq!(output.status.code(), Some(0));
}
