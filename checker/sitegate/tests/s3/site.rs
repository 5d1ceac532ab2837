//! Creates a small site in several versions, and runs the program on it.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use super::server::{KEY, Objects, SECRET, Server, Settings};
use super::signature::hex;
use crate::folders::{program, write};
use crate::outcome::assert_exit;

/// A Google account for a server that checks none.
const NO_ACCOUNT: &str =
    r#"{"private_key": "", "private_key_id": "", "client_email": "", "disable_oauth": true}"#;

/// A single root certificate. The test servers use plain http, and reading all root certificates of the machine at each
/// start took a third of the time of these tests.
const ONE_ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/s3/root.pem");

/// The pages of the site. Each uses an asset.
pub const PAGES: [&str; 4] = ["index.html", "terms/index.html", "blog/first/index.html", "404.html"];

/// An export in a temporary folder.
pub struct Site {
    pub folder: tempfile::TempDir,
}

impl Site {
    pub fn new() -> Site {
        let site = Site { folder: tempfile::tempdir().unwrap() };
        site.version("one");
        site
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        write(&self.path("export"), path, text);
    }

    /// Builds and seals a version of the site, whose pages all use an asset of that version.
    pub fn version(&self, version: &str) {
        let _ = fs::remove_dir_all(self.path("export"));
        for page in PAGES {
            self.write(page, &page_text(version));
        }
        self.write(&format!("assets/app-{}.js", hash(version)), &format!("let version = \"{version}\";"));
        self.write("robots.txt", &format!("User-agent: *\n# {version}\n"));
        let sitemap = format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><!-- {version} --></urlset>"
        );
        self.write("sitemap.xml", &sitemap);
        self.seal();
    }

    pub fn seal(&self) {
        let output = self.command(&["check", "export", "--seal", "seal.json"]).output().unwrap();
        assert_exit(&output, 0, &[]);
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = program(self.folder.path(), args);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AWS_")) {
            command.env_remove(name);
        }
        command
            .env("HOME", self.folder.path())
            .env("SSL_CERT_FILE", ONE_ROOT)
            .env_remove("SSL_CERT_DIR")
            .env("GOOGLE_SERVICE_ACCOUNT_KEY", NO_ACCOUNT)
            .env("AWS_ACCESS_KEY_ID", KEY)
            .env("AWS_SECRET_ACCESS_KEY", SECRET);
        command
    }

    /// Returns the command line of a command on the bucket.
    pub fn on(&self, server: &Server, command: &str, more: &[&str]) -> Command {
        self.on_prefix(server, "", command, more)
    }

    /// Returns the command line of a command on a prefix of the bucket, such as `/docs`.
    pub fn on_prefix(&self, server: &Server, prefix: &str, command: &str, more: &[&str]) -> Command {
        let (url, target) = (server.url(), format!("{}://{}{prefix}", server.scheme, server.bucket));
        let mut args = crate::command_words(command);
        args.push(&target);
        if command == "publish" {
            args.extend(["export", "--seal", "seal.json"]);
        }
        args.extend(["--endpoint", &url]);
        args.extend(more);
        let mut command = self.command(&args);
        // In its own process group, because a stopped process in a group without a terminal would end the group.
        command.process_group(0);
        command
    }

    /// Runs a command on the bucket that must end with a code and print some words. Returns all that it printed.
    #[track_caller]
    pub fn expect(&self, server: &Server, command: &str, more: &[&str], code: i32, words: &[&str]) -> String {
        assert_exit(&self.on(server, command, more).output().unwrap(), code, words)
    }

    pub fn publish(&self, server: &Server, more: &[&str]) -> Output {
        self.on(server, "publish", more).output().unwrap()
    }

    #[track_caller]
    pub fn published(&self, server: &Server, more: &[&str]) -> Value {
        json_document(&self.publish(server, &[&["--format", "json"], more].concat()))
    }

    /// Starts a publish that the server can kill.
    pub fn start(&self, server: &Server, more: &[&str]) -> Child {
        let mut command = self.on(server, "publish", more);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        server.victim(child.id());
        child
    }
}

/// Publishes a site once, and prepares its second version.
pub fn with_second_version(settings: Settings) -> (Site, Server) {
    let (site, server) = (Site::new(), Server::start(settings));
    site.published(&server, &[]);
    site.version("two");
    (site, server)
}

/// Runs a command on the server from an empty folder. It must end with a code and print some words. Returns all that it
/// printed.
#[track_caller]
pub fn expect_without_files(
    server: &Server,
    command: &str,
    more: &[&str],
    code: i32,
    words: &[&str],
) -> String {
    let nowhere = Site { folder: tempfile::tempdir().unwrap() };
    nowhere.expect(server, command, more, code, words)
}

/// Returns the status of the target.
pub fn status(server: &Server) -> Value {
    let nowhere = Site { folder: tempfile::tempdir().unwrap() };
    json_document(&nowhere.on(server, "status", &["--format", "json"]).output().unwrap())
}

#[track_caller]
fn json_document(output: &Output) -> Value {
    assert_exit(output, 0, &[]);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the digest that a bundler would add to the name.
pub fn hash(version: &str) -> String {
    format!("{}c4", hex(version.as_bytes()))
}

pub fn page_text(version: &str) -> String {
    format!(
        "<!doctype html><title>{version}</title><script src=\"/assets/app-{}.js\"></script>",
        hash(version)
    )
}

/// Returns the objects that visitors can request: all but the target state.
pub fn public_objects(objects: &Objects) -> Objects {
    objects
        .iter()
        .filter(|(key, _)| !key.starts_with(".sitegate/"))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}

/// Checks that each page is from one of the versions, that both path variants are complete, and that all assets of pages
/// exist.
pub fn assert_sound(objects: &Objects, versions: &[&str]) -> Result<(), String> {
    for (key, stored) in public_objects(objects) {
        let text = String::from_utf8_lossy(&stored.body).into_owned();
        if !text.starts_with("<!doctype html>") {
            continue;
        }
        let Some(version) = versions.iter().find(|version| page_text(version) == text) else {
            return Err(format!("{key} is of no version: {text}"));
        };
        let asset = format!("assets/app-{}.js", hash(version));
        if !objects.contains_key(&asset) {
            return Err(format!("{key} needs {asset}, which is not there"));
        }
    }
    Ok(())
}

/// Checks that the whole site is from one version.
pub fn is_version(objects: &Objects, version: &str) -> Result<(), String> {
    for key in PAGES.into_iter().chain(["terms", "blog/first"]) {
        let there = objects.get(key).map(|stored| String::from_utf8_lossy(&stored.body).into_owned());
        if there.as_deref() != Some(&page_text(version)) {
            return Err(format!("{key} is {there:?}"));
        }
    }
    let robots = objects.get("robots.txt").map(|stored| stored.body.clone()).unwrap_or_default();
    if String::from_utf8_lossy(&robots).contains(version) { Ok(()) } else { Err("robots.txt".to_owned()) }
}
