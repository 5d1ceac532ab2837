//! Rounds with malicious input: hostile exports, forged seals, and damaged or manipulated target state.

use std::fs;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::invariants::{self, STATE_PREFIX};
use super::program::{RunningProcess, Trouble};
use super::round::{Round, Sealed};

/// # Errors
/// If an invariant is violated.
pub fn round(round: &mut Round) -> Result<(), String> {
    let first = round.next()?;
    round.complete(&first)?;
    let second = round.next()?;
    round.complete(&second)?;
    let live = match round.rng.between(0, 2) {
        0 => publish_with_forged_seal(round, second)?,
        1 => publish_hostile_export(round, second)?,
        _ => run_with_damaged_state(round, second)?,
    };
    round.complete(&live)?;
    let last = round.next()?;
    round.complete(&last)?;
    round.roll_back()
}

/// A manipulated seal is rejected.
fn publish_with_forged_seal(round: &mut Round, live: Sealed) -> Result<Sealed, String> {
    for _ in 0..round.rng.between(1, 4) {
        let next = round.next()?;
        let file = next.site.path("seal.json");
        let mut seal: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let count = seal["files"].as_array().map_or(0, Vec::len);
        let at = round.rng.between(0, count - 1);
        let forged = match round.rng.between(0, 7) {
            0 => set(&mut seal, at, "sha256", "0".repeat(64).into()),
            1 => set(&mut seal, at, "size", 0.into()),
            2 => set(&mut seal, at, "path", ".sitegate/runs/0000000099.json".into()),
            3 => set(&mut seal, at, "path", "../../outside.html".into()),
            4 => {
                seal["files"].as_array_mut().unwrap().remove(at);
                seal.to_string()
            }
            5 => {
                seal["contract"] = "0".repeat(64).into();
                seal.to_string()
            }
            6 => "[".repeat(200_000),
            _ => seal.to_string()[..seal.to_string().len() / 2].to_owned(),
        };
        fs::write(&file, forged).unwrap();
        refused(round, &next, "a forged seal")?;
    }
    Ok(live)
}

fn set(seal: &mut Value, at: usize, field: &str, value: Value) -> String {
    seal["files"][at][field] = value;
    seal.to_string()
}

/// Asserts that publishing this changes nothing.
fn refused(round: &mut Round, sealed: &Sealed, what: &str) -> Result<(), String> {
    round.troubles.fetch_add(1, Ordering::Relaxed);
    let before = round.target.objects();
    let options = round.options();
    let result = round.run("publish", Some(sealed), &options, &Trouble::None)?;
    match result.code {
        Some(1 | 2) if round.target.objects() == before => Ok(()),
        code => Err(format!("{what} was met with {code:?}: {}", result.output)),
    }
}

/// Publishes malicious names and contents. They are rejected before anything is sent, or published unchanged.
fn publish_hostile_export(round: &mut Round, live: Sealed) -> Result<Sealed, String> {
    round.troubles.fetch_add(1, Ordering::Relaxed);
    let mut release = round.release();
    let page = release.files["index.html"].clone();
    let long = format!("{}/{}.html", "folder/".repeat(140), "x".repeat(60));
    let names = [
        ".sitegate/runs/0000000099.json",
        ".sitegate/kept/index.html",
        "delete\u{7f}.html",
        "line\nfeed.html",
        "page.html#1",
        "folder#2/index.html",
        "\u{202e}lmth.x.html",
        " .html",
        "-rf.html",
        "..html",
        "%2e%2e/index.html",
        "back\\slash.html",
        "index.html.br",
        long.as_str(),
    ];
    let name = round.rng.pick(&names);
    release.files.insert(name.to_owned(), page);
    if round.rng.chance(40) {
        let bomb = match round.rng.between(0, 3) {
            0 => "<div>".repeat(50_000),
            1 => format!("<p{}>", " id=x".repeat(20_000)),
            2 => format!("<svg>{}</svg>", "<g>".repeat(10_000)),
            _ => "<!doctype html>\0\u{feff}<p title='".to_owned(),
        };
        release.files.insert("bomb.html".to_owned(), bomb.into_bytes());
    }
    let name = name.replace(|letter: char| letter.is_control(), "?");
    // An export that fails the check is never published.
    let sealed = match round.seal(release) {
        Ok(sealed) => sealed,
        Err(refused) if refused.contains("did not pass") => {
            round.note(refused);
            return Ok(live);
        }
        Err(wrong) => return Err(wrong),
    };
    if name.starts_with(STATE_PREFIX) {
        refused(round, &sealed, "an export with files of the target state")?;
        return Ok(live);
    }
    let options = round.options();
    let before = round.target.objects();
    let result = round.run("publish", Some(&sealed), &options, &Trouble::None)?;
    match result.code {
        Some(0) => round.is_live(&sealed.release).map(|()| sealed),
        Some(1 | 2 | 4) if round.target.objects() == before => Ok(live),
        code => Err(format!(
            "an export with `{name}` is not refused before anything is sent: {code:?}: {}",
            result.output
        )),
    }
}

