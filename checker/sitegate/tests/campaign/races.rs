//! Rounds with concurrent publishers, rollbacks and other commands.

use std::sync::atomic::Ordering;

use super::program::{RunResult, Trouble};
use super::round::{Round, Sealed};

/// # Errors
/// If an invariant is violated.
pub fn round(round: &mut Round) -> Result<(), String> {
    let mut before = Vec::new();
    for _ in 0..round.rng.between(0, 2) {
        let sealed = round.next()?;
        round.complete(&sealed)?;
        before.push(sealed);
    }
    let racers = round.rng.pick(&[2, 2, 3, 4, 6, 16]);
    let mut sealed = Vec::new();
    for _ in 0..racers {
        sealed.push(round.next()?);
    }
    let others: Vec<&str> =
        (0..round.rng.between(0, 3)).map(|_| round.rng.pick(&["rollback", "gc", "status"])).collect();
    round.troubles.fetch_add(racers + others.len(), Ordering::Relaxed);
    let options = round.options();
    let result = run_concurrently(round, &sealed, &others, &options)?;
    let won: Vec<&Sealed> = sealed
        .iter()
        .zip(&result)
        .filter(|(_, result)| result.code == Some(0))
        .map(|(sealed, _)| sealed)
        .collect();
    for (racer, result) in sealed.iter().zip(&result) {
        if !matches!(result.code, Some(0 | 5)) {
            return Err(format!(
                "{} raced and ended with {:?}: {}",
                racer.release.name, result.code, result.output
            ));
        }
    }
    let went_back = others.contains(&"rollback");
    let mut wrong = Err("nothing is live".to_owned());
    for sealed in won.iter().copied().chain(before.iter().filter(|_| went_back || won.is_empty())) {
        wrong = round.is_live(&sealed.release);
        if wrong.is_ok() {
            break;
        }
    }
    // If all publishers were rejected and nothing was live before, nothing is live now.
    if won.is_empty() && before.is_empty() {
        wrong = round.objects_at_rest().map(|_| ());
    }
    // A rollback that won may have restored a release that a winner of this race replaced.
    if went_back && wrong.is_err() {
        wrong =
            sealed.iter().find_map(|sealed| round.is_live(&sealed.release).ok()).ok_or(wrong.unwrap_err());
    }
    wrong.map_err(|wrong| format!("the live files after the race are not one release: {wrong}"))?;
    let last = round.next()?;
    round.complete(&last)?;
    round.roll_back()
}

/// Runs all commands at once, and returns the results of the publishers.
fn run_concurrently(
    round: &Round,
    sealed: &[Sealed],
    others: &[&str],
    options: &[String],
) -> Result<Vec<RunResult>, String> {
    let none = Trouble::None;
    let publishers: Vec<_> =
        sealed.iter().map(|sealed| round.start("publish", Some(sealed), options, &none)).collect();
    let others: Vec<_> = others.iter().map(|name| (*name, round.start(name, None, &[], &none))).collect();
    let mut ended = Vec::new();
    for (sealed, running) in sealed.iter().zip(publishers) {
        let result = running.end()?;
        round.note(format!(
            "racing: publish {} -> {:?}\n    {}",
            sealed.release.name, result.code, result.output
        ));
        ended.push(result);
    }
    for (name, running) in others {
        let result = running.end()?;
        round.note(format!("racing: {name} -> {:?}\n    {}", result.code, result.output));
        // There may be no release to roll back to.
        let nothing = name == "rollback" && result.code == Some(2);
        if !matches!(result.code, Some(0 | 5)) && !nothing {
            return Err(format!("{name} raced and ended with {:?}: {}", result.code, result.output));
        }
    }
    Ok(ended)
}
