//! Compares the help, the man page and the messages for invalid command lines with the files in `snapshots`.
//!
//! `UPDATE=1 cargo test --test program snapshots` updates them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const COMMANDS: [&str; 22] = [
    "init",
    "check",
    "render",
    "inventory",
    "redirects",
    "mv",
    "diff",
    "rules",
    "explain",
    "schema",
    "serve",
    "publish",
    "plan",
    "status",
    "rollback",
    "verify",
    "gc",
    "unlock",
    "repair",
    "edge",
    "completions",
    "man",
];

/// Invalid command lines, with the names of their files.
const INVALID: [(&str, &[&str]); 15] = [
    ("no-command", &[]),
    ("misspelled-command", &["pubish"]),
    ("unknown-flag", &["check", ".", "--no-such-flag"]),
    ("misspelled-flag", &["check", ".", "--sael", "seal.json"]),
    ("unknown-format", &["check", ".", "--format", "yaml"]),
    ("no-folder", &["check", "--no-config"]),
    ("config-and-no-config", &["check", ".", "--config", "a.toml", "--no-config"]),
    ("report-without-format", &["check", ".", "--report", "report.json"]),
    ("misspelled-report", &["check", ".", "--report", "sarfi=out.sarif"]),
    ("no-target", &["publish", "--seal", "seal.json"]),
    ("no-seal", &["publish", "file:///nowhere", "export"]),
    ("not-a-target", &["status", "ftp://nowhere"]),
    ("plan-with-rollback", &["plan", "file:///nowhere", "export", "--seal", "seal.json", "--rollback"]),
    ("rollback-without-verify", &["publish", "file:///x", "export", "--seal", "seal.json", "--rollback"]),
    ("unknown-rule", &["explain", "broken-lnik"]),
];

/// Runs the program in an empty folder, as if in a terminal of 100 columns.
fn run(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.args(arguments).current_dir(folder.path()).env("COLUMNS", "100").stdin(Stdio::null());
    command.output().unwrap()
}

/// Compares a text with its file, or writes the file.
fn assert_snapshot(name: &str, text: &str) {
    let file = snapshots().join(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(expected, text, "{name}: `UPDATE=1 cargo test --test program snapshots` updates it");
}

fn snapshots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

fn help(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_matches_the_snapshots() {
    let program = help(&["--help"]);
    let listed = program.lines().skip_while(|line| *line != "Commands:").skip(1);
    // A long description continues on a line with more indentation.
    let names = listed.take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' '));
    let listed: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed[..listed.len() - 1], COMMANDS, "every command has a snapshot");
    assert_snapshot("help/sitegate.txt", &program);
    for command in COMMANDS {
        assert_snapshot(&format!("help/{command}.txt"), &help(&[command, "--help"]));
    }
}

#[test]
fn short_help_has_one_line_for_each_option_under_80_columns() {
    let commands = COMMANDS.iter().map(|command| vec![*command, "-h"]).chain([vec!["-h"]]);
    for arguments in commands {
        let text = help(&arguments);
        let mut is_list = false;
        for line in text.lines() {
            assert!(line.chars().count() < 80, "{arguments:?}: {line}");
            // A list has a heading, and ends with an empty line. Exit codes are text.
            is_list = (is_list || line.ends_with(':') && line != "Exit codes:") && !line.is_empty();
            let indent = line.len() - line.trim_start().len();
            let is_entry = indent == 0 || indent == 2 || indent == 6 && line.trim_start().starts_with("--");
            let has_text = indent == 0 || line.trim_start().contains("  ");
            assert!(!is_list || is_entry && has_text, "{arguments:?}: more than one line: {line}");
        }
    }
}

#[test]
fn man_page_matches_the_snapshot() {
    let page = help(&["man"]).replace(env!("CARGO_PKG_VERSION"), "VERSION");
    assert_snapshot("man/sitegate.1", &page);
}

#[test]
fn messages_for_invalid_command_lines_match_the_snapshots() {
    for (name, arguments) in INVALID {
        let output = run(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert_eq!(output.stdout, b"", "{name}");
        assert_snapshot(
            &format!("errors/{name}.txt"),
            &format!("$ sitegate {}\n{message}", arguments.join(" ")),
        );
    }
}
