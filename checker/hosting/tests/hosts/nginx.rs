//! Runs a real nginx with the configuration that `edge` prints; skipped if it is not installed.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::contract::host::Host;
use sitegate_check::internal::resolve::answer::{HostAnswer, HostProfile};
use sitegate_hosting::edge;

use crate::sites::{Names, SLASHES, contract, decoded, paths, write};

struct RealNginx(Child);

impl Drop for RealNginx {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts nginx for a site below `folder`, and returns its port.
fn start(folder: &Path, contract: &Contract) -> Option<(RealNginx, u16)> {
    let root = folder.join("site");
    write(&root);
    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let block = edge::nginx(contract, &root).unwrap();
    let block = block.replace("listen 80;", &format!("listen 127.0.0.1:{port};"));
    let here = folder.display();
    let config = format!(
        "daemon off; master_process off; pid {here}/pid; error_log {here}/error.log;\nevents {{}}\nhttp {{\n\
         access_log off; client_body_temp_path {here}/t1; proxy_temp_path {here}/t2;\n\
         fastcgi_temp_path {here}/t3; uwsgi_temp_path {here}/t4; scgi_temp_path {here}/t5;\n{block}\n}}\n"
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, config).unwrap();
    // On Debian it is not in the PATH of ordinary users.
    let child = ["nginx", "/usr/sbin/nginx"]
        .into_iter()
        .find_map(|program| Command::new(program).arg("-c").arg(&file).stderr(Stdio::null()).spawn().ok());
    let Some(child) = child else {
        eprintln!("not run: nginx is not installed");
        return None;
    };
    let server = RealNginx(child);
    let started = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let log = fs::read_to_string(folder.join("error.log")).unwrap_or_default();
        assert!(started.elapsed() < Duration::from_secs(10), "nginx did not start: {log}");
        std::thread::sleep(Duration::from_millis(20));
    }
    Some((server, port))
}

/// Returns the status, the location and the body.
fn request(port: u16, path: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let location = head.lines().find_map(|line| line.strip_prefix("Location: ")).unwrap_or_default();
    (status, location.to_owned(), body.to_owned())
}

#[test]
fn nginx_agrees_with_the_check() {
    for (slash, clean) in SLASHES.into_iter().flat_map(|slash| [(slash, None), (slash, Some(true))]) {
        let folder = tempfile::tempdir().unwrap();
        let mut contract = contract(Some(Host::Nginx), slash);
        contract.site.clean_urls = clean;
        let Some((_nginx, port)) = start(folder.path(), &contract) else { return };
        let host = HostProfile::of(&contract.site);
        for path in paths() {
            let mut decoded_path = decoded(&path).into_bytes();
            let expected = match host.answer(&mut decoded_path, &Names) {
                HostAnswer::File { file, .. } => format!("200 {file}"),
                HostAnswer::Redirect { status } => {
                    format!("{status} {}", String::from_utf8(decoded_path).unwrap())
                }
                HostAnswer::Nothing(_) => "404".to_owned(),
            };
            let (status, location, body) = request(port, &path);
            let found = match status {
                200 => format!("200 {body}"),
                301 | 302 => format!("{status} {}", decoded(&location)),
                404 => {
                    assert_eq!(body, "404.html", "{path}");
                    "404".to_owned()
                }
                _ => panic!("{path}: {status} {body}"),
            };
            assert_eq!(found, expected, "{path}, trailing-slash {slash:?}, clean-urls {clean:?}");
        }
    }
}
