//! Rounds with planted links and special files in a target folder, before and during runs: nothing outside of the target
//! changes, nothing hangs, and after they are removed, everything works.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::program::Trouble;
use super::round::{Round, Sealed};
use crate::s3::server::Objects;

/// Folders and files of the target state to replace, besides those of the site.
const STATE: [&str; 7] = ["", "/tmp", "/kept", "/runs", "/releases", "/probe", "/lock"];

/// Something planted in a target.
struct Planted {
    path: PathBuf,
    /// The file that was there before.
    moved: Option<PathBuf>,
    /// Keeps what was there, and the destination of a link.
    _elsewhere: tempfile::TempDir,
    outside: PathBuf,
    before: Objects,
}

impl Planted {
    /// Plants something at a path: a link to a copy of what is there, or a special file.
    fn plant(path: PathBuf, kind: usize) -> Planted {
        let elsewhere = tempfile::tempdir().unwrap();
        let (moved, outside) = (elsewhere.path().join("moved"), elsewhere.path().join("outside"));
        let copied = Command::new("cp").arg("-R").arg(&path).arg(&outside).output().unwrap();
        if !copied.status.success() {
            fs::create_dir_all(&outside).unwrap();
            fs::write(outside.join("0123456789abcdef0123456789abcdef"), "theirs").unwrap();
        }
        let before = read(&outside);
        let moved = fs::rename(&path, &moved).is_ok().then_some(moved);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // If a run has created something there meanwhile, nothing is planted.
        match kind {
            0 => drop(symlink(&outside, &path)),
            1 => drop(Command::new("mkfifo").arg(&path).output()),
            _ => drop(UnixListener::bind(&path)),
        }
        Planted { path, moved, _elsewhere: elsewhere, outside, before }
    }

    /// Checks that the destination of the link is unchanged, and restores what was there.
    fn remove(self) -> Result<(), String> {
        let after = read(&self.outside);
        if after != self.before {
            return Err(format!("outside of the target: {:?} became {:?}", self.before.keys(), after.keys()));
        }
        let there = fs::symlink_metadata(&self.path);
        if there.as_ref().is_ok_and(|there| !there.is_dir()) {
            fs::remove_file(&self.path).unwrap();
        }
        if let Some(moved) = self.moved.filter(|_| !self.path.exists()) {
            assert!(Command::new("cp").arg("-R").args([&moved, &self.path]).status().unwrap().success());
        }
        Ok(())
    }
}

fn read(path: &Path) -> Objects {
    let mut found = Objects::new();
    super::target::read(path.parent().unwrap(), "", &mut found);
    found.retain(|key, _| key.starts_with("outside"));
    found
}

/// Chooses a path of the target: of a page, of its folder, of a record or backup, or of a folder of the target state.
fn victim(round: &mut Round, served: &Path) -> PathBuf {
    let objects = round.target.objects();
    let keys: Vec<&String> = objects.keys().collect();
    let key = round.rng.pick(&keys).clone();
    let key = match round.rng.between(0, 3) {
        0 => format!(".sitegate{}", round.rng.pick(&STATE)),
        1 => key,
        2 => key.rsplit_once('/').map_or(key.clone(), |(folder, _)| folder.to_owned()),
        _ => ".sitegate/lock".to_owned(),
    };
    served.join(key)
}

/// Runs commands with a planted link or special file.
fn run_with_planted(round: &mut Round, kinds: &[usize]) -> Result<(), String> {
    let first = round.next()?;
    round.complete(&first)?;
    let second = round.next()?;
    round.complete(&second)?;
    let served = round.target.served().ok_or("planted files need a folder")?;
    let mut last: Option<Sealed> = None;
    for _ in 0..round.rng.between(2, 4) {
        let next = round.next()?;
        let (path, kind) = (victim(round, &served), round.rng.pick(kinds));
        let later = Duration::from_millis(round.rng.between(0, 120) as u64);
        let is_early = round.rng.chance(50);
        let name = round.rng.pick(&["publish", "publish", "rollback", "gc", "repair", "status", "unlock"]);
        let more = if name == "repair" { vec!["--apply".to_owned()] } else { Vec::new() };
        round.troubles.fetch_add(1, Ordering::Relaxed);
        // The visitor cannot expect whole pages while something is in their place.
        round.close_to_visitors();
        let early = is_early.then(|| Planted::plant(path.clone(), kind));
        let running = round.start(name, (name == "publish").then_some(&next), &more, &Trouble::None);
        let planted = early.unwrap_or_else(|| {
            std::thread::sleep(later);
            Planted::plant(path.clone(), kind)
        });
        let result = running.end()?;
        round.note(format!(
            "{name} with {} planted as {kind}, early: {is_early}, after {later:?} -> {:?}\n    {}",
            path.display(),
            result.code,
            result.output
        ));
        if !matches!(result.code, Some(0 | 2 | 4..=7)) {
            return Err(format!("{name} ends with {:?}: {}", result.code, result.output));
        }
        planted.remove()?;
        last = Some(next);
    }
    let last = last.unwrap_or(second);
    round.run("repair", None, &["--apply".to_owned()], &Trouble::None)?;
    round.has_leftovers = true;
    let more = ["--overwrite-drift", "--adopt"].map(str::to_owned);
    let mut result = round.run("publish", Some(&last), &more, &Trouble::None)?;
    if result.code == Some(5) {
        round.run_without_files("unlock", &[])?;
        result = round.run("publish", Some(&last), &more, &Trouble::None)?;
    }
    match result.code {
        Some(0) => round.is_live(&last.release),
        code => Err(format!("nothing can be published afterwards: {code:?}: {}", result.output)),
    }
}

/// # Errors
/// If an invariant is violated.
pub fn round_with_links(round: &mut Round) -> Result<(), String> {
    run_with_planted(round, &[0])
}

/// # Errors
/// If an invariant is violated.
pub fn round_with_special_files(round: &mut Round) -> Result<(), String> {
    run_with_planted(round, &[1, 2])
}
