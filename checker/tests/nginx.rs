//! `sitegate edge nginx`, read by a real nginx, whose answers are held to the seal.
//!
//! Runs by `cargo test --test nginx` only, since it needs the package `nginx-light` or `nginx`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "edge/site.rs"]
mod site;

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use site::{put, site, sitegate};

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
