//! The campaign: random publishing with kills, faults, races, suspended publishers, wrong clocks and malicious input,
//! reproducible from a seed. After every step, it checks the invariants independently of the program.
//!
//! `cargo test` runs a short campaign. `lab/campaign/run` runs longer ones, with these variables:
//! `SITEGATE_CAMPAIGN_SECONDS`, _SEED, _ROUND (only this one), _ONLY (kinds), _STORE (stores), _JOBS (concurrent rounds).

#![allow(clippy::print_stderr)]
#![cfg(unix)]

mod bombs;
mod claims;
mod clocks;
mod faults;
mod full_disk;
mod invariants;
mod kills;
mod planted;
mod program;
mod races;
mod release;
mod rng;
mod round;
mod sleepers;
mod state;
mod table;
pub mod target;
mod visitor;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::sample;
use rng::Rng;
use round::Round;
use table::{Kind, Table};
use target::Store;

/// The seed of the short campaign.
const SEED: u64 = 12;
/// Duration of the short campaign. A sample takes a part of it.
const SECONDS: usize = 25;
/// Time between progress reports of a longer campaign.
const REPORT_INTERVAL: Duration = Duration::from_mins(1);

/// Options of the campaign.
struct CampaignOptions {
    seed: u64,
    seconds: u64,
    /// The only round to run.
    round: Option<u64>,
    kinds: Vec<Kind>,
    stores: Vec<Store>,
    jobs: usize,
}

impl CampaignOptions {
    fn from_environment() -> CampaignOptions {
        let given = |name: &str| {
            std::env::var(format!("SITEGATE_CAMPAIGN_{name}")).ok().filter(|text| !text.is_empty())
        };
        let number = |name: &str| {
            given(name).map(|text| text.parse::<u64>().unwrap_or_else(|_| panic!("{name}: {text}")))
        };
        let kinds = given("ONLY").map_or(Kind::ALL.to_vec(), |names| {
            names.split(',').map(|name| find_by_name(&Kind::ALL, Kind::name, name)).collect()
        });
        let stores = given("STORE").map_or(vec![Store::Memory, Store::Folder], |names| {
            names.split(',').map(|name| find_by_name(&Store::ALL, Store::name, name)).collect()
        });
        CampaignOptions {
            seed: number("SEED").unwrap_or(SEED),
            seconds: number("SECONDS").unwrap_or_else(|| sample::rounds(SECONDS) as u64),
            round: number("ROUND"),
            kinds: kinds.into_iter().filter(|kind| kind.can_run(&stores)).collect(),
            stores,
            jobs: number("JOBS").unwrap_or(4) as usize,
        }
    }

    /// Returns the kind and the store of a round, in rotation.
    fn for_round(&self, number: u64) -> (Kind, Store) {
        let kinds = self.kinds.len() as u64;
        let store = self.stores[((number / kinds) % self.stores.len() as u64) as usize];
        let kind = self.kinds[(number % kinds) as usize];
        (kind, if kind.is_for_folders() { Store::Folder } else { store })
    }

    /// Returns the command that repeats a round.
    fn repeat_command(&self, number: u64) -> String {
        let (kind, store) = self.for_round(number);
        let (kind, store) = (kind.name(), store.name());
        format!("lab/campaign/run --seed {} --round {number} --only {kind} --store {store}", self.seed)
    }
}

fn find_by_name<T: Copy>(all: &[T], name_of: fn(T) -> &'static str, name: &str) -> T {
    let names: Vec<&str> = all.iter().map(|&one| name_of(one)).collect();
    match names.iter().position(|&allowed| allowed == name) {
        Some(at) => all[at],
        None => panic!("`{name}` is none of {}", names.join(", ")),
    }
}

/// Runs one round, and returns the violation, if any.
fn run_one(options: &CampaignOptions, number: u64, table: &Mutex<Table>) -> Option<String> {
    let (kind, store) = options.for_round(number);
    let mut round = Round::new(store, Rng::for_round(options.seed, number));
    let ended = kind.run(&mut round).and_then(|()| round.end());
    let troubles = round.troubles.load(Ordering::Relaxed);
    table.lock().unwrap().add(kind, store, troubles, round.runs.load(Ordering::Relaxed), ended.is_ok());
    let wrong = ended.err()?;
    let folder = save_target(&round, options.seed, number);
    let steps = round.steps().join("\n  ");
    let (kind, store) = (kind.name(), store.name());
    Some(format!(
        "round {number} ({kind}, {store}): {wrong}\n  {steps}\n  target: {}\n  again: {}\n",
        folder.display(),
        options.repeat_command(number)
    ))
}

/// Saves the content of the target, for debugging.
fn save_target(round: &Round, seed: u64, number: u64) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("campaign-{seed}-{number}"));
    let _ = fs::remove_dir_all(&folder);
    for (key, stored) in round.target.objects() {
        // A key may also be a folder of other keys.
        let name: String =
            percent_encoding::utf8_percent_encode(&key, percent_encoding::NON_ALPHANUMERIC).to_string();
        fs::create_dir_all(&folder).unwrap();
        let _ = fs::write(folder.join(&name[..name.len().min(200)]), &stored.body);
    }
    folder
}

#[test]
fn campaign() {
    let options = CampaignOptions::from_environment();
    let (start, table, next) = (Instant::now(), Mutex::new(Table::default()), AtomicU64::new(0));
    let (sender, wrongs) = mpsc::channel();
    let mut wrong = Vec::new();
    if let Some(number) = options.round {
        wrong.extend(run_one(&options, number, &table));
    } else {
        let work = |sender: mpsc::Sender<String>| {
            while start.elapsed() < Duration::from_secs(options.seconds) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if let Some(wrong) = run_one(&options, number, &table) {
                    let _ = sender.send(wrong);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..options.jobs {
                let sender = sender.clone();
                scope.spawn(|| work(sender));
            }
            drop(sender);
            loop {
                match wrongs.recv_timeout(REPORT_INTERVAL) {
                    Ok(found) => {
                        eprintln!("{found}");
                        wrong.push(found);
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => eprintln!("{}", table.lock().unwrap()),
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
            }
        });
    }
    eprintln!("seed {}, {} s\n{}", options.seed, start.elapsed().as_secs(), table.lock().unwrap());
    assert!(wrong.is_empty(), "{} rounds went wrong:\n{}", wrong.len(), wrong.join("\n"));
}
