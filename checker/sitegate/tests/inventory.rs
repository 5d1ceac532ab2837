//! Tests that large and hostile inventories are read within time and memory. `commands/inventory.txt` has the other tests.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

/// Runs `sitegate inventory` with the memory that an inventory may take, and 400 MiB for the program and the text.
fn within_memory(content: &[u8]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), content).unwrap();
    let script = "ulimit -v 819200; exec \"$0\" inventory --root https://www.example.com/ --output out file";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_sitegate")]).current_dir(folder.path());
    let start = std::time::Instant::now();
    let output = command.output().unwrap();
    assert!(start.elapsed() < std::time::Duration::from_mins(1), "{:?}", start.elapsed());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn hostile_files_end_in_clear_errors_within_the_memory() {
    let repeated =
        |start: &str, part: &str, size: usize| format!("{start}{}", part.repeat(size / part.len()));
    for (content, words) in [
        ("/a\n".repeat(10_000_000), "more than 3000000 lines"),
        (repeated("page,clicks\n", "https://other.example/a,1\n", 4 << 20), "none of its"),
        (repeated("a,b", ",", 60 << 20), "line 1: it has more than 1000 columns"),
        (repeated("{\"references\":[0", ",0", 60 << 20), "more than 4000000 values"),
        (repeated("<sitemapindex>", "<loc>/</loc>", 4 << 20), "sitemap index"),
        (repeated("sitegate-inventory 1\n\n/", "x", 70 << 20), "larger than 64 MiB"),
        ("sitegate-inventory 7\n\n/\n".to_owned(), "version 7"),
        ("\u{fffd}\u{0}\u{1b}[31m\n".to_owned(), "line 1: neither a URL nor a path"),
    ] {
        let (code, error) = within_memory(content.as_bytes());
        let start: String = content.chars().take(30).collect();
        assert!(code == Some(2) && error.contains(words), "{start:?}: {code:?} {error}");
        assert!(error.len() < 300, "{error}");
    }
}

#[test]
fn many_anchors_of_one_address_are_read_in_time() {
    // In an order in which sorted insertion would take minutes.
    let anchors: String =
        (0..300_000_u64).map(|number| format!("/a#{}\n", number * 7_919 % 300_007)).collect();
    assert_eq!(within_memory(anchors.as_bytes()).0, Some(0));
    let blocks = anchors.replace('#', "\n#");
    assert_eq!(within_memory(format!("sitegate-inventory 1\n\n{blocks}").as_bytes()).0, Some(0));
}
