//! Tests of inventories: `check --inventory`, `[permalinks]`, `[[parts]]`, and the command `inventory`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::folders::{folder, sitegate, stdout};

const HOME: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Home</title>\
                    <h1 id=\"top\">Home</h1><p id=\"linked\"><a href=\"guide/#step\">Guide</a><b id=\"unlinked\"></b>\
                    <a href=\"#linked\">Here</a><a href=\"old/\">Old</a><img src=\"logo.png\" alt=\"\">";
const GUIDE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Guide</title>\
                     <h2 id=\"install\">Install</h2><dt id=\"a term\">Term</dt><a name=\"named\"></a><p id=\"step\">Step";
const OLD: &str =
    "<!doctype html><title>Moved</title><meta http-equiv=\"refresh\" content=\"0; url=../guide/\">";

const CONTRACT: &str = "[site]\norigin = \"https://www.example.com\"\nroot = \"site\"\n";

fn site() -> TempDir {
    folder(&[
        ("site/index.html", HOME),
        ("site/guide/index.html", GUIDE),
        ("site/old/index.html", OLD),
        (
            "site/404.html",
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Not found</title>",
        ),
        ("site/logo.png", ""),
        ("site/assets/app-3f9c1b7d2e.js", ""),
        ("site/manual.pdf", "%PDF-1.4\n%%EOF"),
        (
            "sitegate.toml",
            &format!(
                "{CONTRACT}[[redirects]]\nfrom = \"/start\"\nto = \"/guide/\"\n[rules]\ndamaged-file = \"off\"\n"
            ),
        ),
    ])
}

fn check(folder: &Path, args: &[&str]) -> Output {
    sitegate(folder, &[&["check"], args].concat())
}

