//! Tests `sitegate carry` with archives, targets and live sites. `commands/carry.txt` has folders, and `lab/carry` opens
//! tabs in Chromium.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};
use tempfile::TempDir;

use crate::folders::{guide_commands, page, read, sitegate, write};
use crate::outcome::assert_exit;

struct Project(TempDir);

impl Project {
    fn new() -> Project {
        Project(tempfile::tempdir().unwrap())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn run(&self, arguments: &[&str]) -> String {
        assert_exit(&sitegate(self.0.path(), arguments), 0, &[])
    }

    fn carry(&self, from: &str) -> String {
        self.run(&["carry", "dist", "--from", from])
    }

    /// Builds a version of an application into `folder`: a page that loads an entry, which loads a route.
    fn build(&self, folder: &str, [entry, route]: [&str; 2]) {
        let _ = fs::remove_dir_all(self.path(folder));
        let icon = "<link rel=icon href=\"data:,\">";
        let body = page(&format!("{icon}<script type=module src=/assets/{entry}></script>"));
        write(&self.path(folder), "index.html", &body);
        write(&self.path(folder), &format!("assets/{entry}"), &format!("import('./{route}')"));
        write(&self.path(folder), &format!("assets/{route}"), &format!("export default '{route}'"));
    }

    /// Whether the export has the files of a version.
    fn has(&self, version: [&str; 2]) -> bool {
        version.iter().all(|file| self.path(&format!("dist/assets/{file}")).is_file())
    }
}

const FIRST: [&str; 2] = ["app-B3x_9kQz.js", "route-QK5PWKL3.js"];
const SECOND: [&str; 2] = ["app-Dk3nf8Zc.js", "route-DiwrgTda.js"];
const THIRD: [&str; 2] = ["app-Cw3Dk2Zx.js", "route-B7mXGZ2R.js"];

#[test]
fn a_target_of_publish_is_a_previous_release() {
    let project = Project::new();
    let target = format!("file://{}", project.path("public").display());
    let publish = || {
        project.run(&["check", "dist", "--seal", "seal.json"]);
        // A file that the seal does not have is refused.
        project.run(&["publish", &target, "dist", "--seal", "seal.json"]);
    };
    project.build("dist", FIRST);
    publish();
    project.build("dist", SECOND);
    project.carry(&target);
    assert!(project.has(FIRST) && project.has(SECOND));
    publish();
    project.build("dist", THIRD);
    project.carry(&target);
    assert!(project.has(FIRST) && project.has(SECOND) && project.has(THIRD));
}

#[test]
fn a_note_names_files_that_are_too_large() {
    let project = Project::new();
    project.build("previous", FIRST);
    project.build("dist", SECOND);
    fs::File::create(project.path("previous/assets").join(FIRST[1])).unwrap().set_len(33 << 20).unwrap();
    let printed = project.carry("previous");
    assert!(printed.contains(&format!("assets/{} has more than 32 MiB", FIRST[1])), "{printed}");
    assert!(printed.contains("added 1 file") && !project.has(FIRST), "{printed}");
}

/// An entry of an archive: name, kind and content.
type ArchiveEntry<'e> = (&'e str, EntryType, &'e [u8]);

/// Makes an archive. The library writes no such names.
fn archive(entries: &[ArchiveEntry<'_>]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (name, kind, content) in entries {
        let mut header = Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn archives_are_previous_releases() {
    let project = Project::new();
    project.build("previous", FIRST);
    let long = format!("{}/app-Cw3Dk2Zx.js", "long".repeat(60));
    write(&project.path("previous"), &long, "long()");
    write(&project.path("previous"), "long.html", &format!("<!doctype html><script src=/{long}></script>"));
    for (name, folder) in [("a.tar", "."), ("b.tar.gz", "dist"), ("c.TGZ", "./site")] {
        let mut builder = Builder::new(Vec::new());
        builder.append_dir_all(folder, project.path("previous")).unwrap();
        let bytes = builder.into_inner().unwrap();
        let bytes = if name == "a.tar" { bytes } else { compressed(&bytes) };
        fs::write(project.path(name), bytes).unwrap();
        project.build("dist", SECOND);
        project.carry(name);
        assert!(project.has(FIRST), "{name}");
        assert_eq!(read(&project.path("dist"), &long), "long()", "{name}");
    }
    // As other programs write long names.
    let record = |key: &str, value: &str| {
        let length = key.len() + value.len() + 3;
        let digits = if length + 3 > 99 { 3 } else { 2 };
        format!("{} {key}={value}\n", length + digits)
    };
    let (comment, path) = (record("comment", "x"), record("path", &long));
    let entries: [ArchiveEntry<'_>; 4] = [
        ("index.html", EntryType::Regular, b"<!doctype html>app-Cw3Dk2Zx.js"),
        ("pax_global_header", EntryType::XGlobalHeader, comment.as_bytes()),
        ("x", EntryType::XHeader, path.as_bytes()),
        ("short", EntryType::Regular, b"long()"),
    ];
    fs::write(project.path("pax.tar"), archive(&entries)).unwrap();
    project.build("dist", SECOND);
    project.carry("pax.tar");
    assert_eq!(read(&project.path("dist"), &long), "long()");
}

#[test]
fn hostile_archives_are_refused() {
    let project = Project::new();
    project.build("dist", SECOND);
    let name = vec![b'a'; 100_000];
    let regular = |name| (name, EntryType::Regular, &b"x"[..]);
    let link = |kind| ("assets/app-B3x_9kQz.js", kind, &b""[..]);
    let cases: &[(&[ArchiveEntry<'_>], &str)] = &[
        (&[regular("../outside-B3x_9kQz.js")], "`../outside-B3x_9kQz.js` is not the path of a file"),
        (&[regular("a/../../outside-B3x_9kQz.js")], "is not the path of a file"),
        (&[regular("/tmp/outside-B3x_9kQz.js")], "is not the path of a file"),
        (&[regular("c:\\outside-B3x_9kQz.js")], "is not the path of a file"),
        (&[regular("assets/a\u{1b}[2J-B3x_9kQz.js")], "is not the path of a file"),
        (&[regular(".sitegate/live.json")], "is not the path of a file"),
        (&[("x", EntryType::GNULongName, b"../x\0"), regular("x")], "`../x` is not the path of a file"),
        (&[("x", EntryType::XHeader, b"12 path=/x/\n"), regular("x")], "`/x/` is not the path of a file"),
        (&[("x", EntryType::GNULongName, b"\xff\0"), regular("x")], "is not the path of a file"),
        (&[link(EntryType::Symlink)], "is a link or a special file"),
        (&[link(EntryType::Link)], "is a link or a special file"),
        (&[link(EntryType::Fifo)], "is a link or a special file"),
        (&[link(EntryType::GNUSparse)], "is a link or a special file"),
        (&[regular("a.js"), regular("a.js")], "`a.js` is there twice"),
        (&[regular("assets/a.js"), regular("Assets/A.js")], "`Assets/A.js` is there twice"),
        (&[regular("a"), regular("a/b")], "hostile.tar.gz: "),
        (&[("x", EntryType::GNULongName, &name), regular("x")], "a name of more than 64 KiB"),
        (&[("x", EntryType::XHeader, b"24 GNU.sparse.size=1000\n"), regular("x")], "a sparse file"),
    ];
    for (entries, reason) in cases {
        fs::write(project.path("hostile.tar.gz"), compressed(&archive(entries))).unwrap();
        let output = sitegate(project.0.path(), &["carry", "dist", "--from", "hostile.tar.gz"]);
        let printed = assert_exit(&output, 2, &[reason]);
        assert!(!printed.contains('\u{1b}'), "{printed:?}");
    }
    // A file of 5 GiB, of which nothing follows; and half of an archive.
    let mut header = Header::new_gnu();
    header.set_path("bomb-B3x_9kQz.js").unwrap();
    header.set_size(5 << 30);
    header.set_cksum();
    let half = compressed(&archive(&[regular("a.js")])[..700]);
    for (bytes, reason) in [(compressed(header.as_bytes()), "more than 4 GiB"), (half, "hostile.tar.gz: ")] {
        fs::write(project.path("hostile.tar.gz"), bytes).unwrap();
        let output = sitegate(project.0.path(), &["carry", "dist", "--from", "hostile.tar.gz"]);
        assert_exit(&output, 2, &[reason]);
    }
    assert!(
        !project.path("outside-B3x_9kQz.js").exists() && !project.path("dist/sitegate-assets.txt").exists()
    );
}

/// Serves a folder as a plain host. With a fallback, it answers other paths with the first page.
#[cfg(feature = "network")]
fn serve_folder(root: PathBuf, has_fallback: bool) -> String {
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
                    let path = match first.split(' ').nth(1).unwrap().trim_start_matches('/') {
                        "" => "index.html",
                        path => path,
                    };
                    let page = || fs::read(Path::new(&root).join("index.html")).unwrap();
                    let (status, kind, body) = match fs::read(Path::new(&root).join(path)) {
                        Ok(body) if path.ends_with(".js") => (200, "text/javascript", body),
                        Ok(body) => (200, "text/html", body),
                        Err(_) if has_fallback => (200, "text/html", page()),
                        Err(_) => (404, "text/html", Vec::new()),
                    };
                    let head = format!(
                        "HTTP/1.1 {status} x\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
                        body.len()
                    );
                    if stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).is_err() {
                        return;
                    }
                }
            });
        }
    });
    format!("http://{address}")
}

