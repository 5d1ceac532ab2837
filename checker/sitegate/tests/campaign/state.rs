//! Rounds with a target state that this version did not write: damaged backups before a rollback, formats of newer
//! versions, and foreign names.

use std::fs;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::invariants::{self, STATE_PREFIX};
use super::kills::kill;
use super::program::{RunResult, Trouble};
use super::round::{Round, Sealed};

/// Names among the records, manifests and backups that sitegate does not write.
const FOREIGN: [&str; 12] = [
    "runs/18446744073709551615.json",
    "runs/9999999999.json",
    "runs/0000000000.json",
    "runs/00000000001.json",
    "runs/7.json",
    "runs/-000000001.json",
    "runs/0000000001.JSON",
    "runs/٠٠٠٠٠٠٠٠٠١.json",
    "runs/notes.txt",
    "releases/README.json",
    "kept/notes.txt",
    "kept/deadbeef",
];

/// Publishes two or three releases.
fn publish_some(round: &mut Round) -> Result<Sealed, String> {
    let mut last = round.next()?;
    round.complete(&last)?;
    for _ in 0..round.rng.between(1, 2) {
        last = round.next()?;
        round.complete(&last)?;
    }
    Ok(last)
}

/// Runs a command, and returns its result without checks of the target, whose state is damaged.
fn run_damaged(
    round: &Round,
    name: &str,
    sealed: Option<&Sealed>,
    more: &[&str],
) -> Result<RunResult, String> {
    round.troubles.fetch_add(1, Ordering::Relaxed);
    let more: Vec<String> = more.iter().map(|&word| word.to_owned()).collect();
    let result = round.start(name, sealed, &more, &Trouble::None).end()?;
    round.note(format!("{name} {more:?} -> {:?}\n    {}", result.code, result.output));
    Ok(result)
}

/// Damages backups: a rollback that needs them changes nothing. An interrupted rollback is completed by the next one.
///
/// # Errors
/// If an invariant is violated.
pub fn backups(round: &mut Round) -> Result<(), String> {
    publish_some(round)?;
    for _ in 0..round.rng.between(1, 3) {
        roll_back_with_damage(round)?;
    }
    roll_back_after_kill(round)?;
    let last = round.next()?;
    round.complete(&last)?;
    round.roll_back()
}

fn roll_back_with_damage(round: &mut Round) -> Result<(), String> {
    let status = round.status()?;
    let mut listed = status["releases"].as_array().cloned().unwrap_or_default();
    listed.retain(|release| release["release"] != status["live"]);
    let kept: Vec<String> =
        round.target.objects().into_keys().filter(|key| key.starts_with(".sitegate/kept/")).collect();
    if listed.is_empty() || kept.is_empty() {
        return Ok(());
    }
    let (to, key) = (round.rng.pick(&listed), round.rng.pick(&kept));
    let whole = round.target.objects()[&key].body.clone();
    let mut garbled = whole.clone();
    garbled.iter_mut().for_each(|byte| *byte ^= 1);
    let damaged = match round.rng.between(0, 4) {
        0 => Some(whole[..whole.len() / 2].to_vec()),
        1 => Some(garbled),
        2 => Some([whole.as_slice(), b"more"].concat()),
        3 => Some(Vec::new()),
        _ => None,
    };
    if damaged.as_ref() == Some(&whole) {
        return Ok(());
    }
    round.note(format!("damaged: {key}: {:?}", damaged.as_ref().map(Vec::len)));
    round.target.set(&key, damaged.as_deref());
    let before = round.target.objects();
    let result = run_damaged(round, "rollback", None, &["--to", to["release"].as_str().unwrap_or_default()])?;
    let after = round.target.objects();
    round.target.set(&key, Some(&whole));
    match result.code {
        Some(0) => round.is_one_of(&to),
        Some(4) if after == before => Ok(()),
        code => Err(format!("a rollback with a damaged `{key}` ends with {code:?}: {}", result.output)),
    }
}

fn roll_back_after_kill(round: &mut Round) -> Result<(), String> {
    round.troubles.fetch_add(1, Ordering::Relaxed);
    let trouble = kill(round);
    round.run("rollback", None, &[], &trouble)?;
    round.run_without_files("unlock", &[])?;
    let status = round.status()?;
    let Some(half) = status["unfinished"].as_array().and_then(|all| all.last()?.as_str()) else {
        return Ok(());
    };
    let manifest = round.target.objects()[&format!("{STATE_PREFIX}releases/{half}.json")].body.clone();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    let result = round.run_without_files("rollback", &[])?;
    let status = round.status()?;
    let releases = status["releases"].as_array().cloned().unwrap_or_default();
    let live =
        releases.iter().find(|release| release["release"] == status["live"]).cloned().unwrap_or_default();
    if live["restores"] != manifest["restores"] {
        return Err(format!(
            "a second rollback completes {}, not {}: {}",
            live, manifest["restores"], result.output
        ));
    }
    round.is_one_of(&live)
}

