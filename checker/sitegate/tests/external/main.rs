//! `sitegate check --external`, as its users run it, against servers on this machine.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// A server that says 404 to `/gone`, 301 to `/old`, 403 to `/wall`, nothing to `/hang`, and has a page for the rest.
struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start() -> Server {
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
                        let mut told = first.trim_end_matches(" HTTP/1.1").to_owned();
                        let secret = rest.iter().find(|line| line.starts_with("authorization: "));
                        told.extend(secret.map(|line| format!(" ({line})")));
                        let path = first.split(' ').nth(1).unwrap().to_owned();
                        kept.lock().unwrap().push(told);
                        let (status, more) = match path.as_str() {
                            "/gone" => (404, ""),
                            "/old" => (301, "location: /new\r\n"),
                            "/wall" => (403, ""),
                            "/hang" => {
                                thread::sleep(Duration::from_secs(60));
                                return;
                            }
                            _ => (200, "content-type: text/html\r\n"),
                        };
                        let page = if first.starts_with("HEAD") { "" } else { "<h1 id=one>One</h1>" };
                        let answer = format!("HTTP/1.1 {status} x\r\ncontent-length: 19\r\n{more}\r\n{page}");
                        if stream.write_all(answer.as_bytes()).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Server { address, asked }
    }

    fn asked(&self) -> Vec<String> {
        let mut asked = self.asked.lock().unwrap().clone();
        asked.sort();
        asked
    }
}

/// A site of one page with some links, and its contract.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(server: &Server, paths: &[&str], contract: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let links: String = paths
            .iter()
            .map(|path| format!("<p><a href=\"http://{}{path}\">x</a>\n", server.address))
            .collect();
        let page = format!(
            "<!doctype html><html lang=en><meta charset=utf-8><title>t</title><meta name=description content=d><link rel=icon href=\"data:,\">\n{links}"
        );
        fs::create_dir(folder.path().join("site")).unwrap();
        fs::write(folder.path().join("site/index.html"), page).unwrap();
        let contract = format!(
            "[site]\nroot = \"site\"\n[rules]\nlocal-address = \"off\"\ninsecure-link = \"off\"\n[external]\nallow-addresses = [\"127.0.0.0/8\"]\ncache = \"answers\"\n{contract}"
        );
        fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
        Place { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command.arg("check").args(arguments).current_dir(self.folder.path()).env("CI", "true");
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env_remove(name).env_remove(name.to_ascii_lowercase());
        }
        command
    }

    fn check(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn answers(&self) -> PathBuf {
        self.folder.path().join("answers")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The rules of all findings, by their lines.
fn rules(output: &Output) -> Vec<(u64, String)> {
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let diagnostics = report["diagnostics"].as_array().unwrap();
    diagnostics
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["rule"].as_str().unwrap().to_owned()))
        .collect()
}