#[test]
fn lists_the_addresses_of_a_site() {
    let folder = site();
    let output = check(folder.path(), &["--inventory", "inventory.txt"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let text = fs::read_to_string(folder.path().join("inventory.txt")).unwrap();
    assert_eq!(
        text,
        "sitegate-inventory 1\norigin: https://www.example.com\nanchors: linked\n\n\
         /\n#linked\n#top\n/guide/\n#a%20term\n#install\n#named\n#step\n/logo.png\tfile\n/manual.pdf\tfile\n\
         /old/\trefresh\t/guide/\n/start\t301\t/guide/\n"
    );
    // The same bytes on every run and for every number of threads; compressed by name.
    let name = "inventory.txt.gz";
    let write = || {
        assert_eq!(check(folder.path(), &["--inventory", name]).status.code(), Some(0));
        fs::read(folder.path().join(name)).unwrap()
    };
    assert_eq!(write(), write());
    let shown = sitegate(folder.path(), &["inventory", name]);
    assert_eq!(stdout(&shown), text);
}

#[test]
fn names_of_zstd_are_refused_before_the_check() {
    let folder = site();
    let shown = "inventory.txt.zst: zstd is not supported; for gzip, name it `inventory.txt.gz`";
    for args in [
        &["check", "--inventory", "inventory.txt.zst"][..],
        &["check", "--facts", "inventory.txt.zst"],
        &["inventory", "gone.txt", "--output", "inventory.txt.zst"],
    ] {
        let output = sitegate(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(stdout(&output), "", "{args:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(shown), "{args:?}: {message}");
        assert!(!folder.path().join("inventory.txt.zst").exists(), "{args:?}");
    }
    fs::write(folder.path().join("list.txt.zst"), b"\x28\xb5\x2f\xfd\x04\x58\x09\0\0/\xea\xda\xed\x89")
        .unwrap();
    let output = sitegate(folder.path(), &["inventory", "list.txt.zst"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("list.txt.zst: it is compressed by zstd"), "{message}");
}

#[test]
fn writes_an_inventory_only_if_the_check_passes_and_replaces_no_seal() {
    let folder = site();
    assert_eq!(check(folder.path(), &["--seal", "seal.json"]).status.code(), Some(0));
    let seal = fs::read(folder.path().join("seal.json")).unwrap();
    let output = check(folder.path(), &["--inventory", "seal.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(folder.path().join("seal.json")).unwrap(), seal);

    let file = folder.path().join("inventory.txt");
    assert_eq!(check(folder.path(), &["--inventory", "inventory.txt"]).status.code(), Some(0));
    let before = fs::read(&file).unwrap();
    fs::write(folder.path().join("site/guide/index.html"), GUIDE.replace("step", "stop")).unwrap();
    assert_eq!(check(folder.path(), &["--inventory", "inventory.txt"]).status.code(), Some(1));
    assert_eq!(fs::read(&file).unwrap(), before);

    let output = check(folder.path(), &["--inventory", "site/inventory.txt", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
}

#[test]
fn an_inventory_of_the_last_release_finds_what_is_lost() {
    let folder = site();
    assert_eq!(check(folder.path(), &["--inventory", "published.txt.gz"]).status.code(), Some(0));
    let contract = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
    let contract = format!("[permalinks]\nkeep = [\"published.txt.gz\"]\n{contract}");
    fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
    let output = check(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));

    fs::remove_dir_all(folder.path().join("site/old")).unwrap();
    fs::write(folder.path().join("site/index.html"), HOME.replace("<a href=\"old/\">Old</a>", "")).unwrap();
    fs::write(folder.path().join("site/guide/index.html"), GUIDE.replace("install", "setup")).unwrap();
    let output = check(folder.path(), &["--all"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("lost URL: `/old/` no longer exists"), "{text}");
    assert!(text.contains("warning[lost-anchor]: `/guide/` no longer has `#install`"), "{text}");
    assert!(!text.contains("#step`") && !text.contains("/manual.pdf"), "{text}");
}

#[test]
fn two_repositories_check_their_links_to_each_other() {
    let part = |at: &str, other: &str, inventory: &str| {
        format!("{CONTRACT}base-path = \"{at}\"\n[[parts]]\nat = \"{other}\"\ninventory = \"{inventory}\"\n")
    };
    let page = |body: &str| {
        format!("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>T</title>{body}")
    };
    let docs = page("<h1 id=\"setup\">Setup</h1><a href=\"/blog/post.html#news\">Post</a>");
    let blog = page("<h1 id=\"news\">News</h1><a href=\"/docs/#setup\">Docs</a>");
    let folder = folder(&[
        ("docs/site/index.html", &docs),
        ("docs/sitegate.toml", &part("/docs/", "/blog/", "../blog/inventory.txt")),
        ("blog/site/post.html", &blog),
        ("blog/site/index.html", &page("<a href=\"post.html\">Post</a>")),
        ("blog/sitegate.toml", &part("/blog/", "/docs/", "../docs/inventory.txt")),
        ("blog/inventory.txt", "/blog/\n/blog/post.html\n"),
    ]);
    let run = |name: &str| {
        check(&folder.path().join(name), &["--inventory", "inventory.txt", "--allow-read", ".."])
    };
    // The first inventory of a part may be a list.
    for name in ["docs", "blog", "docs"] {
        if name == "blog" {
            fs::remove_file(folder.path().join("blog/inventory.txt")).unwrap();
        }
        let output = run(name);
        assert_eq!(output.status.code(), Some(0), "{name}: {}{:?}", stdout(&output), output.stderr);
    }
    let inventory = fs::read_to_string(folder.path().join("docs/inventory.txt")).unwrap();
    assert!(inventory.ends_with("/docs/\n#setup\n>/blog/post.html#news\n"), "{inventory}");

    fs::write(folder.path().join("docs/site/index.html"), docs.replace("setup", "install")).unwrap();
    let text = stdout(&run("docs"));
    assert!(text.contains("breaks the part `/blog/`: `/docs/#setup` has no such anchor"), "{text}");
    assert!(text.contains("`/blog/post.html` links to it"), "{text}");
    fs::write(folder.path().join("docs/site/index.html"), docs.replace("#news", "#new")).unwrap();
    let text = stdout(&run("docs"));
    assert!(text.contains("has no anchor `new`") && text.contains("did you mean `#news`"), "{text}");
}

#[test]
fn the_command_converts_and_joins() {
    let folder = folder(&[
        ("a.txt", "https://www.example.com/a\n"),
        ("b.csv", "Top pages,Clicks\nhttps://www.example.com/b#x,3\n"),
        ("other.txt", "https://www.example.net/a\n"),
        ("prose.txt", "This is no list.\n"),
    ]);
    let run = |args: &[&str]| sitegate(folder.path(), &[&["inventory"], args].concat());
    let text = stdout(&run(&["a.txt", "b.csv"]));
    assert!(
        text.ends_with("\n\n/a\n/b\n#x\n") && text.contains("origin: https://www.example.com\n"),
        "{text}"
    );
    let error = |args: &[&str]| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error(&["a.txt", "other.txt"]).contains("other.txt: it is of https://www.example.net"));
    assert!(error(&["prose.txt"]).contains("prose.txt: line 1: neither a URL nor a path"));
    assert!(error(&["none.txt"]).contains("none.txt: "));
}

#[test]
fn names_the_request_and_the_fallback_if_both_fail() {
    let folder = site();
    let parts = "[[parts]]\nat = \"/blog/\"\ninventory = \"https://www.example.com/i.txt\"\nfallback = \"none.txt\"\n";
    fs::write(folder.path().join("sitegate.toml"), format!("{CONTRACT}{parts}")).unwrap();
    fs::write(folder.path().join("none.txt"), "{").unwrap();
    let output = check(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    let expected = "sitegate.toml:6:13: https://www.example.com/i.txt is only requested with --parts; its fallback: none.txt: ";
    assert!(text.contains(expected), "{text}");
}

/// Runs `sitegate inventory` with the memory that an inventory may take, and 400 MiB for the program and the text.
#[cfg(target_os = "linux")]
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
#[cfg(target_os = "linux")]
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
#[cfg(target_os = "linux")]
fn many_anchors_of_one_address_are_read_in_time() {
    // In an order in which sorted insertion would take minutes.
    let anchors: String =
        (0..300_000_u64).map(|number| format!("/a#{}\n", number * 7_919 % 300_007)).collect();
    assert_eq!(within_memory(anchors.as_bytes()).0, Some(0));
    let blocks = anchors.replace('#', "\n#");
    assert_eq!(within_memory(format!("sitegate-inventory 1\n\n{blocks}").as_bytes()).0, Some(0));
}

#[test]
fn the_first_check_writes_the_list_of_addresses_to_keep() {
    let folder = site();
    let contract =
        format!("{CONTRACT}[permalinks]\nkeep = [\"published.txt\"]\n[rules]\ndamaged-file = \"off\"\n");
    fs::write(folder.path().join("sitegate.toml"), contract).unwrap();
    let without = check(folder.path(), &[]);
    assert_eq!(without.status.code(), Some(2), "nothing else may write it");
    for other in ["other.txt", "site/published.txt"] {
        assert_eq!(check(folder.path(), &["--inventory", other]).status.code(), Some(2), "{other}");
    }
    let first = check(folder.path(), &["--inventory", "./published.txt"]);
    assert_eq!(first.status.code(), Some(0), "{}", stdout(&first));
    let warned = "warning[stale-part]: no inventory: published.txt does not exist yet; this check writes it if it passes";
    assert!(stdout(&first).contains(warned), "{}", stdout(&first));
    let second = check(folder.path(), &["--inventory", "published.txt"]);
    assert!(
        second.status.code() == Some(0) && !stdout(&second).contains("stale-part"),
        "{}",
        stdout(&second)
    );
}

#[test]
fn two_parts_can_start_in_any_order() {
    let page = |link: &str| {
        format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>A</title><a href=\"{link}\">x</a>"
        )
    };
    let contract = |own: &str, other: &str| {
        format!(
            "[site]\norigin = \"https://www.example.com\"\nroot = \"site\"\nbase-path = \"/{own}/\"\n\
             [[parts]]\nat = \"/{other}/\"\ninventory = \"https://www.example.com/{other}/inventory.txt\"\n\
             fallback = \"../{other}/inventory.txt\"\n"
        )
    };
    let folder = folder(&[
        ("docs/site/index.html", &page("/blog/")),
        ("docs/sitegate.toml", &contract("docs", "blog")),
        ("blog/site/index.html", &page("/docs/gone/")),
        ("blog/sitegate.toml", &contract("blog", "docs")),
    ]);
    let check_part = |part: &str| {
        check(&folder.path().join(part), &["--inventory", "inventory.txt", "--allow-read", ".."])
    };
    let first = check_part("docs");
    assert_eq!(first.status.code(), Some(0), "{}", stdout(&first));
    let warned = "and its fallback ../blog/inventory.txt does not exist; links to `/blog/` are not checked";
    assert!(stdout(&first).contains(warned), "{}", stdout(&first));
    let second = check_part("blog");
    assert!(
        second.status.code() == Some(1) && stdout(&second).contains("error[broken-link]"),
        "{}",
        stdout(&second)
    );

    // An inventory made without the base path of its part answers no link.
    fs::write(
        folder.path().join("blog/inventory.txt"),
        "sitegate-inventory 1\nanchors: linked\n\n/\n/post/\n",
    )
    .unwrap();
    let other = check_part("docs");
    let warned = "lists no address below `/blog/`: was it made without `base-path`?; links to `/blog/` are not checked";
    assert!(other.status.code() == Some(0) && stdout(&other).contains(warned), "{}", stdout(&other));
    assert_eq!(stdout(&other).matches("[stale-part]").count(), 1, "{}", stdout(&other));
}
