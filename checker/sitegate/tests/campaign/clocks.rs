//! Rounds with a publisher whose clock is wrong. This must not affect others.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::program::{RunResult, Trouble, is_installed};
use super::round::{Round, Sealed};
use super::target::TestTarget;
use crate::s3::server::{Fault, Rule, When};

/// The lease of the publisher with a wrong clock.
const LEASE: Duration = Duration::from_secs(4);

/// A program that runs another one with a wrong clock, from the Debian package of this name.
const FAKETIME: &str = "faketime";

pub fn can_run() -> bool {
    is_installed(FAKETIME, &["-f", "+1s", "true"])
}

fn wrong_clock(round: &mut Round) -> Trouble {
    // A bucket accepts an offset of up to 15 minutes.
    let minutes = match round.target {
        TestTarget::Bucket(..) => round.rng.pick(&["-13m", "-10m", "-30s", "+30s", "+10m", "+13m"]),
        TestTarget::Folder(_) => round.rng.pick(&["-300d", "-10m", "-30s", "+30s", "+10m", "+300d"]),
    };
    Trouble::Within([FAKETIME, "-f", minutes].map(str::to_owned).to_vec())
}

/// Runs the program with a wrong clock. faketime names its semaphore after its process id, and does not start if a killed
/// process with the same id left one.
fn run(
    round: &Round,
    name: &str,
    sealed: Option<&Sealed>,
    more: &[String],
    clock: &Trouble,
) -> Result<RunResult, String> {
    let mut result = round.run(name, sealed, more, clock)?;
    for _ in 0..3 {
        if !result.output.contains("sem_open") {
            break;
        }
        result = round.run(name, sealed, more, clock)?;
    }
    Ok(result)
}

/// # Errors
/// If an invariant is violated.
pub fn round(round: &mut Round) -> Result<(), String> {
    round.lease = LEASE;
    if round.rng.chance(80) {
        let first = round.next()?;
        round.complete(&first)?;
    }
    let skewed = round.next()?;
    let clock = wrong_clock(round);
    round.troubles.fetch_add(1, Ordering::Relaxed);
    let options = round.options();
    let result = run(round, "publish", Some(&skewed), &options, &clock)?;
    if result.code != Some(0) {
        return Err(format!(
            "a clock was wrong, and publishing ends with {:?}: {}",
            result.code, result.output
        ));
    }
    round.is_live(&skewed.release)?;
    if matches!(round.target, TestTarget::Bucket(..)) && round.rng.chance(60) {
        wrong_clock_at_work(round)?;
    }
    // A publisher with a correct clock follows one with a wrong clock, and the other way round.
    let last = round.next()?;
    round.complete(&last)?;
    let clock = wrong_clock(round);
    let result = run(round, "rollback", None, &[], &clock)?;
    if !matches!(result.code, Some(0 | 2)) {
        return Err(format!(
            "a clock was wrong, and going back ends with {:?}: {}",
            result.code, result.output
        ));
    }
    round.roll_back()
}

/// A publisher with a wrong clock is running or was killed. Its short lease decides when others may take over, not its
/// clock.
fn wrong_clock_at_work(round: &mut Round) -> Result<(), String> {
    let (slow, other) = (round.next()?, round.next()?);
    let clock = wrong_clock(round);
    let options = round.options();
    let dies = round.rng.chance(50);
    let fault = if dies { Fault::KillAfter } else { Fault::Stall(Duration::from_millis(1_500)) };
    let rule = Rule { method: "PUT", contains: ".sitegate/releases/", when: When::At(1), fault };
    round.troubles.fetch_add(1, Ordering::Relaxed);
    round.note(format!("publish {} is at work: {clock:?} {rule:?}", slow.release.name));
    let running = round.start("publish", Some(&slow), &options, &clock);
    let server = round.target.server().ok_or("a bucket has a server")?;
    server.faults(&[rule]);
    for _ in 0..600 {
        if server.fault_count() > 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    if dies {
        running.end()?;
        std::thread::sleep(LEASE + Duration::from_millis(1_500));
        let result = round.run("publish", Some(&other), &options, &Trouble::None)?;
        return match result.code {
            Some(0) => round.is_live(&other.release),
            code => {
                Err(format!("a dead publisher's clock counts, not its lease: {code:?}: {}", result.output))
            }
        };
    }
    let busy = round.start("publish", Some(&other), &options, &Trouble::None).end()?;
    let result = running.end()?;
    round.note(format!(
        "meanwhile: publish {} -> {:?}; the slow one -> {:?}",
        other.release.name, busy.code, result.code
    ));
    match (busy.code, result.code) {
        (Some(5), Some(0)) => round.is_live(&slow.release),
        // It may have waited for the slow one.
        (Some(0), Some(0)) => round.is_live(&other.release),
        codes => Err(format!(
            "one was at work when another came, and they end with {codes:?}: {}{}",
            busy.output, result.output
        )),
    }
}
