//! Tests the output of `sitegate host-config nginx` with a real nginx, and verifies its answers against the seal.
//!
//! Ignored by default, because it needs the packages `nginx-light` and `libnginx-mod-http-brotli-static`.
//! lab/servers/real-servers runs it.

#![allow(clippy::expect_used)]

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::folders::{sitegate, write};
use crate::outcome::assert_exit;
use crate::site::site;

struct Nginx {
    child: Child,
    _folder: tempfile::TempDir,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts nginx with the server block of `edge`, with another port, and with brotli.
fn nginx(folder: tempfile::TempDir, block: &str) -> (Nginx, String) {
    let hint = "# With the module for it (Debian: libnginx-mod-http-brotli-static): ";
    assert!(block.contains(hint), "{block}");
    let block = block.replace(hint, "");
    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let block = block.replace("listen 80;", &format!("listen 127.0.0.1:{port};"));
    let here = folder.path().display();
    let config = format!(
        "load_module /usr/lib/nginx/modules/ngx_http_brotli_static_module.so;\n\
         daemon off; master_process off; pid {here}/pid; error_log {here}/error.log;\n\
         events {{}}\n\
         http {{\n\
         access_log off; client_body_temp_path {here}/t1; proxy_temp_path {here}/t2;\n\
         fastcgi_temp_path {here}/t3; uwsgi_temp_path {here}/t4; scgi_temp_path {here}/t5;\n\
         {block}\n}}\n"
    );
    fs::write(folder.path().join("nginx.conf"), config).unwrap();
    let types = "types { text/html html; text/css css; application/javascript js; image/svg+xml svg; }\n";
    fs::write(folder.path().join("mime.types"), types).unwrap();
    let conf = folder.path().join("nginx.conf");
    let mut command = Command::new("nginx");
    let child = command.arg("-c").arg(&conf).stderr(Stdio::null()).spawn();
    let child = child
        .expect("nginx is needed for this test: install nginx-light and libnginx-mod-http-brotli-static");
    let started = std::time::Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        let log = fs::read_to_string(folder.path().join("error.log")).unwrap_or_default();
        assert!(started.elapsed().as_secs() < 10, "nginx did not start: {log}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    (Nginx { child, _folder: folder }, format!("http://127.0.0.1:{port}"))
}

/// Requests the terms with the accepted encodings, and returns the encoding and the body of the response.
fn request_terms(url: &str, codings: &str) -> (String, Vec<u8>) {
    let address = url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!(
        "GET /terms HTTP/1.1\r\nhost: {address}\r\naccept-encoding: {codings}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_lowercase();
    assert!(head.contains("content-type: text/html") && head.contains("vary: accept-encoding"), "{head}");
    let coding = head.lines().find_map(|line| line.strip_prefix("content-encoding: "));
    (coding.unwrap_or_default().to_owned(), answer[end + 4..].to_vec())
}

#[test]
fn nginx_serves_precompressed_files() {
    let folder = site("never");
    let path = folder.path().to_path_buf();
    let page = format!("<!doctype html><title>Terms</title>{}", "<p>a clause".repeat(300));
    write(&path, "export/terms/index.html", &page);
    let target = format!("file://{}", path.join("public").display());
    for args in
        [&["check", "--seal", "seal.json"][..], &["publish", &target, "--seal", "seal.json", "--precompress"]]
    {
        let output = sitegate(&path, args);
        assert_exit(&output, 0, &[]);
    }
    let output = sitegate(&path, &["host-config", "nginx", "--root", "public"]);
    let (_nginx, url) = nginx(folder, &String::from_utf8(output.stdout).unwrap());
    let stored = |ending: &str| fs::read(path.join(format!("public/terms/index.html{ending}"))).unwrap();
    assert_eq!(request_terms(&url, "gzip"), ("gzip".to_owned(), stored(".gz")));
    assert_eq!(request_terms(&url, "gzip, br"), ("br".to_owned(), stored(".br")));
    assert_eq!(request_terms(&url, "identity"), (String::new(), page.into_bytes()));
    let output = sitegate(&path, &["verify", &url, "--seal", "seal.json"]);
    assert_exit(&output, 0, &[]);
}

#[test]
fn nginx_matches_the_seal() {
    for slash in ["never", "redirect"] {
        let folder = site(slash);
        let path = folder.path().to_path_buf();
        // A folder name that nginx could treat as a variable.
        std::os::unix::fs::symlink(path.join("export"), path.join("to \"$uri\"")).unwrap();
        let output = sitegate(&path, &["host-config", "nginx", "--root", "to \"$uri\""]);
        assert_exit(&output, 0, &[]);
        let (_nginx, url) = nginx(folder, &String::from_utf8(output.stdout).unwrap());
        write(&path, "export/.sitegate/runs/1.json", "{}");
        let output = sitegate(&path, &["verify", &url, "--seal", "seal.json"]);
        assert_exit(&output, 0, &[]);
    }
}
