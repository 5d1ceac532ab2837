//! Rounds on a disk that is full before or during runs: visitors see the old release or the new one, whole, and with more
//! space everything works.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::program::Trouble;
use super::round::Round;

/// A small disk at the served folder, until it is dropped.
struct Disk<'p>(&'p Path);

impl Disk<'_> {
    fn mount(folder: &Path) -> Option<Disk<'_>> {
        std::fs::create_dir_all(folder).unwrap();
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(folder).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success()).then_some(Disk(folder))
    }

    /// Changes its size. The kernel refuses less than what is used.
    fn resize(&self, options: &str) -> bool {
        let options = format!("remount,{options}");
        let mut command = Command::new("mount");
        command.args(["-o", &options]).arg(self.0).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// Returns the used space in KiB, and the number of inodes.
    fn used(&self) -> (usize, usize) {
        let number = |column: &str| -> usize {
            let output = Command::new("df").arg(format!("--output={column}")).arg(self.0).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines().nth(1).and_then(|text| text.trim().parse().ok()).unwrap_or(0)
        };
        (number("used"), number("iused"))
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0).status();
    }
}

/// Whether this user may mount a disk.
pub fn can_run() -> bool {
    let folder = tempfile::tempdir().unwrap();
    Disk::mount(folder.path()).is_some()
}

/// # Errors
/// If an invariant is violated.
pub fn round(round: &mut Round) -> Result<(), String> {
    let served = round.target.served().ok_or("a full disk needs a folder")?;
    let disk = Disk::mount(&served).ok_or("no disk can be mounted")?;
    let done = run_on_disk(round, &disk);
    // The visitor must not look at the unmounted folder.
    round.end().and(done)
}

fn run_on_disk(round: &mut Round, disk: &Disk<'_>) -> Result<(), String> {
    round.plant_foreign_objects();
    let mut last = round.next()?;
    round.complete(&last)?;
    let mut may_be_held = false;
    for _ in 0..round.rng.between(2, 4) {
        let next = round.next()?;
        let (kib, inodes) = disk.used();
        let (spare, nodes) = (round.rng.between(0, 1_500), round.rng.between(2, 40));
        let options = match round.rng.between(0, 2) {
            0 => format!("size={}k", kib + spare),
            1 => format!("nr_inodes={}", inodes + nodes),
            _ => format!("size={}k", kib + 1_100),
        };
        let after = Duration::from_millis(round.rng.between(0, 150) as u64);
        let is_early = round.rng.chance(60);
        round.troubles.fetch_add(1, Ordering::Relaxed);
        if is_early {
            disk.resize(&options);
        }
        let before = round.target.objects();
        let more = round.options();
        let running = round.start("publish", Some(&next), &more, &Trouble::None);
        std::thread::sleep(after);
        let filled = is_early || disk.resize(&options) || disk.resize(&format!("size={}k", disk.used().0));
        let result = running.end()?;
        round.note(format!(
            "publish with {options}, early: {is_early}, after {after:?}, filled: {filled} -> {:?}\n    {}",
            result.code, result.output
        ));
        let was_held = std::mem::replace(&mut may_be_held, result.code != Some(0));
        match result.code {
            // On the full disk, the run before could not release its lease.
            Some(5) if was_held && result.output.contains("sitegate target unlock") => {
                super::invariants::assert_unchanged(&before, &round.objects_at_rest()?)?;
                round.run_without_files("unlock", &[])?;
            }
            Some(0) => {
                round.is_live(&next.release)?;
                last = next;
            }
            Some(6) => super::invariants::assert_unchanged(&before, &round.objects_at_rest()?)
                .map_err(|wrong| format!("a full disk, and {wrong}"))?,
            // All files were renamed, and only the record could not be written.
            Some(7) => {
                let objects = round.objects_at_rest()?;
                round.is_complete(&objects, &next.release)?;
                last = next;
            }
            code => return Err(format!("a full disk ends the publish with {code:?}: {}", result.output)),
        }
        if !disk.resize("size=64m,nr_inodes=10000") {
            return Err("the disk cannot grow again".to_owned());
        }
        if round.rng.chance(50) {
            round.complete(&last)?;
            may_be_held = false;
        }
    }
    let last = round.next()?;
    round.complete(&last)?;
    round.roll_back()
}
