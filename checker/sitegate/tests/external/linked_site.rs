//! Creates a site of one page, and a server that it links to.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{json, program, read, write};
use crate::outcome::assert_exit;
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
        write(folder.path(), "site/index.html", &page);
        let contract = format!(
            "[site]\nroot = \"site\"\n[rules]\nlocal-address = \"off\"\ninsecure-link = \"off\"\n[external]\nallow-addresses = [\"127.0.0.0/8\"]\n{contract}"
        );
        write(folder.path(), "sitegate.toml", &contract);
        LinkedSite { folder }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(self.folder.path(), &[&["check"], arguments].concat());
        command.env("CI", "true").env("XDG_CACHE_HOME", self.folder.path());
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
            command.env_remove(name).env_remove(name.to_ascii_lowercase());
        }
        command
    }

    pub fn check(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a check that must end with a code and print some words. Returns all that it printed.
    #[track_caller]
    pub fn expect(&self, arguments: &[&str], code: i32, words: &[&str]) -> String {
        assert_exit(&self.check(arguments), code, words)
    }

    /// Returns a path in its folder.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Returns the path of the cache of answers.
    pub fn answers_path(&self) -> PathBuf {
        self.folder.path().join("sitegate/answers")
    }

    /// Returns the cache of answers.
    pub fn answers(&self) -> String {
        read(self.folder.path(), "sitegate/answers")
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the lines and rules of all findings.
pub fn rules_by_line(output: &Output) -> Vec<(u64, String)> {
    let report = json(output);
    let of = |one: &Value| (one["line"].as_u64().unwrap(), one["rule"].as_str().unwrap().to_owned());
    report["findings"].as_array().unwrap().iter().map(of).collect()
}
