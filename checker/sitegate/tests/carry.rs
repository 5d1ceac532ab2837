//! Tests `sitegate carry`: a bundled application is deployed ten times to hosts that replace a site as a whole, and every
//! file that an open tab may request is there.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use sha2::{Digest, Sha256};

use crate::folders::write;

const DEPLOYMENTS: usize = 10;

struct Project {
    folder: tempfile::TempDir,
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Returns a name as Vite writes it: with eight characters of a hash.
fn hashed(name: &str, extension: &str, content: &str) -> String {
    let digest = Sha256::digest(content);
    let characters: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let hash: String =
        digest.iter().skip(1).take(6).map(|byte| characters[usize::from(*byte) % 62]).collect();
    format!("assets/{name}-A{}{hash}.{extension}", digest[0] % 10)
}

impl Project {
    fn new() -> Project {
        Project { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sitegate"))
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    fn run_ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output));
        text(&output)
    }

    /// Builds version `number`: a page that loads an entry, which loads chunks of routes later. Some chunks change with
    /// each version, one with each second, and one never. Returns the assets of the build.
    fn build(&self, number: usize) -> BTreeMap<String, String> {
        let root = self.path("dist");
        let _ = fs::remove_dir_all(&root);
        let mut assets = BTreeMap::new();
        let mut add = |name: &str, extension: &str, content: String| {
            let path = hashed(name, extension, &content);
            assets.insert(path.clone(), content);
            path.trim_start_matches("assets/").to_owned()
        };
        let image = add(
            "logo",
            "svg",
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><title>{}</title></svg>", number / 2),
        );
        let style = add("page", "css", format!("a{{background:url(./{image})}}b{{order:{number}}}"));
        let shared = add("vendor", "js", "export const shared = 1;".to_owned());
        let route = add("route", "js", format!("import './{shared}';export default 'route {number}';"));
        let entry = add(
            "index",
            "js",
            format!("import './{shared}';export const open = () => import('./{route}');open();"),
        );
        for (path, content) in &assets {
            write(&root, path, content);
        }
        let head = "<!doctype html><html lang=en><meta charset=utf-8><title>App</title><meta name=description content=d><link rel=icon href=\"data:,\">";
        write(
            &root,
            "index.html",
            &format!(
                "{head}<link rel=stylesheet href=/assets/{style}><script type=module src=/assets/{entry}></script>{number}"
            ),
        );
        write(&root, &format!("news-{number}.html"), &format!("{head}{number}"));
        assets
    }

    /// Replaces the site as a whole, as Pages, Netlify, Vercel and a container do.
    fn deploy(&self) {
        let _ = fs::remove_dir_all(self.path("live"));
        fs::rename(self.path("dist"), self.path("live")).unwrap();
    }

    fn carry(&self, more: &[&str]) -> String {
        let arguments = [&["carry", "dist", "--from", "live"], more].concat();
        self.run_ok(&arguments)
    }
}

