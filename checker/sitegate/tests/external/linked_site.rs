//! Creates a site of one page, and a server that it links to.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// A server that answers 404 for `/gone` and inventories of other branches than `main`, 301 for `/old`, 403 for `/wall`, 429 below `/busy/`, nothing for `/hang`, and a
/// page for other paths.
pub struct Server {
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, kept) = (stream.unwrap(), Arc::clone(&kept));
                thread::spawn(move || {
                    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                    while let Some(Ok(first)) = lines.next() {
                        let rest: Vec<String> = lines
                            .by_ref()
                            .map_while(Result::ok)
                            .take_while(|line| !line.is_empty())
                            .collect();
                        let mut printed = first.trim_end_matches(" HTTP/1.1").to_owned();
                        let secret = rest.iter().find(|line| line.starts_with("authorization: "));
                        printed.extend(secret.map(|line| format!(" ({line})")));
                        let path = first.split(' ').nth(1).unwrap().to_owned();
                        kept.lock().unwrap().push(printed);
                        let (status, more) = match path.as_str() {
                            "/gone" => (404, ""),
                            "/main/inventory.txt" => (200, "content-type: text/plain\r\n"),
                            path if path.ends_with("/inventory.txt") => (404, ""),
                            "/old" => (301, "location: /new\r\n"),
                            "/wall" => (403, ""),
                            path if path.starts_with("/busy/") => (429, "retry-after: 3600\r\n"),
                            "/hang" => {
                                thread::sleep(Duration::from_mins(1));
                                return;
                            }
                            _ => (200, "content-type: text/html\r\n"),
                        };
                        let body = match path.as_str() {
                            "/main/inventory.txt" => "https://api.example.com/users/\n",
                            _ => "<h1 id=one>One</h1>",
                        };
                        let sent = if first.starts_with("HEAD") { "" } else { body };
                        let length = body.len();
                        let answer =
                            format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n{more}\r\n{sent}");
                        if stream.write_all(answer.as_bytes()).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Server { address, asked }
    }

    pub fn requested(&self) -> Vec<String> {
        let mut asked = self.asked.lock().unwrap().clone();
        asked.sort();
        asked
    }
}

/// A site of one page with links, and its contract.
pub struct LinkedSite {
    pub folder: TempDir,
}

impl LinkedSite {
    pub fn new(server: &Server, paths: &[&str], contract: &str) -> LinkedSite {
        let urls: Vec<String> = paths.iter().map(|path| format!("http://{}{path}", server.address)).collect();
        LinkedSite::with_links(&urls, contract)
    }

    pub fn with_links(urls: &[String], contract: &str) -> LinkedSite {
        let folder = tempfile::tempdir().unwrap();
        let links: String = urls.iter().map(|url| format!("<p><a href=\"{url}\">x</a>\n")).collect();
        let page = format!(
            "<!doctype html><html lang=en><meta charset=utf-8><title>t</title><meta name=description content=d><link rel=icon href=\"data:,\">\n{links}"
        );
        fs::create_dir(folder.path().join("site")).unwrap();
        fs::write(folder.path().join("site/index.html"), page).unwrap();
        let contract = format!(
            "[site]\nroot = \"site\"\n[rules]\nlocal-address = \"off\"\ninsecure-link = \"off\"\n[external]\nallow-addresses = [\"127.0.0.0/8\"]\n{contract}"
        );
        fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
        LinkedSite { folder }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command.arg("check").args(arguments).current_dir(self.folder.path()).env("CI", "true");
        command.env("XDG_CACHE_HOME", self.folder.path());
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
            command.env_remove(name).env_remove(name.to_ascii_lowercase());
        }
        command
    }

    pub fn check(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub fn answers(&self) -> PathBuf {
        self.folder.path().join("sitegate/answers")
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the lines and rules of all findings.
pub fn rules_by_line(output: &Output) -> Vec<(u64, String)> {
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["rule"].as_str().unwrap().to_owned()))
        .collect()
}
