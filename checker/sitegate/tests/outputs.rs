//! Tests that an output that cannot be written is reported before anything says that the check passed, and that the
//! exit code says so.

use std::fs::{self, File};
use std::io::Read;
use std::process::Stdio;

use tempfile::TempDir;

use crate::folders::{folder, program, sitegate, stderr, stdout, write};

const PAGE: &str = "<!doctype html><html lang=en><head><meta charset=utf-8><title>T</title>\
                    <meta name=description content=\"T\"></head><body><h1>T</h1>";

/// A site that passes, with its contract.
fn site() -> TempDir {
    let contract = "[site]\nroot = \"dist\"\norigin = \"https://www.acme.test\"\n";
    folder(&[("sitegate.toml", contract), ("dist/index.html", PAGE), ("list.txt", "/a/\n"), ("file", "x")])
}

/// Commands with an output at `PATH`.
const WRITING: [&[&str]; 8] = [
    &["check", "--seal", "PATH"],
    &["check", "--report", "json=PATH"],
    &["check", "--report", "html=ok.html", "--report", "sarif=PATH", "--seal", "seal.json"],
    &["check", "--facts", "PATH"],
    &["check", "--inventory", "PATH"],
    &["check", "--write-baseline", "PATH"],
    &["inventory", "list.txt", "--output", "PATH"],
    &["diff", "dist", "dist", "--pages", "PATH"],
];

#[test]
fn a_missing_folder_is_reported_and_not_created() {
    for arguments in WRITING.iter().chain([&["init", "dist", "--config", "PATH"][..]].iter()) {
        for (path, message) in [
            ("new/file.json", "there is no folder `new`; create it first, or choose another path"),
            ("new/deep/file.json", "there is no folder `new/deep`; create it first"),
            ("../new/file.json", "there is no folder `../new`; create it first"),
            ("file/x.json", "`file` is not a folder; choose another path"),
            ("file/deep/x.json", "`file` is not a folder; choose another path"),
        ] {
            let site = site();
            let before = fs::read_dir(site.path()).unwrap().count();
            let filled: Vec<String> =
                arguments.iter().map(|argument| argument.replace("PATH", path)).collect();
            let output = sitegate(site.path(), &filled.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(output.status.code(), Some(2), "{filled:?}: {}", stderr(&output));
            assert!(stderr(&output).contains(message), "{filled:?}: {}", stderr(&output));
            assert_eq!(stdout(&output), "", "{filled:?}");
            assert_eq!(fs::read_dir(site.path()).unwrap().count(), before, "{filled:?}");
        }
    }
    // The folder of a file in the working directory, and any other that exists, is there.
    let site = site();
    write(site.path(), "out/old.txt", "");
    let arguments = ["check", "--seal", "seal.json", "--report", "json=./r.json", "--facts", "out/facts.gz"];
    assert_eq!(sitegate(site.path(), &arguments).status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_passes_if_an_output_cannot_be_written() {
    for arguments in WRITING.iter().take(6) {
        let site = site();
        let full = arguments.iter().map(|argument| argument.replace("PATH", "/dev/full"));
        let mut full: Vec<String> = full.collect();
        if !full.iter().any(|argument| argument.starts_with("--seal") || argument == "--write-baseline") {
            full.extend(["--seal", "seal.json", "--report", "markdown=r.md"].map(str::to_owned));
        }
        let output = sitegate(site.path(), &full.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{full:?}");
        assert!(stderr(&output).contains("No space left on device"), "{full:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{full:?}");
        for name in ["seal.json", "r.md", "ok.html"] {
            assert!(!site.path().join(name).exists(), "{full:?} leaves {name}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_seal_is_made_of_names_that_cannot_be_published() {
    let site = site();
    let contract = fs::read_to_string(site.path().join("sitegate.toml")).unwrap();
    write(site.path(), "sitegate.toml", &format!("{contract}[rules]\nunpublishable-name = \"off\"\n"));
    write(site.path(), "dist/a\nb.txt", "x");
    let arguments = ["check", "--seal", "seal.json", "--report", "json=r.json"];
    let output = sitegate(site.path(), &arguments);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("cannot seal files that cannot be published"), "{}", stderr(&output));
    assert_eq!((stdout(&output).as_str(), site.path().join("r.json").exists()), ("", false));
}

/// Commands that print to standard output, with their exit codes.
const PRINTING: [(&[&str], i32); 30] = [
    (&["--help"], 0),
    (&["-h"], 0),
    (&["--version"], 0),
    (&["-V"], 0),
    (&["help"], 0),
    (&["help", "check"], 0),
    (&["check", "--help"], 0),
    (&["check", "-h"], 0),
    (&["check", "--version"], 0),
    (&["publish", "--help"], 0),
    (&["check"], 0),
    (&["check", "--format", "json"], 0),
    (&["check", "--format", "html", "--seal", "seal.json", "--report", "json=r.json"], 0),
    (&["check", "--write-baseline", "baseline.json"], 0),
    (&["render", "report.json"], 0),
    (&["inventory", "list.txt"], 0),
    (&["redirects", "--before", "dist"], 0),
    (&["diff", "dist", "dist"], 0),
    (&["diff", "dist", "dist", "--format", "html"], 0),
    (&["explain"], 0),
    (&["explain", "--format", "json"], 0),
    (&["explain", "broken-link"], 0),
    (&["schema"], 0),
    (&["schema", "report"], 0),
    (&["host-config", "nginx"], 0),
    (&["completions", "bash"], 0),
    (&["completions", "fish"], 0),
    (&["man"], 0),
    (&["man", "check"], 0),
    (&["init", "dist", "--config", "new.toml"], 0),
];

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_of_every_command_that_prints() {
    let site = site();
    assert_eq!(sitegate(site.path(), &["check", "--report", "json=report.json"]).status.code(), Some(0));
    for (arguments, _) in PRINTING {
        fs::remove_file(site.path().join("new.toml")).ok();
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = program(site.path(), arguments).stderr(Stdio::piped()).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = "error: cannot write to standard output: No space left on device";
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
    for name in ["seal.json", "r.json"] {
        assert!(!site.path().join(name).exists(), "{name}");
    }
}

#[cfg(feature = "network")]
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_of_the_list_of_requests() {
    let site = site();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = program(site.path(), &["check", "--external", "--dry-run"])
        .stderr(Stdio::piped())
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn a_closed_pipe_is_quiet() {
    let site = site();
    assert_eq!(sitegate(site.path(), &["check", "--report", "json=report.json"]).status.code(), Some(0));
    for (arguments, code) in PRINTING {
        fs::remove_file(site.path().join("new.toml")).ok();
        let mut running =
            program(site.path(), arguments).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        drop(running.stdout.take());
        let mut message = String::new();
        running.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        assert_eq!(running.wait().unwrap().code(), Some(code), "{arguments:?}: {message}");
        assert_eq!(message, "", "{arguments:?}");
    }
}
