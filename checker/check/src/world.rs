//! What other hosts say of what the export refers to. A check hands addresses over while it reads and asks for the answers when it
//! has read all; whoever gives them speaks to the network, the check itself never does.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use url::Url;

/// Who asks other hosts.
pub trait World: Sync {
    /// Takes an address, with its fragment; called by all threads, and possibly more than once for an address. Says whether it will be
    /// answered: what is left out by choice will not.
    fn take(&self, url: &Url) -> bool;

    /// The answers, by addresses without fragments, once all addresses were handed over.
    fn answers(&self) -> HashMap<String, Answer>;
}

/// What the world says of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorldVerdict {
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
pub struct Answer {
    /// What is said of the address.
    pub verdict: WorldVerdict,
    /// The fragments that were asked for and that its page does not have.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub missing: BTreeSet<String>,
    /// The fragments that were asked for and that its page has, or that cannot be told.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub present: BTreeSet<String>,
}

impl Answer {
    /// Whether it is there, wherever.
    pub fn is_there(&self) -> bool {
        matches!(self.verdict, WorldVerdict::There | WorldVerdict::Moved(_))
    }
}