#[cfg(feature = "network")]
#[test]
fn a_live_site_is_a_previous_release() {
    for has_fallback in [false, true] {
        let project = Project::new();
        let url = serve_folder(project.path("live"), has_fallback);
        let deploy = || {
            let _ = fs::remove_dir_all(project.path("live"));
            fs::rename(project.path("dist"), project.path("live")).unwrap();
        };
        // Without a list, its pages and what they load are requested.
        project.build("live", FIRST);
        project.build("dist", SECOND);
        let printed = project.carry(&url);
        assert!(printed.contains("added 2 files"), "{printed}");
        deploy();
        // No page refers to the first version any more.
        project.build("dist", THIRD);
        let printed = project.carry(&format!("{url}/"));
        assert!(printed.contains("added 4 files") && project.has(FIRST) && project.has(SECOND), "{printed}");
        // A file that the host changes is not carried.
        project.build("dist", THIRD);
        fs::write(project.path("live/assets").join(FIRST[0]), "minified").unwrap();
        let printed = project.carry(&url);
        assert!(printed.contains(&format!("not carried: assets/{}", FIRST[0])), "{printed}");
        let list = read(project.0.path(), "dist/sitegate-assets.txt");
        assert!(!project.has(FIRST) && !list.contains(FIRST[0]), "{list}");
    }
}

#[cfg(feature = "network")]
#[test]
fn the_guide_works_as_written() {
    let project = Project::new();
    let url = serve_folder(project.path("live"), false);
    project.build("live", FIRST);
    for version in [SECOND, THIRD] {
        let mut has_built = false;
        for command in guide_commands("carry.md", "Use it") {
            if command == "npm run build" {
                project.build("dist", version);
                has_built = true;
                continue;
            }
            let command = command.replace("https://www.acme.org/", &url);
            let mut words = command.split(' ');
            assert_eq!(words.next(), Some("sitegate"), "{command}");
            project.run(&words.collect::<Vec<_>>());
        }
        assert!(has_built && project.has(FIRST) && project.has(version));
        let seal = read(project.0.path(), "seal.json");
        let files = ["sitegate-assets.txt", FIRST[0], FIRST[1], version[0]];
        assert!(files.iter().all(|file| seal.contains(file)), "{seal}");
        fs::remove_dir_all(project.path("live")).unwrap();
        fs::rename(project.path("dist"), project.path("live")).unwrap();
    }
    project.build("dist", FIRST);
    assert!(project.carry(&url).contains("added 4 files"));
}
