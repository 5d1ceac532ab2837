//! Rounds in which a publisher is suspended past its lease, another one publishes, and the first one resumes.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::program::{Trouble, send};
use super::round::{Round, Sealed};
use super::target::TestTarget;
use crate::s3::server::{Fault, Rule, When};

/// The lease of the suspended publisher, short to keep the round short.
const LEASE: Duration = Duration::from_secs(4);

/// # Errors
/// If an invariant is violated.
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
    // Another lease, in case the store got the last renewal later.
    std::thread::sleep(LEASE + Duration::from_millis(1_500));
    let taken_over = publish_over_suspended(round, &other);
    send("-CONT", asleep.pid);
    let result = asleep.end()?;
    if !taken_over? {
        // A publisher that was suspended with an open file does not block others for longer.
        let last = round.next()?;
        return round.complete(&last);
    }
    round.note(format!("the sleeper woke -> {:?}\n    {}", result.code, result.output));
    // A publisher that was suspended before it read the target may publish when it resumes.
    match result.code {
        Some(0) => round.is_live(&sleeper.release).or_else(|_| round.is_live(&other.release))?,
        Some(5..=7) => round.is_live(&other.release)?,
        code => return Err(format!("the sleeper woke and ended with {code:?}: {}", result.output)),
    }
    let last = round.next()?;
    round.complete(&last)?;
    round.roll_back()
}

/// Publishes while another publisher is suspended past its lease. In a folder, that one may hold a file lock; then the
/// publish reports it and changes nothing.
fn publish_over_suspended(round: &mut Round, other: &Sealed) -> Result<bool, String> {
    let options = round.options();
    let mut result = round.run("publish", Some(other), &options, &Trouble::None)?;
    if result.code == Some(5) {
        // The lease was renewed just before the suspension.
        std::thread::sleep(LEASE);
        result = round.run("publish", Some(other), &options, &Trouble::None)?;
    }
    match result.code {
        Some(0) => round.is_live(&other.release).map(|()| true),
        Some(5) if result.output.contains("another publisher is changing files") => Ok(false),
        code => Err(format!(
            "the lease of the suspended publisher is over, but no one can publish: {code:?}: {}",
            result.output
        )),
    }
}
