//! Rounds with input that means harm: hostile exports, forged seals, a memory that was damaged or tampered with.

use std::fs;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::judge::{self, MEMORY};
use super::program::{Running, Trouble};
use super::round::{Round, Sealed};

/// # Errors
/// What is wrong.
pub fn round(round: &mut Round) -> Result<(), String> {
    let first = round.next()?;
    round.complete(&first)?;
    let second = round.next()?;
    round.complete(&second)?;
    let live = match round.dice.between(0, 2) {
        0 => forged_seal(round, second)?,
        1 => hostile_export(round, second)?,
        _ => damaged_memory(round, second)?,
    };
    round.complete(&live)?;
    let last = round.next()?;
    round.complete(&last)?;
    round.go_back()
}

/// A seal that somebody edited lets nothing through.
fn forged_seal(round: &mut Round, live: Sealed) -> Result<Sealed, String> {
    for _ in 0..round.dice.between(1, 4) {
        let next = round.next()?;
        let file = next.site.path("seal.json");
        let mut seal: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let count = seal["files"].as_array().map_or(0, Vec::len);
        let at = round.dice.between(0, count - 1);
        let forged = match round.dice.between(0, 7) {
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

/// Publishing this must change nothing at all.
fn refused(round: &mut Round, sealed: &Sealed, what: &str) -> Result<(), String> {
    round.troubles.fetch_add(1, Ordering::Relaxed);
    let before = round.place.objects();
    let options = round.options();
    let ran = round.run("publish", Some(sealed), &options, &Trouble::None)?;
    match ran.code {
        Some(1 | 2) if round.place.objects() == before => Ok(()),
        code => Err(format!("{what} was met with {code:?}: {}", ran.said)),
    }
}

/// Names and contents that nobody publishes in good faith: they are refused before anything is sent, or they go live
/// like any other.
fn hostile_export(round: &mut Round, live: Sealed) -> Result<Sealed, String> {
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
    let name = round.dice.pick(&names);
    release.files.insert(name.to_owned(), page);
    if round.dice.chance(40) {
        let bomb = match round.dice.between(0, 3) {
            0 => "<div>".repeat(50_000),
            1 => format!("<p{}>", " id=x".repeat(20_000)),
            2 => format!("<svg>{}</svg>", "<g>".repeat(10_000)),
            _ => "<!doctype html>\0\u{feff}<p title='".to_owned(),
        };
        release.files.insert("bomb.html".to_owned(), bomb.into_bytes());
    }
    let name = name.replace(|letter: char| letter.is_control(), "?");
    // An export that does not pass the check is never published.
    let sealed = match round.seal(release) {
        Ok(sealed) => sealed,
        Err(refused) if refused.contains("did not pass") => {
            round.note(refused);
            return Ok(live);
        }
        Err(wrong) => return Err(wrong),
    };
    if name.starts_with(MEMORY) {
        refused(round, &sealed, "an export that holds what the target remembers")?;
        return Ok(live);
    }
    let options = round.options();
    let before = round.place.objects();
    let ran = round.run("publish", Some(&sealed), &options, &Trouble::None)?;
    match ran.code {
        Some(0) => round.is_live(&sealed.release).map(|()| sealed),
        Some(1 | 2 | 4) if round.place.objects() == before => Ok(live),
        code => Err(format!(
            "an export with `{name}` is not refused before anything is sent: {code:?}: {}",
            ran.said
        )),
    }
}

/// What the target remembers is damaged: no command panics, none that fails changes anything, and when it is as it was,
/// all is well.
fn damaged_memory(round: &mut Round, live: Sealed) -> Result<Sealed, String> {
    round.troubles.fetch_add(1, Ordering::Relaxed);
    let objects = round.place.objects();
    let parts: Vec<&String> =
        objects.keys().filter(|key| key.starts_with(MEMORY) && !key.contains("/kept/")).collect();
    let key = if round.dice.chance(50) {
        (*parts.iter().filter(|key| key.contains("/runs/")).max().unwrap_or(&parts[0])).clone()
    } else {
        (round.dice.pick(&parts)).clone()
    };
    let whole = objects[&key].body.clone();
    let damaged = match round.dice.between(0, 6) {
        0 => Some(Vec::new()),
        1 => Some(whole[..whole.len() / 2].to_vec()),
        2 => Some(b"null".to_vec()),
        3 => Some(vec![0xff; whole.len()]),
        4 => Some([b"[".repeat(100_000), whole.clone()].concat()),
        5 => Some(String::from_utf8_lossy(&whole).replace(":1,", ":18446744073709551615,").into_bytes()),
        _ => None,
    };
    round.note(format!("damaged: {key}: {:?}", damaged.as_ref().map(std::vec::Vec::len)));
    round.place.set(&key, damaged.as_deref());
    let stray = round.dice.chance(30).then(|| {
        let number = round.dice.pick(&["18446744073709551615", "00000x", "-1", "0000000001 "]);
        format!("{MEMORY}runs/{number}.json")
    });
    if let Some(stray) = &stray {
        round.note(format!("a stray record: {stray}"));
        round.place.set(stray, Some(&whole));
    }
    let next = round.next()?;
    let mut went_through = false;
    for _ in 0..round.dice.between(2, 4) {
        let name = round.dice.pick(&["status", "gc", "unlock", "rollback", "publish"]);
        let sealed = (name == "publish").then_some(&next);
        let running: Running = round.start(name, sealed, &[], &Trouble::None);
        let ran = running.end()?;
        round.note(format!("{name} -> {:?}\n    {}", ran.code, ran.said));
        let after = round.at_rest()?;
        went_through |= ran.code == Some(0) && name != "status";
        if !matches!(ran.code, Some(0 | 2..=6)) {
            return Err(format!("with `{key}` damaged, {name} ends with {:?}: {}", ran.code, ran.said));
        }
        if ran.code != Some(0) && !went_through {
            judge::unchanged(&objects, &after).map_err(|wrong| format!("{name} fails, but {wrong}"))?;
        }
    }
    if let Some(stray) = &stray {
        round.place.set(stray, None);
    }
    mended(round, &key, &whole, went_through)?;
    if !went_through && round.place.objects() == objects {
        return Ok(live);
    }
    // What is said to be live may not be what is there: by the options that the guards name it is put in place.
    let more = ["--overwrite-drift", "--adopt"].map(str::to_owned);
    let ran = round.run("publish", Some(&next), &more, &Trouble::None)?;
    match ran.code {
        Some(0) => Ok(next),
        code => Err(format!("`{key}` was damaged, and nothing can be published: {code:?}: {}", ran.said)),
    }
}

/// Mends what was damaged: by `sitegate repair`, or by hand.
fn mended(round: &mut Round, key: &str, whole: &[u8], went_through: bool) -> Result<(), String> {
    let is_there = round.place.objects().contains_key(key);
    if round.dice.chance(60) || went_through && is_there {
        let before = round.place.objects();
        round.away("repair", &[])?;
        if round.place.objects() != before {
            return Err("a repair without --apply changed something".to_owned());
        }
        let apply = ["--apply".to_owned()];
        let mut ran = round.run("repair", None, &apply, &Trouble::None)?;
        if ran.code == Some(5) && ran.said.contains("sitegate unlock") && round.place.server().is_some() {
            // It may be the record of one who is at work.
            round.away("unlock", &[])?;
            ran = round.run("repair", None, &apply, &Trouble::None)?;
        }
        match ran.code {
            Some(0) => {
                // What only the lost part knew of belongs to nobody now.
                round.has_leftovers = true;
                return Ok(());
            }
            code => return Err(format!("repair ends with {code:?}: {}", ran.said)),
        }
    }
    round.place.set(key, Some(whole));
    Ok(())
}