/// Requests paths from the preview of a host, and returns the bodies of those with status 200.
fn served(project: &Project, host: &str, paths: &[&String]) -> BTreeMap<String, String> {
    write(project.folder.path(), "sitegate.toml", &format!("[site]\nroot = \"live\"\nhost = \"{host}\"\n"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.args(["serve", "--port", "0", "--stop-after", "60"]).current_dir(project.folder.path());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.find_map(|line| {
        let line = line.unwrap();
        let at = line.find("http://")? + "http://".len();
        let address: String = line[at..].chars().take_while(|c| !c.is_whitespace() && *c != '/').collect();
        Some(address)
    });
    let address = address.unwrap().replace("localhost", "127.0.0.1");
    let mut found = BTreeMap::new();
    for path in paths {
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(stream, "GET /{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        if answer.starts_with("HTTP/1.1 200") {
            let body = answer.split_once("\r\n\r\n").unwrap().1;
            found.insert((*path).clone(), body.to_owned());
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    found
}

#[test]
fn tabs_of_ten_deployments_find_their_files_on_four_hosts() {
    let project = Project::new();
    let mut opened: BTreeMap<String, String> = BTreeMap::new();
    for number in 0..=DEPLOYMENTS {
        let own = project.build(number);
        if number > 0 {
            project.carry(&[]);
            // A second time changes nothing.
            let list = fs::read(project.path("dist/sitegate-assets.txt")).unwrap();
            assert!(project.carry(&[]).contains("added 0 files"));
            assert_eq!(fs::read(project.path("dist/sitegate-assets.txt")).unwrap(), list);
            assert!(
                !project.path(&format!("dist/news-{}.html", number - 1)).exists(),
                "a page is never carried"
            );
        }
        project.run_ok(&["check", "dist", "--seal", "seal.json"]);
        let seal = fs::read_to_string(project.path("seal.json")).unwrap();
        assert!(number == 0 || seal.contains("sitegate-assets.txt"));
        project.deploy();
        opened.extend(own);
        for (path, content) in &opened {
            assert_eq!(
                fs::read_to_string(project.path("live").join(path)).ok().as_ref(),
                Some(content),
                "{path} after {number}"
            );
        }
    }
    assert!(opened.len() > 4 * DEPLOYMENTS / 2);
    let paths: Vec<&String> = opened.keys().collect();
    for host in ["github-pages", "netlify", "vercel", "cloudflare-pages"] {
        assert_eq!(served(&project, host, &paths), opened, "{host}");
    }
}

#[test]
fn files_go_after_the_limits() {
    let project = Project::new();
    let first = project.build(1);
    project.deploy();
    for number in 2..=4 {
        project.build(number);
        project.carry(&["--releases", "2"]);
        project.deploy();
    }
    let gone: Vec<&String> = first.keys().filter(|path| !project.path("live").join(path).exists()).collect();
    assert!(gone.iter().any(|path| path.starts_with("assets/index-")), "{gone:?}");
    assert!(!gone.iter().any(|path| path.starts_with("assets/vendor-")), "{gone:?}");
    project.build(5);
    let planned = project.carry(&["--dry-run"]);
    assert!(planned.contains("would add") && planned.contains("assets/index-"), "{planned}");
    assert!(!project.path("dist/sitegate-assets.txt").exists(), "--dry-run changes nothing");
    let seconds = fs::metadata(project.path("live/sitegate-assets.txt")).unwrap().len();
    assert!(seconds > 0);
}

#[test]
fn a_differing_file_is_not_overwritten() {
    let project = Project::new();
    let assets = project.build(1);
    let path = assets.keys().next().unwrap();
    project.deploy();
    project.build(2);
    write(&project.path("dist"), path, "another content");
    let output = project.run(&["carry", "dist", "--from", "live"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains(path), "{}", text(&output));
    assert_eq!(fs::read_to_string(project.path("dist").join(path)).unwrap(), "another content");
    assert!(!project.path("dist/sitegate-assets.txt").exists());
}

#[cfg(unix)]
#[test]
fn lists_and_links_of_others_write_nothing_outside() {
    let project = Project::new();
    project.build(1);
    project.deploy();
    project.build(2);
    let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for path in [
        "../outside-B3x_9kQz.js",
        "/tmp/outside-B3x_9kQz.js",
        "a/../../outside-B3x_9kQz.js",
        "a\u{1b}-B3x_9kQz.js",
    ] {
        let list = format!("# sitegate assets 1\n0 2026-11-27 0 {digest} {path}\n");
        write(&project.path("live"), "sitegate-assets.txt", &list);
        let output = project.run(&["carry", "dist", "--from", "live"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains("sitegate-assets.txt:2: "), "{}", text(&output));
    }
    fs::remove_file(project.path("live/sitegate-assets.txt")).unwrap();
    // A folder of the export that is a link to another place.
    fs::remove_dir_all(project.path("dist/assets")).unwrap();
    fs::create_dir(project.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(project.path("elsewhere"), project.path("dist/assets")).unwrap();
    let output = project.run(&["carry", "dist", "--from", "live"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert_eq!(fs::read_dir(project.path("elsewhere")).unwrap().count(), 0);
    // Links in the previous export are not followed.
    std::os::unix::fs::symlink("/etc/hostname", project.path("live/assets/host-B3x_9kQz.js")).unwrap();
    fs::remove_file(project.path("dist/assets")).unwrap();
    project.carry(&[]);
    assert!(!project.path("dist/assets/host-B3x_9kQz.js").exists());
}

#[test]
fn a_target_of_publish_is_a_previous_release() {
    let project = Project::new();
    let first = project.build(1);
    project.run_ok(&["check", "dist", "--seal", "seal.json"]);
    let target = format!("file://{}", project.path("public").display());
    project.run_ok(&["publish", &target, "dist", "--seal", "seal.json"]);
    project.build(2);
    project.run_ok(&["carry", "dist", "--from", &target]);
    for (path, content) in &first {
        assert_eq!(&fs::read_to_string(project.path("dist").join(path)).unwrap(), content);
    }
}

/// Serves a folder as a plain host.
fn serve_folder(root: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, root) = (stream.unwrap(), root.clone());
            thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                while let Some(Ok(first)) = lines.next() {
                    let _headers =
                        lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty()).count();
                    let path = first.split(' ').nth(1).unwrap().trim_start_matches('/').to_owned();
                    let (status, body) = match fs::read(Path::new(&root).join(path)) {
                        Ok(body) => (200, body),
                        Err(_) => (404, Vec::new()),
                    };
                    let head = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\n\r\n", body.len());
                    if stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).is_err() {
                        return;
                    }
                }
            });
        }
    });
    format!("http://{address}/")
}

#[cfg(feature = "network")]
#[test]
fn the_live_site_is_a_previous_release_once_it_has_a_list() {
    let project = Project::new();
    let url = serve_folder(project.path("live"));
    let first = project.build(1);
    assert!(project.run_ok(&["carry", "dist", "--from", &url]).contains("has no sitegate-assets.txt yet"));
    project.deploy();
    project.build(2);
    project.run_ok(&["carry", "dist", "--from", &url]);
    for (path, content) in &first {
        assert_eq!(&fs::read_to_string(project.path("dist").join(path)).unwrap(), content);
    }
    // A file that the host changes is not carried.
    project.build(3);
    let changed = first.keys().find(|path| path.starts_with("assets/index-")).unwrap();
    fs::write(project.path("live").join(changed), "minified").unwrap();
    let printed = project.run_ok(&["carry", "dist", "--from", &url]);
    assert!(printed.contains(&format!("not carried: {changed}")), "{printed}");
    assert!(!project.path("dist").join(changed).exists());
    let list = fs::read_to_string(project.path("dist/sitegate-assets.txt")).unwrap();
    assert!(!list.contains(changed.as_str()));
}
