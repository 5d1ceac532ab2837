//! Rounds with stores that claim too much: lengths, bodies, listings and records without an end.

use std::fs::File;
use std::sync::atomic::Ordering;

use super::kills::publish_with_trouble;
use super::program::Trouble;
use super::round::Round;
use crate::s3::claims::Claim;
use crate::s3::server::{Fault, Rule, When};

/// Creates a false answer to reads, or an endless error.
fn claim(round: &mut Round) -> Trouble {
    let rng = &mut round.rng;
    let claim = rng.pick(&Claim::ALL);
    let (method, contains) = match claim {
        Claim::SameToken | Claim::Circle | Claim::NewTokens => ("GET", "list-type"),
        Claim::Error => (rng.pick(&["GET", "PUT", "*"]), ""),
        Claim::Length | Claim::Endless => {
            ("GET", rng.pick(&["", "list-type", ".sitegate/runs/", ".sitegate/releases/", ".sitegate/kept/"]))
        }
    };
    // A listing that repeats once and then continues would only be incomplete.
    let when = if contains != "list-type" && rng.chance(70) {
        When::At(rng.between(1, 8))
    } else {
        When::From(rng.between(1, 8))
    };
    Trouble::Faults(vec![Rule { method, contains, when, fault: Fault::Claim(claim) }])
}

/// # Errors
/// If an invariant is violated.
pub fn round(round: &mut Round) -> Result<(), String> {
    let Some(folder) = round.target.served() else { return publish_with_trouble(round, claim) };
    // A folder claims nothing, but its records may be too large.
    let first = round.next()?;
    round.complete(&first)?;
    let next = round.next()?;
    let objects = round.target.objects();
    let state: Vec<&String> = objects
        .keys()
        .filter(|key| key.starts_with(".sitegate/runs/") || key.starts_with(".sitegate/releases/"))
        .collect();
    let key = (*round.rng.pick(&state)).clone();
    File::options().write(true).open(folder.join(&key)).unwrap().set_len(1 << 30).unwrap();
    for name in ["status", "publish", "rollback", "gc"] {
        round.troubles.fetch_add(1, Ordering::Relaxed);
        let result = round.start(name, (name == "publish").then_some(&next), &[], &Trouble::None).end()?;
        if result.code != Some(2) {
            return Err(format!(
                "with 1 GiB at `{key}`, {name} ends with {:?}: {}",
                result.code, result.output
            ));
        }
    }
    round.target.set(&key, Some(&objects[&key].body));
    round.complete(&next)?;
    round.roll_back()
}
