//! Creates an export, its seal and a target folder, and runs the program on them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use crate::folders::{program, write};
use crate::outcome::assert_exit;

/// An export, its seal and a target in a temporary folder.
pub struct Site {
    pub folder: tempfile::TempDir,
}

impl Site {
    pub fn new() -> Site {
        let site = Site { folder: tempfile::tempdir().unwrap() };
        site.write("index.html", "<!doctype html><title>Home</title><a href=\"/terms/\">Terms</a>");
        site.write("terms/index.html", "<!doctype html><title>Terms</title><p>40%");
        site.write("about/index.html", "<!doctype html><title>About</title>");
        site.write("assets/app-B3x_9kQz.js", "let one = 1;");
        site.write("robots.txt", "User-agent: *\n");
        site
    }

    /// Creates a site with one release.
    pub fn published() -> Site {
        let site = Site::new();
        site.check();
        site.publish_ok(&[]);
        site
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file of the export.
    pub fn write(&self, path: &str, text: &str) {
        self.place(&format!("export/{path}"), text);
    }

    /// Writes any file, such as the contract or a file in the target.
    pub fn place(&self, path: &str, text: &str) {
        write(self.folder.path(), path, text);
    }

    /// Changes and seals a page.
    pub fn edit_terms(&self, text: &str) {
        self.write("terms/index.html", &format!("<!doctype html><title>Terms</title><p>{text}"));
        self.check();
    }

    pub fn command(&self, args: &[&str]) -> Command {
        program(self.folder.path(), args)
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    #[track_caller]
    pub fn check(&self) {
        assert_exit(&self.run(&["check", "export", "--seal", "seal.json"]), 0, &[]);
    }

    pub fn target(&self) -> String {
        format!("file://{}", self.path("public").display())
    }

    /// Returns the path of a file of the target state.
    pub fn state_file(&self, name: &str) -> PathBuf {
        self.path("public/.sitegate").join(name)
    }

    /// Returns the number of files in a folder of the target state.
    pub fn count_in(&self, folder: &str) -> usize {
        fs::read_dir(self.state_file(folder)).unwrap().count()
    }

    /// Returns the last file in a folder of the target state, in the order of names.
    pub fn last_in(&self, folder: &str) -> PathBuf {
        fs::read_dir(self.state_file(folder)).unwrap().map(|entry| entry.unwrap().path()).max().unwrap()
    }

    /// Returns the command line of a command on the target.
    pub fn on_target_command(&self, command: &str, more: &[&str]) -> Command {
        let (words, target) = (crate::command_words(command), self.target());
        let sealed: &[&str] =
            if matches!(command, "plan" | "publish") { &["export", "--seal", "seal.json"] } else { &[] };
        self.command(&[words.as_slice(), &[&target], sealed, more].concat())
    }

    /// Runs a command on the target.
    pub fn on_target(&self, command: &str, more: &[&str]) -> Output {
        self.on_target_command(command, more).output().unwrap()
    }

    pub fn publish(&self, more: &[&str]) -> Output {
        self.on_target("publish", more)
    }

    pub fn publish_ok(&self, more: &[&str]) -> Value {
        self.json("publish", more)
    }

    /// Runs a command on the target that must succeed. Returns its result.
    #[track_caller]
    pub fn json(&self, command: &str, more: &[&str]) -> Value {
        let output = self.on_target(command, &[&["--format", "json"], more].concat());
        assert_exit(&output, 0, &[]);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs a command on the target that must end with a code and print some words. Returns all that it printed.
    #[track_caller]
    pub fn expect(&self, command: &str, more: &[&str], code: i32, words: &[&str]) -> String {
        assert_exit(&self.on_target(command, more), code, words)
    }

    /// Returns a published file, if it is there.
    pub fn live(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path("public").join(path)).ok()
    }
}

/// Changes a file of JSON.
pub fn edit_json(path: &std::path::Path, edit: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    edit(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

/// Sets the time of a file's last change to some seconds ago.
pub fn set_age(path: &std::path::Path, seconds: u64) {
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(seconds)).unwrap();
}

pub fn keys(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect()
}