/// Changes a record or manifest to the format of a newer version. Every command refuses it and changes nothing.
///
/// # Errors
/// If an invariant is violated.
pub fn versions(round: &mut Round) -> Result<(), String> {
    publish_some(round)?;
    let next = round.next()?;
    for _ in 0..round.rng.between(1, 3) {
        let status = round.status()?;
        let objects = round.target.objects();
        let last = objects.keys().filter(|key| key.starts_with(".sitegate/runs/")).max().unwrap().clone();
        let live = format!("{STATE_PREFIX}releases/{}.json", status["live"].as_str().unwrap_or_default());
        let key = round.rng.pick(&[last, live]);
        let whole = objects[&key].body.clone();
        let mut newer: Value = serde_json::from_slice(&whole).unwrap();
        newer["schema_version"] = round.rng.pick(&[2_u32, 3, 1 << 20, u32::MAX]).into();
        if round.rng.chance(50) {
            newer.as_object_mut().unwrap().retain(|name, _| name == "schema_version");
        }
        round.note(format!("newer: {key}"));
        round.target.set(&key, Some(newer.to_string().as_bytes()));
        let before = round.target.objects();
        for _ in 0..round.rng.between(1, 4) {
            let name = round.rng.pick(&["status", "publish", "rollback", "gc", "unlock", "repair"]);
            let sealed = (name == "publish").then_some(&next);
            let more: &[&str] = if name == "repair" { &["--apply"] } else { &[] };
            let result = run_damaged(round, name, sealed, more)?;
            if result.code != Some(2) || !result.output.contains("newer sitegate") {
                return Err(format!(
                    "with a newer `{key}`, {name} ends with {:?}: {}",
                    result.code, result.output
                ));
            }
            if round.target.objects() != before {
                return Err(format!("with a newer `{key}`, {name} changed something"));
            }
        }
        round.target.set(&key, Some(&whole));
    }
    round.complete(&next)?;
    round.roll_back()
}

/// Adds foreign names to the target state: they are ignored or named, and `repair` moves them aside.
///
/// # Errors
/// If an invariant is violated.
pub fn names(round: &mut Round) -> Result<(), String> {
    publish_some(round)?;
    let mut planted: Vec<String> =
        (0..round.rng.between(1, 4)).map(|_| format!("{STATE_PREFIX}{}", round.rng.pick(&FOREIGN))).collect();
    planted.sort();
    planted.dedup();
    for key in &planted {
        round.note(format!("foreign: {key}"));
        round.target.set(key, Some(b"theirs"));
    }
    let next = round.next()?;
    if let Some(folder) = round.target.served().filter(|_| round.rng.chance(50)) {
        let runs = round.target.objects().into_keys().filter(|key| key.starts_with(".sitegate/runs/0"));
        let number = |key: String| key[".sitegate/runs/".len()..].strip_suffix(".json")?.parse::<u64>().ok();
        let place = format!("{STATE_PREFIX}runs/{:010}.json", runs.filter_map(number).max().unwrap_or(0) + 1);
        fs::create_dir_all(folder.join(&place).join("sub")).unwrap();
        let before = round.target.objects();
        let result = run_damaged(round, "publish", Some(&next), &[])?;
        if result.code != Some(2)
            || !result.output.contains(&place)
            || !result.output.contains("sitegate target repair")
        {
            return Err(format!("with a folder at `{place}`: {:?}: {}", result.code, result.output));
        }
        invariants::assert_unchanged(&before, &round.target.objects())?;
        run_damaged(round, "repair", None, &["--apply"])?;
        if folder.join(&place).exists() {
            return Err(format!("repair left the folder `{place}` in its place"));
        }
        planted.clear();
    }
    for _ in 0..round.rng.between(1, 3) {
        let name = round.rng.pick(&["gc", "unlock", "status", "rollback"]);
        let result = run_damaged(round, name, None, &[])?;
        let nothing = name == "rollback" && result.code == Some(2) && result.output.contains("roll back to");
        if result.code != Some(0) && !nothing && !result.output.contains("no earlier release") {
            return Err(format!("with foreign names, {name} ends with {:?}: {}", result.code, result.output));
        }
    }
    round.complete(&next)?;
    let objects = round.target.objects();
    if let Some(gone) =
        planted.iter().find(|key| objects.get(*key).is_none_or(|there| there.body != b"theirs"))
    {
        return Err(format!("`{gone}`, which others put there, was changed"));
    }
    let result = run_damaged(round, "repair", None, &["--apply"])?;
    let objects = round.target.objects();
    for key in &planted {
        let aside = format!("{STATE_PREFIX}aside/{}", key[STATE_PREFIX.len()..].replace('/', "-"));
        if objects.contains_key(key) || objects.get(&aside).is_none_or(|there| there.body != b"theirs") {
            return Err(format!("repair did not move `{key}` aside: {}", result.output));
        }
    }
    let last = round.next()?;
    round.complete(&last)?;
    round.roll_back()
}
