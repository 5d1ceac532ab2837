//! `sitegate check --seal` and `sitegate publish file://`, on the built binary.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use sitegate_check::seal::{SealedFile, tree_digest};

/// An export, its seal and a target, in a folder of their own.
struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    fn new() -> Site {
        let site = Site { folder: tempfile::tempdir().unwrap() };
        site.write("index.html", "<!doctype html><title>Home</title><a href=\"/terms/\">Terms</a>");
        site.write("terms/index.html", "<!doctype html><title>Terms</title><p>40%");
        site.write("about/index.html", "<!doctype html><title>About</title>");
        site.write("assets/app-B3x_9kQz.js", "let one = 1;");
        site.write("robots.txt", "User-agent: *\n");
        site
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        put(&self.path("export"), path, text);
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command.args(args).current_dir(self.folder.path()).output().unwrap()
    }

    fn check(&self) {
        let output = self.run(&["check", "export", "--seal", "seal.json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    }

    fn publish(&self, more: &[&str]) -> Output {
        let target = format!("file://{}", self.path("public").display());
        let mut args = vec!["publish", target.as_str(), "export", "--seal", "seal.json"];
        args.extend(more);
        self.run(&args)
    }

    fn published(&self, more: &[&str]) -> Value {
        let mut args = vec!["--format", "json"];
        args.extend(more);
        let output = self.publish(&args);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn refused(&self, code: i32, words: &[&str]) {
        let output = self.publish(&[]);
        let text = text(&output);
        assert_eq!(output.status.code(), Some(code), "{text}");
        for word in words {
            assert!(text.contains(word), "`{word}` is not in:\n{text}");
        }
    }

    fn live(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path("public").join(path)).ok()
    }
}

fn put(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect()
}

#[test]
fn a_seal_is_the_same_from_run_to_run() {
    let site = Site::new();
    site.check();
    let first = fs::read(site.path("seal.json")).unwrap();
    site.check();
    assert_eq!(first, fs::read(site.path("seal.json")).unwrap());
    let seal: Value = serde_json::from_slice(&first).unwrap();
    assert_eq!(seal["schema_version"], 1);
    assert_eq!(seal["tool"]["name"], "sitegate");
    assert_eq!(seal["contract"], Value::Null);
    assert_eq!(seal["counts"], serde_json::json!({"files": 5, "pages": 3, "links": 1}));
    let paths: Vec<&str> =
        seal["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert!(paths.is_sorted());
    // printf 'let one = 1;' | sha256sum
    assert_eq!(
        seal["files"][1]["sha256"],
        "6a97a26305495f2560c8fe33feeefc7d3f53e2fd9c2e8e97144c6550ba3867bd"
    );
    assert_eq!(seal["files"][1]["size"], 12);
}

#[test]
fn a_failed_check_leaves_no_seal() {
    let site = Site::new();
    site.check();
    site.write("index.html", "<!doctype html><title>Home</title><a href=\"/nowhere\">Broken</a>");
    let output = site.run(&["check", "export", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!site.path("seal.json").exists(), "an old seal must not outlive a failed check");
    let output = site.run(&["check", "missing", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_seal_is_written_nowhere_it_could_harm() {
    let site = Site::new();
    let output = site.run(&["check", "export", "--seal", "export/seal.json"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("cannot lie in the export"), "{}", text(&output));
    assert!(!site.path("export/seal.json").exists());
    put(site.folder.path(), "notes.txt", "mine");
    let output = site.run(&["check", "export", "--seal", "notes.txt"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert_eq!(fs::read_to_string(site.path("notes.txt")).unwrap(), "mine");
    let output = site.run(&["check", "export", "--seal", "new/folder/seal.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(site.path("new/folder/seal.json").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_text_cannot_be_sealed() {
    use std::os::unix::ffi::OsStrExt;
    let site = Site::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    fs::write(site.path("export").join(name), "x").unwrap();
    let output = site.run(&["check", "export", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("not UTF-8"), "{}", text(&output));
    assert!(!site.path("seal.json").exists());
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_cannot_be_sealed() {
    let site = Site::new();
    std::os::unix::fs::symlink("robots.txt", site.path("export/link.txt")).unwrap();
    let output = site.run(&["check", "export", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("symbolic link"), "{}", text(&output));
}

#[test]
fn what_passed_goes_live() {
    let site = Site::new();
    site.check();
    let result = site.published(&[]);
    assert_eq!(result["outcome"], "published");
    assert_eq!(result["summary"]["new"], 5);
    for path in ["index.html", "terms/index.html", "assets/app-B3x_9kQz.js", "robots.txt"] {
        assert_eq!(site.live(path), Some(fs::read_to_string(site.path("export").join(path)).unwrap()));
    }
    let again = site.published(&[]);
    assert_eq!((&again["outcome"], &again["summary"]["unchanged"]), (&"unchanged".into(), &5.into()));
    assert_eq!(again["release"], result["release"], "nothing new, so no new release");
}

#[test]
fn the_human_output_says_what_was_done_and_where_to_look() {
    let site = Site::new();
    site.check();
    let output = site.publish(&[]);
    let said = text(&output);
    for word in ["new            5", "index.html", "published", "sitegate serve"] {
        assert!(said.contains(word), "`{word}` is not in:\n{said}");
    }
    assert!(text(&site.publish(&[])).starts_with("unchanged"));
}

#[test]
fn a_dry_run_writes_nothing() {
    let site = Site::new();
    site.check();
    let result = site.published(&["--dry-run"]);
    assert_eq!((&result["outcome"], &result["summary"]["new"]), (&"planned".into(), &5.into()));
    assert!(!site.path("public").exists());
}

#[test]
fn a_tampered_byte_is_refused() {
    let site = Site::new();
    site.check();
    site.write("terms/index.html", "<!doctype html><title>Terms</title><p>41%");
    site.refused(1, &["changed     terms/index.html", "check --seal"]);
    assert!(site.live("index.html").is_none(), "not a byte may be sent");
}

#[test]
fn an_added_file_is_refused() {
    let site = Site::new();
    site.check();
    site.write("backdoor.html", "x");
    site.refused(1, &["added       backdoor.html"]);
    assert!(site.live("index.html").is_none());
}

#[test]
fn a_removed_file_is_refused() {
    let site = Site::new();
    site.check();
    fs::remove_file(site.path("export/robots.txt")).unwrap();
    site.refused(1, &["missing     robots.txt"]);
}

#[cfg(unix)]
#[test]
fn links_and_special_files_are_refused() {
    let site = Site::new();
    site.check();
    let twin = site.path("same.txt");
    fs::rename(site.path("export/robots.txt"), &twin).unwrap();
    fs::create_dir(site.path("export/elsewhere")).unwrap();
    std::os::unix::fs::symlink(&twin, site.path("export/robots.txt")).unwrap();
    site.refused(1, &["symlink     robots.txt"]);
    fs::remove_file(site.path("export/robots.txt")).unwrap();
    fs::rename(&twin, site.path("export/robots.txt")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(site.path("export/socket")).unwrap();
    site.refused(1, &["special     socket"]);
}

#[test]
fn a_seal_that_was_altered_is_refused() {
    let site = Site::new();
    site.check();
    let seal = fs::read_to_string(site.path("seal.json")).unwrap();
    fs::write(site.path("seal.json"), seal.replace("\"size\": 12", "\"size\": 13")).unwrap();
    site.refused(2, &["altered"]);
    fs::write(site.path("seal.json"), "{}").unwrap();
    site.refused(2, &["is not a seal"]);
    fs::remove_file(site.path("seal.json")).unwrap();
    site.refused(2, &["seal.json"]);
}

#[test]
fn another_contract_is_refused() {
    let site = Site::new();
    put(site.folder.path(), "sitegate.toml", "[site]\nroot = \"export\"\n");
    site.check();
    put(site.folder.path(), "sitegate.toml", "[site]\nroot = \"export\"\n[rules]\nbroken-link = \"off\"\n");
    site.refused(1, &["not the contract that the export passed"]);
    fs::remove_file(site.path("sitegate.toml")).unwrap();
    site.refused(1, &["name it with --config"]);
}

/// A tree whose files all have one time, as reproducible builds make it, and an edit that keeps the size:
/// whoever compares times and sizes leaves the old page live.
#[test]
fn an_edit_that_keeps_size_and_time_is_published() {
    let site = Site::new();
    let settle = || {
        for path in ["index.html", "terms/index.html", "assets/app-B3x_9kQz.js", "robots.txt"] {
            let file = fs::File::options().write(true).open(site.path("export").join(path)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1)).unwrap();
        }
    };
    settle();
    site.check();
    site.published(&[]);
    site.write("terms/index.html", "<!doctype html><title>Terms</title><p>30%");
    settle();
    site.check();
    let result = site.published(&[]);
    assert_eq!(keys(&result["changed"]), ["terms/index.html"]);
    assert_eq!(result["summary"]["unchanged"], 4);
    assert!(site.live("terms/index.html").unwrap().ends_with("30%"));
}

#[test]
fn only_what_an_earlier_publish_wrote_is_deleted() {
    let site = Site::new();
    site.check();
    site.published(&[]);
    put(&site.path("public"), "CNAME", "www.example.com");
    put(&site.path("public"), "terms/note.txt", "mine");
    fs::remove_dir_all(site.path("export/about")).unwrap();
    fs::remove_file(site.path("export/robots.txt")).unwrap();
    fs::remove_file(site.path("export/assets/app-B3x_9kQz.js")).unwrap();
    site.check();
    site.refused(4, &["pages of the live release are gone", "about/index.html", "--allow-gone"]);
    assert!(site.live("robots.txt").is_some(), "a guard stops before anything is changed");
    let result = site.published(&["--allow-gone"]);
    assert_eq!(keys(&result["deleted"]), ["about/index.html", "robots.txt"]);
    assert_eq!((site.live("robots.txt"), site.live("about/index.html")), (None, None));
    assert_eq!(site.live("CNAME").as_deref(), Some("www.example.com"));
    assert_eq!(site.live("terms/note.txt").as_deref(), Some("mine"));
    assert!(site.live("assets/app-B3x_9kQz.js").is_some(), "open tabs still ask for hashed assets");
    site.published(&["--allow-gone"]);
    assert!(site.live("CNAME").is_some());
}

#[test]
fn hashed_assets_leave_with_the_last_release_that_can_be_rolled_back_to() {
    let site = Site::new();
    site.check();
    site.published(&["--keep-releases", "1"]);
    fs::remove_file(site.path("export/assets/app-B3x_9kQz.js")).unwrap();
    for round in ["one", "two"] {
        site.write("robots.txt", round);
        site.check();
        site.published(&["--keep-releases", "1"]);
        let there = site.live("assets/app-B3x_9kQz.js").is_some();
        assert_eq!(there, round == "one", "{round}");
    }
}

#[test]
fn an_immutable_file_that_changes_is_stopped() {
    let site = Site::new();
    let headers =
        "[[headers]]\npaths = [\"/assets/**\"]\nset = { Cache-Control = \"max-age=9, immutable\" }\n";
    put(site.folder.path(), "sitegate.toml", headers);
    site.write("assets/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    site.check();
    site.published(&[]);
    site.write("assets/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"b\"/>");
    site.check();
    site.refused(4, &["assets/logo.svg", "immutable"]);
}

#[test]
fn what_a_hand_changed_is_not_replaced_silently() {
    let site = Site::new();
    site.check();
    site.published(&[]);
    put(&site.path("public"), "terms/index.html", "edited by hand");
    site.refused(4, &["changed  terms/index.html", "--overwrite-drift"]);
    site.published(&["--overwrite-drift"]);
    assert!(site.live("terms/index.html").unwrap().ends_with("40%"));
    fs::remove_file(site.path("public/robots.txt")).unwrap();
    site.refused(4, &["deleted  robots.txt"]);
    site.published(&["--overwrite-drift"]);
    assert!(site.live("robots.txt").is_some());
}

#[test]
fn a_file_that_nobody_published_is_not_replaced_silently() {
    let site = Site::new();
    site.check();
    put(&site.path("public"), "index.html", "somebody else's");
    site.refused(4, &["index.html", "--adopt"]);
    assert_eq!(site.live("index.html").as_deref(), Some("somebody else's"));
    assert!(site.live("robots.txt").is_none());
    site.published(&["--adopt"]);
    assert!(site.live("index.html").unwrap().contains("Home"));
}

#[test]
fn many_deletions_are_stopped() {
    let site = Site::new();
    for number in 0..6 {
        site.write(&format!("notes/{number}.txt"), "x");
    }
    site.check();
    site.published(&[]);
    fs::remove_dir_all(site.path("export/notes")).unwrap();
    site.check();
    let output = site.publish(&["--max-deletes", "5"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output).contains("6 objects would be deleted"), "{}", text(&output));
    site.published(&["--max-deletes", "6"]);
    assert!(site.live("notes/0.txt").is_none());
}

#[test]
fn source_and_target_may_not_lie_in_one_another() {
    let site = Site::new();
    site.check();
    for target in ["export/public", "export", "."] {
        let url = format!("file://{}", site.path(target).display());
        let output = site.run(&["publish", &url, "export", "--seal", "seal.json"]);
        assert_eq!(output.status.code(), Some(2), "{target}: {}", text(&output));
        assert!(text(&output).contains("overlap"), "{}", text(&output));
    }
    assert!(!site.path("export/public").exists());
    for url in ["ftp://x/y", "file://", "s3://"] {
        let output = site.run(&["publish", url, "export", "--seal", "seal.json"]);
        assert_eq!(output.status.code(), Some(2), "{url}: {}", text(&output));
    }
}

#[test]
fn a_publisher_that_died_is_no_obstacle_and_a_live_one_is() {
    let site = Site::new();
    site.check();
    site.published(&[]);
    let record = site.path("public/.sitegate/runs/0000000001.json");
    let mut run: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    run["stage"] = "publishing".into();
    run["lease"] = 60.into();
    run["previous"] = Value::Null;
    fs::write(&record, run.to_string()).unwrap();
    site.refused(5, &["another publisher is at work", "the target is free in 6", "sitegate unlock"]);
    // Nobody looks whether its process is there: the file system's clock says that its lease is over.
    let file = fs::File::options().append(true).open(&record).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(61)).unwrap();
    site.refused(5, &["the target is free in 0 s"]);
    file.set_modified(SystemTime::now() - Duration::from_secs(63)).unwrap();
    let result = site.published(&[]);
    assert_eq!((&result["resumes"], &result["outcome"]), (&true.into(), &"published".into()));
}

fn unpacked(path: &Path) -> String {
    let packed = fs::read(path).unwrap();
    let mut text = String::new();
    match path.extension().unwrap().to_str() {
        Some("gz") => flate2::read::GzDecoder::new(&*packed).read_to_string(&mut text).unwrap(),
        _ => brotli::Decompressor::new(&*packed, 4096).read_to_string(&mut text).unwrap(),
    };
    text
}

#[test]
fn compressed_forms_come_and_go_with_what_they_stand_beside() {
    let site = Site::new();
    let page = |word: &str| format!("<!doctype html><title>Terms</title><p>{}", word.repeat(300));
    let forms = ["terms/index.html.br", "terms/index.html.gz"];
    let unpacks_to =
        |word: &str| forms.iter().all(|form| unpacked(&site.path("public").join(form)) == page(word));
    site.write("terms/index.html", &page("first "));
    site.write("notes.txt", &"a note ".repeat(300));
    site.write("notes.txt.gz", "the export's own");
    site.check();
    let planned = site.published(&["--precompress", "--dry-run"]);
    assert_eq!(planned["summary"]["new"], 10);
    let result = site.published(&["--precompress"]);
    let made: Vec<&str> = keys(&result["new"]).into_iter().filter(|key| key.ends_with(".br")).collect();
    assert_eq!(made, ["notes.txt.br", "terms/index.html.br"]);
    assert!(unpacks_to("first "));
    assert_eq!(site.live("notes.txt.gz").as_deref(), Some("the export's own"));
    assert_eq!(site.live("index.html.gz"), None, "too short to be worth it");
    let bytes = fs::read(site.path("public").join(forms[1])).unwrap();
    assert_eq!(bytes[4..8], [0; 4], "no time in it");
    assert_eq!(site.published(&["--precompress"])["outcome"], "unchanged");

    site.write("terms/index.html", &page("second "));
    site.check();
    site.published(&["--precompress"]);
    assert!(unpacks_to("second "));
    // What is too short now must not be answered for by what was compressed before.
    site.write("terms/index.html", "<!doctype html><title>Terms</title>");
    site.check();
    let result = site.published(&["--precompress"]);
    assert_eq!(keys(&result["deleted"]), forms);
    assert_eq!(forms.map(|form| site.live(form)), [None, None]);
    let target = format!("file://{}", site.path("public").display());
    let output = site.run(&["rollback", &target]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(unpacks_to("second "));
    let result = site.published(&["--max-deletes", "0"]);
    assert_eq!(keys(&result["deleted"]), ["notes.txt.br", "terms/index.html.br", "terms/index.html.gz"]);
    assert!(site.live("terms/index.html").unwrap().ends_with("</title>"));
}

#[test]
fn a_page_that_is_gone_is_missed_whatever_its_ending() {
    let site = Site::new();
    site.write(
        "chapter.xhtml",
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>1</title></head><body/></html>",
    );
    site.check();
    site.published(&[]);
    fs::remove_file(site.path("export/chapter.xhtml")).unwrap();
    site.check();
    site.refused(4, &["pages of the live release are gone", "chapter.xhtml", "--allow-gone"]);
    site.published(&["--allow-gone"]);
    assert_eq!(site.live("chapter.xhtml"), None);
}

#[test]
fn a_plan_does_nothing_and_takes_nothing_that_only_a_publish_does() {
    let site = Site::new();
    site.check();
    let target = format!("file://{}", site.path("public").display());
    let plan = |more: &[&str]| {
        let mut args = vec!["plan", target.as_str(), "export", "--seal", "seal.json", "--format", "json"];
        args.extend(more);
        site.run(&args)
    };
    let output = plan(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let planned: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&planned["outcome"], &planned["summary"]["new"]), (&"planned".into(), &5.into()));
    assert!(!site.path("public").exists());
    for more in [
        &["--rollback"][..],
        &["--verify", "https://example.com"],
        &["--invalidate", "E1"],
        &["--patience", "1"],
        &["--events"],
        &["--lease", "9"],
        &["--dry-run"],
    ] {
        let output = plan(more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(text(&output).contains("unexpected argument"), "{}", text(&output));
    }
}

/// All files of a published folder, without the memory.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        let mut entries = fs::read_dir(&next).unwrap().map(|entry| entry.unwrap().path()).peekable();
        assert!(entries.peek().is_some(), "{} is empty", next.display());
        for path in entries.filter(|path| !path.ends_with(".sitegate")) {
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned()),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_file_becomes_a_folder_and_a_folder_a_file_and_both_go_back() {
    let site = Site::new();
    site.write("notes", "a file");
    site.write("guide/index.html", "<!doctype html><title>Guide</title>");
    site.write("guide/deep/app-B3x_9kQz.js", "let guide = 1;");
    site.check();
    site.published(&[]);
    let before = files(&site.path("public"));

    fs::remove_file(site.path("export/notes")).unwrap();
    fs::remove_dir_all(site.path("export/guide")).unwrap();
    site.write(
        "notes/index.html",
        "<!doctype html><title>Notes</title><script src=\"/notes/app-C4y_8lRa.js\"></script>",
    );
    site.write("notes/app-C4y_8lRa.js", "let notes = 1;");
    site.write("guide", "a file now");
    // A redirect from what was a file.
    site.write("robots.txt", "User-agent: *\n");
    put(
        site.folder.path(),
        "sitegate.toml",
        "[site]\nroot = \"export\"\n[[redirects]]\nfrom = \"/robots.txt\"\nto = \"/\"\n",
    );
    fs::remove_file(site.path("export/robots.txt")).unwrap();
    site.check();
    site.published(&["--allow-gone"]);
    assert_eq!(site.live("guide").as_deref(), Some("a file now"));
    let after = files(&site.path("public"));
    for key in ["notes/app-C4y_8lRa.js", "notes/index.html", "robots.txt/index.html"] {
        assert!(after.iter().any(|file| file == key), "{key}: {after:?}");
    }
    assert_eq!(site.published(&[])["outcome"], "unchanged");

    let target = format!("file://{}", site.path("public").display());
    let output = site.run(&["rollback", &target]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(files(&site.path("public")), before);
    assert_eq!(site.live("guide/deep/app-B3x_9kQz.js").as_deref(), Some("let guide = 1;"));
}

#[test]
fn what_others_put_in_the_way_of_a_folder_or_a_file_stays() {
    let site = Site::new();
    site.check();
    site.published(&[]);
    put(&site.path("public"), "blog", "somebody's file");
    put(&site.path("public"), "guide/theirs.txt", "somebody's file");
    site.write("blog/index.html", "<!doctype html><title>Blog</title>");
    site.write("guide", "a file");
    site.check();
    for more in [&[][..], &["--adopt"]] {
        let output = site.publish(more);
        assert_eq!(output.status.code(), Some(4), "{}", text(&output));
        for word in ["  blog\n", "  guide/theirs.txt\n", "no publish of sitegate wrote them"] {
            assert!(text(&output).contains(word), "{word}: {}", text(&output));
        }
    }
    assert_eq!(site.live("blog").as_deref(), Some("somebody's file"));
    assert_eq!(site.live("guide/theirs.txt").as_deref(), Some("somebody's file"));
}

#[test]
fn names_that_look_like_those_of_unfinished_files_are_names_like_others() {
    let site = Site::new();
    site.write("robots.txt#1", "one");
    site.write("assets/a#22", "two");
    site.check();
    site.published(&[]);
    assert_eq!(site.live("robots.txt#1").as_deref(), Some("one"));
    assert_eq!(site.live("assets/a#22").as_deref(), Some("two"));
    assert_eq!(site.published(&[])["outcome"], "unchanged");
}

/// What an interrupted write left is cleared away by the next run, and never lay in the site.
#[test]
fn nothing_unfinished_stays() {
    let site = Site::new();
    site.check();
    site.published(&[]);
    put(&site.path("public"), ".sitegate/tmp/0123456789abcdef", "half");
    site.write("robots.txt", "User-agent: *\nDisallow: /x\n");
    site.check();
    site.published(&[]);
    assert_eq!(fs::read_dir(site.path("public/.sitegate/tmp")).unwrap().count(), 0);
}

/// Who checks a folder that was published, or an export that was tampered with, must not put files in the place of a
/// target's memory.
#[cfg(unix)]
#[test]
fn names_that_cannot_be_published_are_refused_by_the_check_the_seal_and_publish() {
    let site = Site::new();
    site.check();
    site.published(&[]);
    let seal = || site.run(&["check", "public", "--seal", "other.json"]);
    let output = seal();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("not one that was published"), "{}", text(&output));
    let forged = "{\"number\": 9}";
    site.write(".sitegate/runs/0000000009.json", forged);
    site.write("del\u{7f}.txt", "x");
    let output = site.run(&["check", "export"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert_eq!(text(&output).matches("unpublishable-name").count(), 3, "{}", text(&output));
    assert!(!text(&output).contains('\u{7f}') && text(&output).contains("U+007F"), "{:?}", text(&output));
    // Where the rule is off, nothing is sealed all the same.
    put(site.folder.path(), "sitegate.toml", "[rules]\nunpublishable-name = \"off\"\n");
    let output = site.run(&["check", "export", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    for word in ["cannot seal", ".sitegate/runs/0000000009.json", "U+007F", "del\\u{7f}.txt"] {
        assert!(text(&output).contains(word), "`{word}` is not in:\n{}", text(&output));
    }
    // And a seal that was forged to hold them opens no door.
    fs::remove_file(site.path("sitegate.toml")).unwrap();
    fs::remove_dir_all(site.path("export/.sitegate")).unwrap();
    fs::remove_file(site.path("export/del\u{7f}.txt")).unwrap();
    site.write("zzz", "x");
    site.write("sitegate-runs.json", forged);
    site.check();
    let mut seal: Value = serde_json::from_slice(&fs::read(site.path("seal.json")).unwrap()).unwrap();
    for file in seal["files"].as_array_mut().unwrap() {
        match file["path"].as_str().unwrap() {
            "sitegate-runs.json" => file["path"] = ".sitegate/runs/0000000009.json".into(),
            "zzz" => file["path"] = "z\u{1}".into(),
            _ => {}
        }
    }
    seal["files"].as_array_mut().unwrap().sort_by_key(|file| file["path"].as_str().unwrap().to_owned());
    let files: Vec<SealedFile> = serde_json::from_value(seal["files"].clone()).unwrap();
    seal["tree"] = tree_digest(&files).into();
    fs::write(site.path("seal.json"), seal.to_string()).unwrap();
    fs::rename(site.path("export/zzz"), site.path("export/z\u{1}")).unwrap();
    fs::create_dir_all(site.path("export/.sitegate/runs")).unwrap();
    let record = "export/.sitegate/runs/0000000009.json";
    fs::rename(site.path("export/sitegate-runs.json"), site.path(record)).unwrap();
    site.refused(
        2,
        &["cannot hold these", ".sitegate/runs/0000000009.json", "z\\u{1}", "nothing was published"],
    );
    assert_eq!(site.live("z\u{1}"), None);
    assert_eq!(site.live(".sitegate/runs/0000000009.json"), None);
}

#[test]
fn a_name_of_an_odd_form_is_published_as_it_is() {
    let site = Site::new();
    for name in ["page.html#1", "a#12", "note#1.txt", "b/%2e%2e%2fc.txt", "a b/\u{e4}.txt"] {
        site.write(name, name);
    }
    site.check();
    site.published(&[]);
    assert_eq!(site.published(&[])["outcome"], "unchanged");
    for name in ["page.html#1", "a#12", "note#1.txt", "b/%2e%2e%2fc.txt", "a b/\u{e4}.txt"] {
        assert_eq!(site.live(name).as_deref(), Some(name));
    }
}

#[test]
fn a_redirect_cannot_stand_where_a_file_is_a_folder() {
    let site = Site::new();
    put(site.folder.path(), "sitegate.toml", "[[redirects]]\nfrom = \"/robots.txt/old\"\nto = \"/\"\n");
    site.check();
    site.refused(2, &["robots.txt/old/index.html", "`robots.txt` is a file"]);
    assert!(site.live("index.html").is_none());
}
