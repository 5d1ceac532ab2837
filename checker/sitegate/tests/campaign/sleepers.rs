//! Rounds in which a publisher sleeps past its lease, another one publishes, and the sleeper wakes.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::program::{Trouble, send};
use super::round::{Round, Sealed};
use super::target::TestTarget;
use crate::s3::server::{Fault, Rule, When};

/// The lease of who sleeps: short, so that the round is.
const LEASE: Duration = Duration::from_secs(4);

/// # Errors
/// What is wrong.
pub fn round(round: &mut Round) -> Result<(), String> {
    round.lease = LEASE;
    if round.rng.chance(85) {
        let first = round.next()?;
        round.complete(&first)?;
    }
    let (sleeper, other) = (round.next()?, round.next()?);
    round.troubles.fetch_add(1, Ordering::Relaxed);
    let rng = &mut round.rng;
    let trouble = match round.target {
        TestTarget::Bucket(..) if rng.chance(85) => Trouble::Faults(vec![Rule {
            method: rng.pick(&["*", "PUT", "PUT"]),
            contains: "",
            when: When::At(rng.between(2, 30)),
            fault: Fault::Signal("-STOP"),
        }]),
        _ => Trouble::Signal("-STOP", Duration::from_millis(rng.between(10, 120) as u64)),
    };
    let options = round.options();
    round.note(format!("publish {} falls asleep: {trouble:?}", sleeper.release.name));
    let asleep = round.start("publish", Some(&sleeper), &options, &trouble);
    // Another lease to be sure: the store may have heard of the last one a moment later.
    std::thread::sleep(LEASE + Duration::from_millis(1_500));
    let taken_over = publish_over_suspended(round, &other);
    send("-CONT", asleep.pid);
    let result = asleep.end()?;
    if !taken_over? {
        // Whoever is stopped with a file in hand is in nobody's way for longer than that.
        let last = round.next()?;
        return round.complete(&last);
    }
    round.note(format!("the sleeper woke -> {:?}\n    {}", result.code, result.output));
    // Whoever slept before it looked at the target may publish when it wakes, like anybody who comes later.
    match result.code {
        Some(0) => round.is_live(&sleeper.release).or_else(|_| round.is_live(&other.release))?,
        Some(5..=7) => round.is_live(&other.release)?,
        code => return Err(format!("the sleeper woke and ended with {code:?}: {}", result.output)),
    }
    let last = round.next()?;
    round.complete(&last)?;
    round.roll_back()
}

/// Publishes while another one is asleep: its lease is over, so nobody need be asked. In a folder it may have stopped
/// with a file in hand; that is said, and nothing is done.
fn publish_over_suspended(round: &mut Round, other: &Sealed) -> Result<bool, String> {
    let options = round.options();
    let mut result = round.run("publish", Some(other), &options, &Trouble::None)?;
    if result.code == Some(5) {
        // It was renewed in the last moment before the sleep.
        std::thread::sleep(LEASE);
        result = round.run("publish", Some(other), &options, &Trouble::None)?;
    }
    match result.code {
        Some(0) => round.is_live(&other.release).map(|()| true),
        Some(5) if result.output.contains("in the middle of a change") => Ok(false),
        code => Err(format!(
            "the lease of the sleeper is over, and nobody can publish: {code:?}: {}",
            result.output
        )),
    }
}