/// Damages the target state: no command panics, and failed commands change nothing. When the state is restored, all
/// commands work.
fn run_with_damaged_state(round: &mut Round, live: Sealed) -> Result<Sealed, String> {
    round.troubles.fetch_add(1, Ordering::Relaxed);
    let objects = round.target.objects();
    let parts: Vec<&String> =
        objects.keys().filter(|key| key.starts_with(STATE_PREFIX) && !key.contains("/kept/")).collect();
    let key = if round.rng.chance(50) {
        (*parts.iter().filter(|key| key.contains("/runs/")).max().unwrap_or(&parts[0])).clone()
    } else {
        (round.rng.pick(&parts)).clone()
    };
    let whole = objects[&key].body.clone();
    let damaged = match round.rng.between(0, 6) {
        0 => Some(Vec::new()),
        1 => Some(whole[..whole.len() / 2].to_vec()),
        2 => Some(b"null".to_vec()),
        3 => Some(vec![0xff; whole.len()]),
        4 => Some([b"[".repeat(100_000), whole.clone()].concat()),
        5 => Some(String::from_utf8_lossy(&whole).replace(":1,", ":18446744073709551615,").into_bytes()),
        _ => None,
    };
    round.note(format!("damaged: {key}: {:?}", damaged.as_ref().map(std::vec::Vec::len)));
    round.target.set(&key, damaged.as_deref());
    let stray = round.rng.chance(30).then(|| {
        let number = round.rng.pick(&["18446744073709551615", "00000x", "-1", "0000000001 "]);
        format!("{STATE_PREFIX}runs/{number}.json")
    });
    if let Some(stray) = &stray {
        round.note(format!("a stray record: {stray}"));
        round.target.set(stray, Some(&whole));
    }
    let next = round.next()?;
    let mut went_through = false;
    for _ in 0..round.rng.between(2, 4) {
        let name = round.rng.pick(&["status", "gc", "unlock", "rollback", "publish"]);
        let sealed = (name == "publish").then_some(&next);
        let running: RunningProcess = round.start(name, sealed, &[], &Trouble::None);
        let result = running.end()?;
        round.note(format!("{name} -> {:?}\n    {}", result.code, result.output));
        let after = round.objects_at_rest()?;
        went_through |= result.code == Some(0) && name != "status";
        if !matches!(result.code, Some(0 | 2..=6)) {
            return Err(format!(
                "with `{key}` damaged, {name} ends with {:?}: {}",
                result.code, result.output
            ));
        }
        if result.code != Some(0) && !went_through {
            invariants::assert_unchanged(&objects, &after)
                .map_err(|wrong| format!("{name} fails, but {wrong}"))?;
        }
    }
    if let Some(stray) = &stray {
        round.target.set(stray, None);
    }
    repair_state(round, &key, &whole, went_through)?;
    if !went_through && round.target.objects() == objects {
        return Ok(live);
    }
    // The recorded live release may differ from the actual files. The options that the guards name repair that.
    let more = ["--overwrite-drift", "--adopt"].map(str::to_owned);
    let result = round.run("publish", Some(&next), &more, &Trouble::None)?;
    match result.code {
        Some(0) => Ok(next),
        code => {
            Err(format!("`{key}` was damaged, and nothing can be published: {code:?}: {}", result.output))
        }
    }
}

/// Repairs the state with `sitegate target repair`, or restores it directly.
fn repair_state(round: &mut Round, key: &str, whole: &[u8], went_through: bool) -> Result<(), String> {
    let is_there = round.target.objects().contains_key(key);
    if round.rng.chance(60) || went_through && is_there {
        let before = round.target.objects();
        round.run_without_files("repair", &[])?;
        if round.target.objects() != before {
            return Err("a repair without --apply changed something".to_owned());
        }
        let apply = ["--apply".to_owned()];
        let mut result = round.run("repair", None, &apply, &Trouble::None)?;
        if result.code == Some(5)
            && result.output.contains("sitegate target unlock")
            && round.target.server().is_some()
        {
            // It may be the record of a running publisher.
            round.run_without_files("unlock", &[])?;
            result = round.run("repair", None, &apply, &Trouble::None)?;
        }
        match result.code {
            Some(0) => {
                // Files that only the lost part listed are foreign now.
                round.has_leftovers = true;
                return Ok(());
            }
            code => return Err(format!("repair ends with {code:?}: {}", result.output)),
        }
    }
    round.target.set(key, Some(whole));
    Ok(())
}
