//! The campaign: the program at work for a while, under kills, faults, races, sleepers, wrong clocks and bombs, at random
//! from a seed; after every step an independent judge says whether publishing kept its word.
//!
//! `cargo test` runs a short one. `lab/campaign/run` runs longer ones, by these variables: `SITEGATE_CAMPAIGN_SECONDS`,
//! _SEED, _ROUND (only this one), _ONLY (kinds), _STORE (stores), _JOBS (rounds at once).

#![allow(clippy::print_stderr)]
#![cfg(unix)]

mod bombs;
mod clocks;
mod dice;
mod faults;
mod judge;
mod kills;
mod place;
mod program;
mod races;
mod release;
mod round;
mod sleepers;
mod table;
mod visitor;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::sample;
use dice::Dice;
use place::Store;
use round::Round;
use table::{Kind, Table};

/// The seed of the short campaign.
const SEED: u64 = 12;
/// Its length, of which a sample has a part.
const SECONDS: usize = 25;
/// How often a longer one prints how it stands.
const MINUTE: Duration = Duration::from_mins(1);

/// What is to be run.
struct Orders {
    seed: u64,
    seconds: u64,
    /// Only this round.
    round: Option<u64>,
    kinds: Vec<Kind>,
    stores: Vec<Store>,
    jobs: usize,
}

impl Orders {
    fn from_environment() -> Orders {
        let given = |name: &str| {
            std::env::var(format!("SITEGATE_CAMPAIGN_{name}")).ok().filter(|text| !text.is_empty())
        };
        let number = |name: &str| {
            given(name).map(|text| text.parse::<u64>().unwrap_or_else(|_| panic!("{name}: {text}")))
        };
        let kinds = given("ONLY").map_or(Kind::ALL.to_vec(), |names| {
            names.split(',').map(|name| named(&Kind::ALL, Kind::name, name)).collect()
        });
        let stores = given("STORE").map_or(vec![Store::Memory, Store::Folder], |names| {
            names.split(',').map(|name| named(&Store::ALL, Store::name, name)).collect()
        });
        Orders {
            seed: number("SEED").unwrap_or(SEED),
            seconds: number("SECONDS").unwrap_or_else(|| sample::rounds(SECONDS) as u64),
            round: number("ROUND"),
            kinds: kinds.into_iter().filter(|kind| kind.can_run()).collect(),
            stores,
            jobs: number("JOBS").unwrap_or(4) as usize,
        }
    }

    /// What a round is about: each kind at each store in turn.
    fn of_round(&self, number: u64) -> (Kind, Store) {
        let kinds = self.kinds.len() as u64;
        let store = self.stores[((number / kinds) % self.stores.len() as u64) as usize];
        (self.kinds[(number % kinds) as usize], store)
    }

    /// How to see a round again.
    fn again(&self, number: u64) -> String {
        let (kind, store) = self.of_round(number);
        let (kind, store) = (kind.name(), store.name());
        format!("lab/campaign/run --seed {} --round {number} --only {kind} --store {store}", self.seed)
    }
}

fn named<T: Copy>(all: &[T], name_of: fn(T) -> &'static str, name: &str) -> T {
    let names: Vec<&str> = all.iter().map(|&one| name_of(one)).collect();
    match names.iter().position(|&known| known == name) {
        Some(at) => all[at],
        None => panic!("`{name}` is none of {}", names.join(", ")),
    }
}

/// Runs one round to its end, and says what was wrong with it.
fn one(orders: &Orders, number: u64, table: &Mutex<Table>) -> Option<String> {
    let (kind, store) = orders.of_round(number);
    let mut round = Round::new(store, Dice::of_round(orders.seed, number));
    let ended = kind.run(&mut round).and_then(|()| round.end());
    let troubles = round.troubles.load(Ordering::Relaxed);
    table.lock().unwrap().add(kind, store, troubles, round.runs.load(Ordering::Relaxed), ended.is_ok());
    let wrong = ended.err()?;
    let folder = keep(&round, orders.seed, number);
    let steps = round.steps().join("\n  ");
    let (kind, store) = (kind.name(), store.name());
    Some(format!(
        "round {number} ({kind}, {store}): {wrong}\n  {steps}\n  what is there: {}\n  again: {}\n",
        folder.display(),
        orders.again(number)
    ))
}

/// Keeps what is at the target of a round, for a look.
fn keep(round: &Round, seed: u64, number: u64) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("campaign-{seed}-{number}"));
    let _ = fs::remove_dir_all(&folder);
    for (key, stored) in round.place.objects() {
        // A key may be a folder of others, too.
        let name: String =
            percent_encoding::utf8_percent_encode(&key, percent_encoding::NON_ALPHANUMERIC).to_string();
        fs::create_dir_all(&folder).unwrap();
        let _ = fs::write(folder.join(&name[..name.len().min(200)]), &stored.body);
    }
    folder
}

#[test]
fn the_campaign() {
    let orders = Orders::from_environment();
    let (start, table, next) = (Instant::now(), Mutex::new(Table::default()), AtomicU64::new(0));
    let (sender, wrongs) = mpsc::channel();
    let mut wrong = Vec::new();
    if let Some(number) = orders.round {
        wrong.extend(one(&orders, number, &table));
    } else {
        let work = |sender: mpsc::Sender<String>| {
            while start.elapsed() < Duration::from_secs(orders.seconds) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if let Some(wrong) = one(&orders, number, &table) {
                    let _ = sender.send(wrong);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..orders.jobs {
                let sender = sender.clone();
                scope.spawn(|| work(sender));
            }
            drop(sender);
            loop {
                match wrongs.recv_timeout(MINUTE) {
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
    eprintln!("seed {}, {} s\n{}", orders.seed, start.elapsed().as_secs(), table.lock().unwrap());
    assert!(wrong.is_empty(), "{} rounds went wrong:\n{}", wrong.len(), wrong.join("\n"));
}
