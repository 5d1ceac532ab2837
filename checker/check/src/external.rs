//! What other hosts say of what the export refers to. A check hands addresses over while it reads and asks for the answers when it
//! has read all; whoever gives them speaks to the network, the check itself never does.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

/// Who asks other hosts.
pub trait ExternalLinks: Sync {
    /// Takes an address, with its fragment; called by all threads, and possibly more than once for an address. Says whether it will be
    /// answered: what is left out by choice will not.
    fn take(&self, url: &Url) -> bool;

    /// The answers, once all addresses were handed over.
    fn answers(&self) -> ExternalAnswers;
}

/// What the world said, and how long it took.
#[derive(Clone, Debug, Default)]
pub struct ExternalAnswers {
    /// By addresses without fragments.
    pub by_url: HashMap<String, ExternalAnswer>,
    /// The hosts that were asked now.
    pub hosts: Vec<HostTime>,
    /// Addresses that were known from earlier, and not asked for.
    pub known: usize,
    /// From the first address that was handed over to the last answer.
    pub took: Duration,
    /// Whether somebody wanted to stop before all had answered.
    pub is_stopped: bool,
}

/// What it took to ask a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostTime {
    /// Its name, with its port where that is an unusual one.
    pub name: String,
    /// Requests that were sent to it.
    pub requests: usize,
    /// Requests at once, at most.
    pub at_once: usize,
    /// From its first request to its last answer.
    pub wall: Duration,
}

/// What all hosts said together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalSummary {
    /// Host by host: those that most links lead to first.
    pub hosts: Vec<HostTally>,
    /// Addresses that were known from earlier, and not asked for.
    pub known: usize,
    /// From the first address that was handed over to the last answer.
    pub took: Duration,
    /// Whether somebody wanted to stop before all had answered.
    pub is_stopped: bool,
}

/// What was said of the addresses on one host, each counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostTally {
    /// What asking it took; no request where all was known, or only redirects led elsewhere.
    pub time: HostTime,
    /// References that lead there.
    pub links: usize,
    /// Addresses that these name, without their fragments.
    pub addresses: usize,
    /// Those that are there.
    pub there: usize,
    /// Those that have moved for good.
    pub moved: usize,
    /// Those that are not there.
    pub broken: usize,
    /// Those of which nobody can tell.
    pub unverified: usize,
}

impl ExternalSummary {
    /// All hosts together.
    pub fn all(&self) -> HostTally {
        let mut all = HostTally::default();
        for host in &self.hosts {
            all.time.requests += host.time.requests;
            all.links += host.links;
            all.addresses += host.addresses;
            all.there += host.there;
            all.moved += host.moved;
            all.broken += host.broken;
            all.unverified += host.unverified;
        }
        all
    }
}

impl HostTally {
    /// Takes in what is said of one more address.
    pub(crate) fn count(&mut self, verdict: &ExternalVerdict) {
        self.addresses += 1;
        *match verdict {
            ExternalVerdict::There => &mut self.there,
            ExternalVerdict::Moved(_) => &mut self.moved,
            ExternalVerdict::Broken(_) => &mut self.broken,
            ExternalVerdict::Unverified(_) => &mut self.unverified,
        } += 1;
    }
}

/// A host as it is asked and told: its name, with its port where that is an unusual one.
pub fn host_of(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    }
}

/// What the world says of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExternalVerdict {
    /// It is there, or leads there for now.
    There,
    /// It has moved for good, to this address.
    Moved(String),
    /// It is not there, for this reason.
    Broken(String),
    /// Nobody can tell from here, for this reason.
    Unverified(String),
}

/// What the world says of an address and of places within it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalAnswer {
    /// What is said of the address.
    pub verdict: ExternalVerdict,
    /// The fragments that were asked for and that its page does not have.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub missing: BTreeSet<String>,
    /// The fragments that were asked for and that its page has, or that cannot be told.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub present: BTreeSet<String>,
}

impl ExternalAnswer {
    /// Whether it is there, wherever.
    pub fn is_there(&self) -> bool {
        matches!(self.verdict, ExternalVerdict::There | ExternalVerdict::Moved(_))
    }
}
