//! `sitegate edge`: what it writes is read by a real nginx, and by a JSON parser.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

const HEADERS: &str = "
[[headers]]
paths = [\"/**\"]
set = { Content-Security-Policy = \"default-src 'none'\", X-Robots-Tag = \"all\" }
[[headers]]
paths = [\"/assets/*.js\", \"/fonts/**\"]
set = { Cache-Control = \"public, max-age=31536000, immutable\", X-Robots-Tag = \"none\" }
";

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

fn put(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn sitegate(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sitegate")).args(args).current_dir(folder).output().unwrap()
}

fn site(slash: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("export");
    put(&root, "index.html", "<!doctype html><title>Home</title>");
    put(&root, "terms/index.html", "<!doctype html><title>Terms</title>");
    put(&root, "404.html", "<!doctype html><title>Lost</title>");
    put(&root, "assets/app.js", "let x;");
    put(&root, "logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let config = format!("[site]\nroot = \"export\"\ntrailing-slash = \"{slash}\"\n{HEADERS}");
    put(folder.path(), "sitegate.toml", &config);
    let output = sitegate(folder.path(), &["check", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    folder
}

/// Starts nginx with the block that `edge` wrote, changed only in its port.
fn nginx(folder: tempfile::TempDir, block: &str) -> (Nginx, String) {
    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let block = block.replace("listen 80;", &format!("listen 127.0.0.1:{port};"));
    let here = folder.path().display();
    let config = format!(
        "daemon off; master_process off; pid {here}/pid; error_log {here}/error.log;\n\
         events {{}}\n\
         http {{\n\
         types {{ text/html html; text/css css; application/javascript js; image/svg+xml svg; }}\n\
         access_log off; client_body_temp_path {here}/t1; proxy_temp_path {here}/t2;\n\
         fastcgi_temp_path {here}/t3; uwsgi_temp_path {here}/t4; scgi_temp_path {here}/t5;\n\
         {block}\n}}\n"
    );
    fs::write(folder.path().join("nginx.conf"), config).unwrap();
    let conf = folder.path().join("nginx.conf");
    let mut command = Command::new("nginx");
    let child = command.arg("-c").arg(&conf).stderr(Stdio::null()).spawn();
    let child = child.expect("nginx is needed for this test: install the package `nginx-light` or `nginx`");
    let started = std::time::Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        let log = fs::read_to_string(folder.path().join("error.log")).unwrap_or_default();
        assert!(started.elapsed().as_secs() < 10, "nginx did not start: {log}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    (Nginx { child, _folder: folder }, format!("http://127.0.0.1:{port}"))
}

#[test]
fn a_real_nginx_answers_as_sealed() {
    for slash in ["never", "redirect"] {
        let folder = site(slash);
        let path = folder.path().to_path_buf();
        let output = sitegate(&path, &["edge", "nginx"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let (_nginx, url) = nginx(folder, &String::from_utf8(output.stdout).unwrap());
        put(&path, "export/.sitegate/runs/1.json", "{}");
        let output = sitegate(&path, &["verify", &url, "--seal", "seal.json"]);
        assert_eq!(output.status.code(), Some(0), "{slash}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

fn document(host: &str, slash: &str) -> Value {
    let folder = site(slash);
    let output = sitegate(folder.path(), &["edge", host, "--bucket", "my-site", "--prefix", "www"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn cloudfront_gets_errors_headers_and_least_rights() {
    let edge = document("cloudfront", "never");
    let errors = &edge["distribution"]["CustomErrorResponses"]["Items"];
    assert_eq!((&errors[0]["ErrorCode"], &errors[0]["ResponseCode"]), (&403.into(), &"404".into()));
    assert_eq!(edge["distribution"]["OriginPath"], "/www");
    let policies = edge["response_headers_policies"].as_array().unwrap();
    assert_eq!(policies[0]["path_patterns"][0], "/*");
    let security = &policies[1]["policy"]["SecurityHeadersConfig"];
    assert_eq!(security["ContentSecurityPolicy"]["ContentSecurityPolicy"], "default-src 'none'");
    assert_eq!(policies[1]["policy"]["CustomHeadersConfig"]["Items"][0]["Value"], "none");
    let text = edge.to_string();
    assert!(text.contains("arn:aws:s3:::my-site/www/.sitegate/*"), "{text}");
    assert!(!text.contains("s3:*"), "no right that is not needed");
}

#[test]
fn an_s3_website_says_what_it_cannot_do() {
    let edge = document("s3-website", "redirect");
    assert_eq!(edge["website_configuration"]["ErrorDocument"]["Key"], "404.html");
    assert_eq!(edge["not_possible"], serde_json::json!(["content-security-policy", "x-robots-tag"]));
}
