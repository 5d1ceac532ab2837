//! Tests large files: they are uploaded in parts, completely or not at all, with little memory.

use std::fs::File;
use std::io::Write;
#[cfg(target_os = "linux")]
use std::process::Command;

use super::server::{Fault, Rule, Server, Settings, When};
use super::site::Site;
use crate::concurrent::for_each_case;
use crate::outcome::all_output;

/// Three parts, with a smaller last one.
const SIZE: usize = (17 << 20) + 12_345;

#[cfg(target_os = "linux")]
/// Maximum additional memory of a publish, in kB.
const MEMORY: u64 = 44 << 10;

/// Returns reproducible random bytes.
fn video(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let words = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    words.flatten().take(size).collect()
}

fn add_video(site: &Site, seed: u64, size: usize) -> Vec<u8> {
    let film = video(seed, size);
    File::create(site.path("export/film.mp4")).unwrap().write_all(&film).unwrap();
    site.seal();
    film
}

#[test]
fn uploads_replaces_and_restores_a_video_in_parts() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    let first = add_video(&site, 1, SIZE);
    site.published(&server, &[]);
    let there = || server.objects()["film.mp4"].clone();
    assert!(there().body == first && there().headers["content-type"] == "video/mp4");
    assert!(there().etag().ends_with("-3"), "{}", there().etag());
    let manifest = |(key, _): &(&String, _)| key.starts_with(".sitegate/releases/");
    let objects = server.objects();
    let manifest = &objects.iter().find(manifest).unwrap().1.body;
    let manifest: serde_json::Value = serde_json::from_slice(manifest).unwrap();
    let film = manifest["objects"].as_array().unwrap().iter().find(|object| object["key"] == "film.mp4");
    assert_eq!(film.unwrap()["md5"], "", "the tag of an upload in parts is no MD5");
    assert_eq!(site.published(&server, &[])["outcome"], "unchanged", "its tag is known");
    let second = add_video(&site, 2, SIZE);
    site.published(&server, &[]);
    assert!(there().body == second);
    site.expect(&server, "rollback", &[], 0, &[]);
    assert!(there().body == first);
    assert_eq!(server.unfinished(), 0);
}

#[test]
fn video_is_never_partially_visible() {
    let site = Site::new();
    let film = add_video(&site, 3, SIZE);
    let faults = [
        ("PUT", "partNumber=3", Fault::Reset),
        ("PUT", "partNumber=3", Fault::Slow),
        ("PUT", "partNumber=2", Fault::Lost),
        ("PUT", "partNumber=2", Fault::Flipped),
        ("POST", "uploads", Fault::Reset),
        ("POST", "uploadId", Fault::Reset),
        ("POST", "uploadId", Fault::Lost),
        ("POST", "uploadId", Fault::Broken),
    ];
    for_each_case(
        &faults,
        || (),
        |(), &(method, contains, fault)| {
            let server = Server::in_memory(Settings::default());
            server.faults(&[Rule { method, contains, when: When::At(1), fault }]);
            let output = site.publish(&server, &[]);
            let there = server.objects().remove("film.mp4");
            assert_eq!(server.fault_count(), 1, "{contains} {fault:?}");
            if let Some(0) = output.status.code() {
                assert!(there.unwrap().body == film, "{contains} {fault:?}")
            } else {
                assert!(there.is_none(), "{contains} {fault:?}: {}", all_output(&output));
                site.published(&server, &[]);
                assert!(server.objects()["film.mp4"].body == film);
            }
        },
    );
}

#[test]
fn does_not_complete_an_upload_of_a_changing_video() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    let size = SIZE + (8 << 20);
    let film = add_video(&site, 4, size);
    let path = site.path("export/film.mp4");
    let changed = [&film[..size - 1], &[film[size - 1] ^ 1]].concat();
    // The first two parts wait, so that the fourth is not read yet, and then the last byte changes.
    let waits = |contains| Rule { method: "PUT", contains, when: When::At(1), fault: Fault::Wait };
    server.faults(&[waits("partNumber=1&"), waits("partNumber=2&")]);
    let mut child = site.start(&server, &[]);
    server.wait_for_fault();
    std::fs::write(path, changed).unwrap();
    server.go_on();
    assert_eq!(child.wait().unwrap().code(), Some(7), "a switch that was interrupted");
    assert!(!server.objects().contains_key("film.mp4"));
    assert_eq!(server.unfinished(), 0, "aborts the upload");
}

/// Runs a command, and returns its status and its peak memory, in kB.
#[cfg(target_os = "linux")]
pub fn measured(mut command: Command) -> (std::process::ExitStatus, u64) {
    use std::process::Stdio;
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.map_or(peak, |line| line.trim().trim_end_matches(" kB").parse().unwrap());
        if let Some(ended) = child.try_wait().unwrap() {
            return (ended, peak);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn uploading_a_video_needs_no_more_memory_than_a_page() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    let folder = format!("file://{}", site.path("public").display());
    let check = || site.command(&["check", "export", "--seal", "seal.json"]);
    let to_folder = || site.command(&["publish", &folder, "export", "--seal", "seal.json"]);
    let to_bucket = || site.on(&server, "publish", &[]);
    let peak_memory = |command: Command| {
        let printed = format!("{command:?}");
        let (ended, peak) = measured(command);
        assert!(ended.success(), "{printed}: {ended}");
        peak
    };
    let small = peak_memory(check()).max(peak_memory(to_folder())).max(peak_memory(to_bucket()));
    let mut film = File::create(site.path("export/film.mp4")).unwrap();
    for piece in 0..48 {
        film.write_all(&vec![piece; 1 << 20]).unwrap();
    }
    let commands: [&dyn Fn() -> Command; 3] = [&check, &to_folder, &to_bucket];
    for command in commands {
        let printed = format!("{:?}", command().get_args().next());
        let taken = peak_memory(command());
        assert!(taken < small + MEMORY, "{printed} takes {taken} kB, and {small} kB without a video");
    }
}
