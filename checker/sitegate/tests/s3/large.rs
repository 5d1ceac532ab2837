//! Tests large files: they are sent in parts, completely or not at all, and need no more memory than small
//! ones.

use std::fs::File;
use std::io::Write;
#[cfg(target_os = "linux")]
use std::process::Command;

use super::server::{Fault, Rule, Server, Settings, When};
use super::site::{Site, said};

/// Three parts, the last one smaller.
const SIZE: usize = (17 << 20) + 12_345;

#[cfg(target_os = "linux")]
/// Maximum memory of a publish, in addition to the program's own, in kB.
const MEMORY: u64 = 44 << 10;

/// Pseudorandom bytes, the same each time.
fn film(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let words = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    words.flatten().take(size).collect()
}

fn add_video(site: &Site, seed: u64) -> Vec<u8> {
    let film = film(seed, SIZE);
    File::create(site.path("export/film.mp4")).unwrap().write_all(&film).unwrap();
    site.seal();
    film
}

#[test]
fn uploads_replaces_and_restores_a_video_in_parts() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    let first = add_video(&site, 1);
    site.published(&server, &[]);
    let there = || server.objects()["film.mp4"].clone();
    assert!(there().body == first && there().headers["content-type"] == "video/mp4");
    assert!(there().etag().ends_with("-3"), "{}", there().etag());
    assert_eq!(site.published(&server, &[])["outcome"], "unchanged", "its tag is known");
    let second = add_video(&site, 2);
    site.published(&server, &[]);
    assert!(there().body == second);
    let output = site.on(&server, "rollback", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(there().body == first);
    assert_eq!(server.unfinished(), 0);
}

#[test]
fn a_video_is_never_partly_live() {
    let site = Site::new();
    let film = add_video(&site, 3);
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
    for (method, contains, fault) in faults {
        let server = Server::in_memory(Settings::default());
        server.faults(&[Rule { method, contains, when: When::At(1), fault }]);
        let output = site.publish(&server, &[]);
        let there = server.objects().remove("film.mp4");
        assert_eq!(server.struck(), 1, "{contains} {fault:?}");
        if let Some(0) = output.status.code() {
            assert!(there.unwrap().body == film, "{contains} {fault:?}")
        } else {
            assert!(there.is_none(), "{contains} {fault:?}: {}", said(&output));
            let again = site.publish(&server, &[]);
            assert_eq!(again.status.code(), Some(0), "{contains} {fault:?}: {}", said(&again));
            assert!(server.objects()["film.mp4"].body == film);
        }
    }
}

#[test]
fn a_video_that_changes_during_the_upload_is_not_completed() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    let film = add_video(&site, 4);
    let path = site.path("export/film.mp4");
    let changed = [&film[..SIZE - 1], &[film[SIZE - 1] ^ 1]].concat();
    // The first two parts wait at the server, so the third is not read yet, and meanwhile the last byte
    // changes.
    let stall = Fault::Stall(std::time::Duration::from_secs(2));
    let waits = |contains| Rule { method: "PUT", contains, when: When::At(1), fault: stall };
    server.faults(&[waits("partNumber=1&"), waits("partNumber=2&")]);
    let mut child = site.start(&server, &[]);
    let begun = || server.log().iter().any(|line| line.contains("partNumber=1"));
    let start = std::time::Instant::now();
    while !begun() && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::fs::write(path, changed).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(7), "a switch that was interrupted");
    assert!(!server.objects().contains_key("film.mp4"));
    assert_eq!(server.unfinished(), 0, "the upload is aborted");
}

/// Runs a command, and returns its maximum memory, in kB.
#[cfg(target_os = "linux")]
fn peak(mut command: Command) -> u64 {
    use std::process::Stdio;
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.map_or(peak, |line| line.trim().trim_end_matches(" kB").parse().unwrap());
        if let Some(ended) = child.try_wait().unwrap() {
            assert!(ended.success(), "{command:?}: {ended}");
            return peak;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_video_needs_no_more_memory_than_a_page() {
    let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
    let folder = format!("file://{}", site.path("public").display());
    let check = || site.command(&["check", "export", "--seal", "seal.json"]);
    let to_folder = || site.command(&["publish", &folder, "export", "--seal", "seal.json"]);
    let to_bucket = || site.on(&server, "publish", &[]);
    let small = [peak(check()), peak(to_folder()), peak(to_bucket())].into_iter().max().unwrap();
    let write = |seed: u8| {
        let mut film = File::create(site.path("export/film.mp4")).unwrap();
        for piece in 0..48 {
            film.write_all(&vec![piece ^ seed; 1 << 20]).unwrap();
        }
    };
    let within = |command: Command| {
        let said = format!("{:?}", command.get_args().next());
        let taken = peak(command);
        assert!(taken < small + MEMORY, "{said} takes {taken} kB, and {small} kB without a video");
    };
    write(1);
    within(check());
    within(to_folder());
    within(to_bucket());
}
