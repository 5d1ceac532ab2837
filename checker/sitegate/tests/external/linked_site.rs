//! Creates a site of one page, and a server that it links to.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::site_server::{self, Reply, plain, requested};

/// A server that answers 404 for `/gone` and inventories of other branches than `main`, 301 for `/old`, 403 for `/wall`,
/// 429 below `/busy/`, nothing for `/hang`, and a page for other paths.
pub struct Server {
    pub address: SocketAddr,
    server: site_server::Server,
}

impl Server {
    pub fn start() -> Server {
        let server = site_server::start(|path| match path {
            "/gone" => Reply::status(404),
            "/main/inventory.txt" => plain("https://api.example.com/users/\n"),
            path if path.ends_with("/inventory.txt") => Reply::status(404),
            "/old" => Reply::to(301, "/new"),
            "/wall" => Reply::status(403),
            path if path.starts_with("/busy/") => {
                Reply::Answer(429, vec![("retry-after", "3600".to_owned())], Vec::new())
            }
            "/hang" => Reply::Hang,
            _ => Reply::page("<h1 id=one>One</h1>"),
        });
        Server { address: server.address, server }
    }

    pub fn requested(&self) -> Vec<String> {
        requested(&self.server)
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
