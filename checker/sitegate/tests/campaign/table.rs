//! The kinds of rounds, and the table of their results.

use std::collections::BTreeMap;
use std::fmt;

use super::round::Round;
use super::target::Store;
use super::{bombs, claims, clocks, faults, full_disk, kills, planted, races, sleepers, state};

/// A kind of round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Kills,
    Faults,
    Races,
    Sleepers,
    Clocks,
    Bombs,
    Claims,
    Backups,
    Versions,
    Names,
    Links,
    SpecialFiles,
    FullDisk,
}

impl Kind {
    pub const ALL: [Kind; 13] = [
        Kind::Kills,
        Kind::Faults,
        Kind::Races,
        Kind::Sleepers,
        Kind::Clocks,
        Kind::Bombs,
        Kind::Claims,
        Kind::Backups,
        Kind::Versions,
        Kind::Names,
        Kind::Links,
        Kind::SpecialFiles,
        Kind::FullDisk,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Kills => "kills",
            Kind::Faults => "faults",
            Kind::Races => "races",
            Kind::Sleepers => "sleepers",
            Kind::Clocks => "clocks",
            Kind::Bombs => "bombs",
            Kind::Claims => "claims",
            Kind::Backups => "backups",
            Kind::Versions => "versions",
            Kind::Names => "names",
            Kind::Links => "links",
            Kind::SpecialFiles => "special",
            Kind::FullDisk => "full-disk",
        }
    }

    /// Whether it is only for folders.
    pub fn is_for_folders(self) -> bool {
        matches!(self, Kind::Links | Kind::SpecialFiles | Kind::FullDisk)
    }

    /// Whether the required programs are installed, and the required store is among these.
    pub fn can_run(self, stores: &[Store]) -> bool {
        match self {
            Kind::Clocks => clocks::can_run(),
            _ if self.is_for_folders() && !stores.contains(&Store::Folder) => false,
            Kind::FullDisk => full_disk::can_run(),
            _ => true,
        }
    }

    pub fn run(self, round: &mut Round) -> Result<(), String> {
        match self {
            Kind::Kills => kills::round(round),
            Kind::Faults => faults::round(round),
            Kind::Races => races::round(round),
            Kind::Sleepers => sleepers::round(round),
            Kind::Clocks => clocks::round(round),
            Kind::Bombs => bombs::round(round),
            Kind::Claims => claims::round(round),
            Kind::Backups => state::backups(round),
            Kind::Versions => state::versions(round),
            Kind::Names => state::names(round),
            Kind::Links => planted::round_with_links(round),
            Kind::SpecialFiles => planted::round_with_special_files(round),
            Kind::FullDisk => full_disk::round(round),
        }
    }
}

#[derive(Default)]
struct TableRow {
    rounds: usize,
    troubles: usize,
    runs: usize,
    right: usize,
}

/// The number of rounds of each kind at each store, and of those without violations.
#[derive(Default)]
pub struct Table(BTreeMap<(Kind, Store), TableRow>);

impl Table {
    pub fn add(&mut self, kind: Kind, store: Store, troubles: usize, runs: usize, is_right: bool) {
        let line = self.0.entry((kind, store)).or_default();
        line.rounds += 1;
        line.troubles += troubles;
        line.runs += runs;
        line.right += usize::from(is_right);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | store | rounds | troubles | runs | right |\n|---|---|---:|---:|---:|---:|")?;
        for ((kind, store), line) in &self.0 {
            let TableRow { rounds, troubles, runs, right } = line;
            writeln!(f, "| {} | {} | {rounds} | {troubles} | {runs} | {right} |", kind.name(), store.name())?;
        }
        Ok(())
    }
}
