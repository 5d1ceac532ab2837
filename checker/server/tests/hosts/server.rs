//! Runs real servers with the configuration that `host-config` prints, and compares them with the check.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sitegate_check::Contract;
use sitegate_host::redirects::MovedAddress;

use crate::sites::{FILES, decoded, expected_answer, parsed, paths};

/// A server on this machine, which ends with the value.
pub struct Server {
    child: Child,
    pub port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A response.
pub struct Answer {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

impl Server {
    /// Starts the first of these programs that is installed: on Debian, servers are not in the PATH of ordinary users.
    /// Returns none if there is none.
    pub fn start(programs: &[&str], args: &[&str], port: u16) -> Option<Server> {
        let start = |program: &&str| {
            Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
        };
        let Some(child) = programs.iter().find_map(start) else {
            eprintln!("not run: {} is not installed", programs[0]);
            return None;
        };
        let mut server = Server { child, port };
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(20), "{} did not start", programs[0]);
            assert!(server.child.try_wait().unwrap().is_none(), "{} refuses its configuration", programs[0]);
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    pub fn request(&self, path: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = format!("GET {path} HTTP/1.0\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let headers = head.lines().skip(1).filter_map(|line| line.split_once(": "));
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            headers: headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect(),
            body: body.to_owned(),
        }
    }

    /// Compares the answers to all paths with those of the check. A server may refuse a `path` with 400, or with 404
    /// and a text of its own.
    pub fn agrees_with_the_check(&self, contract: &Contract, is_refused: impl Fn(&str) -> bool) {
        let host = contract.site.host_profile();
        for path in paths().iter().filter(|path| !is_refused(path)) {
            let expected = expected_answer(host, path);
            let answer = self.request(path);
            let found = match answer.status {
                200 => format!("200 {}", answer.body),
                301 | 302 | 308 => {
                    let location = answer.header("location").trim_start_matches("http://localhost");
                    format!("{} {}", answer.status, decoded(location))
                }
                404 => {
                    assert_eq!(answer.body, "404.html", "{path}");
                    "404".to_owned()
                }
                status => format!("{status} {}", answer.body),
            };
            let site = &contract.site;
            let settings = format!("{:?}, clean-urls {:?}", site.trailing_slash, site.clean_urls);
            assert_eq!(found, expected, "{path}, trailing-slash {settings}");
        }
    }

    /// Compares the headers of all files with the contract, and the redirects with what [`moved`] names.
    pub fn follows_the_contract(&self, contract: &Contract) {
        for file in FILES.iter().filter(|file| **file != "404.html") {
            let path = file.strip_suffix("index.html").unwrap_or(file);
            let answer = self.request(&format!("/{}", sitegate_address::percent::escape_path(path)));
            assert_eq!(answer.status, 200, "{path}");
            let mut expected = contract.headers_for(file);
            expected.entry("Cache-Control").or_insert("public, max-age=0, must-revalidate");
            for (name, value) in expected {
                assert_eq!(answer.header(&name.to_ascii_lowercase()), value, "{path}: {name}");
            }
            let has_tag = contract.headers_for(file).contains_key("X-Robots-Tag");
            assert_eq!(answer.headers.contains_key("x-robots-tag"), has_tag, "{path}");
        }
        for path in ["/nothing", "/docs/nothing", "/gone"] {
            let answer = self.request(path);
            assert!(matches!(answer.status, 404 | 410), "{path}: {}", answer.status);
            for (name, value) in contract.headers_for("404.html") {
                assert_eq!(answer.header(&name.to_ascii_lowercase()), value, "{path}: {name}");
            }
            assert!(!answer.headers.contains_key("x-robots-tag"), "{path}");
        }
        assert_eq!(self.request("/gone").status, 410);
        for (path, media) in [("/a.mjs", "text/javascript"), ("/a.vtt", "text/vtt")] {
            let found = self.request(path);
            assert!(found.header("content-type").starts_with(media), "{path}: {:?}", found.headers);
        }
        assert_eq!(self.request("/.sitegate/runs/1.json").status, 404);
        for (path, expected) in [
            ("/old", "/docs/"),
            ("/old/", "/docs/"),
            ("/old/?a=1&b", "/docs/?a=1&b"),
            ("/own?a=1", "/docs/?own#part"),
            ("/part?a=1", "/docs/?a=1#part"),
            ("/part/", "/docs/#part"),
            ("/a+b.(1)", "https://other.example/x?y=1&z"),
            ("/gr%C3%B6%C3%9Fe/", "/docs/"),
        ] {
            let answer = self.request(path);
            let location = answer.header("location");
            let location = location.strip_prefix("http://localhost").unwrap_or(location);
            assert_eq!((answer.status, location), (301, expected), "{path}");
        }
        for path in ["/older", "/old/x", "/aab.(1)"] {
            assert_eq!(self.request(path).status, 404, "{path}");
        }
    }
}

/// Returns a contract with addresses that are gone.
pub fn with_gone(mut contract: Contract) -> Contract {
    let text = "[permalinks]\ngone = [\n{ paths = [\"/docs/**\", \"/a+b (1)/\"], reason = \"x\", status = 410 },\n\
                { paths = [\"/deep/**\"], reason = \"x\" }]\n";
    contract.permalinks = parsed(text).permalinks;
    contract
}

impl Server {
    /// Asserts that addresses without a file that are gone get 410, and all others what they get otherwise.
    pub fn answers_410_for_gone_addresses(&self) {
        for (path, status) in [
            ("/docs/none", 410),
            ("/docs/none/", 410),
            ("/docs/none/at/all.html?x", 410),
            ("/a+b%20(1)/", 410),
            ("/docs/", 200),
            ("/docs/page.html", 200),
            ("/docs/v1.2/", 200),
            ("/deep/none", 404),
            ("/none", 404),
        ] {
            let answer = self.request(path);
            assert_eq!(answer.status, status, "{path}");
            assert!(status == 200 || answer.body.contains("404.html"), "{path}: {}", answer.body);
        }
    }
}

/// Adds redirects and headers to a contract.
pub fn extended(mut contract: Contract) -> Contract {
    let text = "[[headers]]\npaths = [\"/**\"]\nset = { X-Frame-Options = \"DENY\", X-Odd = 'a \"b\" \\ {c} % ; # $x' }\n\
                [[headers]]\npaths = [\"/docs/**\", \"/**/*.{txt,gz}\"]\nset = { X-Robots-Tag = \"none\" }\n\
                [[headers]]\npaths = [\"/docs/page.html\", \"/v1.2/*.js\"]\nset = { X-Robots-Tag = \"all\" }\n\
                [[headers]]\npaths = [\"/über/**\", \"/日*/index.html\"]\nset = { X-Name = \"yes\" }\n\
                [[headers]]\npaths = [\"/404.html\"]\nset = { X-Missing = \"yes\", X-Name = \"no\" }\n\
                [permalinks]\ngone = [{ paths = [\"/gone\"], reason = \"x\", status = 410 }]\n";
    let parsed = parsed(text);
    contract.headers = parsed.headers;
    contract.permalinks = parsed.permalinks;
    for (from, to) in [
        ("/old", "/docs/"),
        ("/own", "/docs/?own#part"),
        ("/part", "/docs/#part"),
        ("/a+b.(1)", "https://other.example/x?y=1&z"),
        ("/größe", "/docs/"),
    ] {
        contract.redirects.push(MovedAddress { from: from.to_owned(), to: to.to_owned(), span: 0..0 });
    }
    contract
}
