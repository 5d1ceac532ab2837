//! Rounds in which a signal ends runs, at a request or at a random time.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::program::{Trouble, is_installed};
use super::rng::Rng;
use super::round::{Round, Sealed};
use super::target::TestTarget;
use crate::s3::server::{Fault, Rule, When};

const SIGNALS: [&str; 4] = ["-KILL", "-KILL", "-TERM", "-INT"];

/// System calls that change a folder.
const CHANGES: &str = "openat,write,renameat,renameat2,unlinkat,mkdirat,fsync,fdatasync,syncfs";

/// Creates a kill at a random moment.
pub fn kill(round: &mut Round) -> Trouble {
    let rng = &mut round.rng;
    match &round.target {
        TestTarget::Bucket(..) if rng.chance(75) => {
            let fault = match rng.between(0, 3) {
                0 => Fault::KillBefore,
                1 => Fault::KillAfter,
                _ => Fault::Signal(rng.pick(&SIGNALS)),
            };
            let method = rng.pick(&["*", "PUT", "PUT", "DELETE", "POST"]);
            let last = if method == "PUT" || method == "*" { 45 } else { 3 };
            Trouble::Faults(vec![Rule { method, contains: "", when: When::At(rng.between(1, last)), fault }])
        }
        TestTarget::Folder(_) if rng.chance(60) && is_installed("strace", &["-f", "true"]) => {
            kill_at_change(rng)
        }
        _ => Trouble::Signal(rng.pick(&SIGNALS), Duration::from_millis(rng.between(5, 150) as u64)),
    }
}

/// Creates a kill before the k-th call of a system call that changes the file system.
fn kill_at_change(rng: &mut Rng) -> Trouble {
    let calls: Vec<&str> = CHANGES.split(',').collect();
    let call = rng.pick(&calls);
    let time = rng.between(1, if call == "openat" { 200 } else { 12 });
    Trouble::Within(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={CHANGES}"), "-e"]
            .map(str::to_owned)
            .into_iter()
            .chain([format!("inject={call}:signal=SIGKILL:when={time}")])
            .collect(),
    )
}

/// Runs a command that a user may run after an interrupted run: status, gc, rollback, unlock or another publish.
pub fn random_command(round: &mut Round, sealed: &Sealed, trouble: &Trouble) -> Result<(), String> {
    match round.rng.between(0, 6) {
        0 => drop(round.status()?),
        1 => drop(round.run("gc", None, &["--keep-releases".to_owned(), "0".to_owned()], trouble)?),
        2 => drop(round.run("gc", None, &[], trouble)?),
        3 => drop(round.run("rollback", None, &[], trouble)?),
        4 => drop(round.run_without_files("unlock", &[])?),
        5 => {
            let options = round.options();
            round.run("publish", Some(sealed), &options, trouble)?;
        }
        _ => {}
    }
    Ok(())
}

/// Publishes several releases with trouble, then one that must succeed, and then rolls back.
///
/// # Errors
/// If an invariant is violated.
pub fn publish_with_trouble(round: &mut Round, hurt: fn(&mut Round) -> Trouble) -> Result<(), String> {
    if round.rng.chance(80) {
        let first = round.next()?;
        round.complete(&first)?;
    }
    let mut last = round.next()?;
    for _ in 0..round.rng.between(1, 3) {
        if round.rng.chance(50) {
            last = round.next()?;
        }
        let trouble = hurt(round);
        round.troubles.fetch_add(1, Ordering::Relaxed);
        let options = round.options();
        let result = round.run("publish", Some(&last), &options, &trouble)?;
        if trouble.is_transient() && !matches!(result.code, Some(0 | 5)) {
            return Err(format!(
                "one passing fault ended a publish with {:?}: {}",
                result.code, result.output
            ));
        }
        for _ in 0..round.rng.between(0, 2) {
            let trouble = if round.rng.chance(50) { hurt(round) } else { Trouble::None };
            round.troubles.fetch_add(usize::from(!matches!(trouble, Trouble::None)), Ordering::Relaxed);
            random_command(round, &last, &trouble)?;
        }
    }
    if round.rng.chance(50) {
        last = round.next()?;
    }
    round.complete(&last)?;
    if round.rng.chance(30) {
        round.run_without_files("gc", &[])?;
        round.is_live(&last.release)?;
    }
    round.roll_back()
}

/// # Errors
/// If an invariant is violated.
pub fn round(round: &mut Round) -> Result<(), String> {
    publish_with_trouble(round, kill)
}