#[test]
fn what_other_hosts_say_is_found_at_its_line() {
    let server = Server::start();
    let place = Place::new(&server, &["/fine", "/gone", "/old", "/wall", "/fine#one", "/fine#two"], "");
    let output = place.check(&["--external", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let expected = [
        (3, "broken-external-link"),
        (4, "moved-external-link"),
        (5, "unverified-external-link"),
        (7, "broken-external-anchor"),
    ];
    assert_eq!(rules(&output), expected.map(|(line, rule)| (line, rule.to_owned())));
    assert!(text(&output.stderr).contains("asked for 4 addresses on 1 host in "), "{}", text(&output.stderr));
}

#[test]
fn a_wall_and_a_move_fail_nothing() {
    let server = Server::start();
    let output = Place::new(&server, &["/old", "/wall", "/fine#two"], "").check(&["--external"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains(&format!("link to `http://{}/new`", server.address)));
}

#[test]
fn nobody_is_asked_unless_that_is_wanted() {
    let server = Server::start();
    let place = Place::new(&server, &["/gone"], "");
    assert_eq!(place.check(&[]).status.code(), Some(0));
    let output = place.check(&["--external", "--dry-run"]);
    let told = text(&output.stdout);
    assert!(told.contains(&format!("{}\u{20} 6 at a time, 50 ms apart", server.address)), "{told}");
    assert!(told.ends_with("1 address on 1 host would be asked for, which takes 50 ms at least\n"), "{told}");
    assert_eq!(server.asked(), [""; 0]);
    assert!(!place.answers().exists());
}

#[test]
fn what_is_not_public_is_not_asked_unless_allowed() {
    let server = Server::start();
    let place = Place::new(&server, &["/gone"], "");
    let contract = place.folder.path().join("sitegate.toml");
    let strict = fs::read_to_string(&contract).unwrap().replace("\"127.0.0.0/8\"", "");
    fs::write(&contract, strict).unwrap();
    let output = place.check(&["--external"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("127.0.0.1 is not a public address"), "{}", text(&output.stdout));
    assert_eq!(server.asked(), [""; 0]);
}

#[test]
fn answers_are_kept_and_asked_for_again_when_that_is_wanted() {
    let server = Server::start();
    let place = Place::new(&server, &["/fine", "/gone"], "");
    place.check(&["--external"]);
    let (asked, kept) = (server.asked(), fs::read_to_string(place.answers()).unwrap());
    assert_eq!(asked, ["GET /gone", "HEAD /fine", "HEAD /gone"]);
    assert_eq!(kept.lines().count(), 3);
    let output = place.check(&["--external", "--format", "json"]);
    assert_eq!(server.asked(), asked);
    assert_eq!(rules(&output), [(3, "broken-external-link".to_owned())]);
    assert!(text(&output.stderr).contains(", 2 known from earlier"), "{}", text(&output.stderr));
    place.check(&["--external", "--no-cache"]);
    assert_eq!(server.asked().len(), 2 * asked.len());
}

#[test]
fn exceptions_and_what_is_skipped_hold_for_other_hosts_too() {
    let server = Server::start();
    let ignored = "[[ignore]]\nrule = \"broken-external-link\"\nreason = \"it comes back on Monday\"\n";
    let place = Place::new(&server, &["/gone"], ignored);
    assert_eq!(place.check(&["--external"]).status.code(), Some(0));
    // Where nobody is asked, such an exception is not called idle.
    assert!(!text(&place.check(&[]).stdout).contains("excuses nothing"));
    let place = Place::new(&server, &["/wall"], &format!("skip = [\"http://{}/w*\"]\n", server.address));
    let before = server.asked().len();
    assert!(text(&place.check(&["--external"]).stdout).contains("passed"));
    assert_eq!(server.asked().len(), before);
}

#[test]
fn secrets_come_from_the_environment_and_go_to_their_host_alone() {
    let (server, other) = (Server::start(), Server::start());
    let hosts = |value: &str| {
        format!("[external.hosts.\"http://{}\"]\nheaders = {{ Authorization = {value} }}\n", server.address)
    };
    let place = Place::new(&server, &["/fine"], &hosts("{ env = \"SAMPLE_TOKEN\" }"));
    let page = place.folder.path().join("site/index.html");
    let both =
        fs::read_to_string(&page).unwrap() + &format!("<p><a href=\"http://{}/fine\">y</a>", other.address);
    fs::write(&page, both).unwrap();
    let output = place.command(&["--external"]).env("SAMPLE_TOKEN", "Bearer sample").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(server.asked(), ["HEAD /fine (authorization: Bearer sample)"]);
    assert_eq!(other.asked(), ["HEAD /fine"]);
    assert!(!fs::read_to_string(place.answers()).unwrap().contains("sample"));
    let output = Place::new(&server, &["/fine"], &hosts("\"Bearer sample\"")).check(&["--external"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("a secret, which does not belong into a file"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn what_the_contract_says_wrongly_is_told_with_its_line() {
    let server = Server::start();
    for (wrong, message) in [
        ("skip = [\"www.example.org\"]", "must begin with a scheme"),
        ("timeout = -1.0", "a number of seconds"),
        ("concurrency = 0", "at least 1"),
        ("intervals = 1", "unknown key `intervals`"),
        ("[external.host]\ninterval = 1e9", "a number of seconds"),
    ] {
        let output = Place::new(&server, &["/fine"], wrong).check(&["--external"]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(text(&output.stderr).contains(message), "{wrong}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("sitegate.toml:"), "{wrong}: {}", text(&output.stderr));
    }
    let place = Place::new(&server, &["/fine"], "");
    let contract = place.folder.path().join("sitegate.toml");
    let odd = fs::read_to_string(&contract).unwrap().replace("127.0.0.0/8", "here");
    fs::write(&contract, odd).unwrap();
    let told = text(&place.check(&["--external"]).stderr);
    assert!(told.contains("sitegate.toml:7:20: `here` is not a network"), "{told}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_tells_what_is_known_so_far() {
    let server = Server::start();
    let place = Place::new(&server, &["/gone", "/hang"], "");
    let child = place.command(&["--external"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !server.asked().iter().any(|line| line == "GET /gone") {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    assert!(told.contains("it answers 404 Not Found"), "{told}");
    assert!(told.contains("the check was stopped before it answered"), "{told}");
}
