//! Asks other hosts whether what a site links to is there. A check hands over addresses while it reads, and gets the answers
//! when it has read all: each address is asked for once, each host at its own pace, what may pass again, and nothing that is
//! not on the public internet, unless allowed. And fetches a site that somebody names, page after page.

mod address;
mod asker;
mod asking;
mod cache;
mod certificate;
mod client;
mod crawl;
mod crawler;
mod entry;
mod exchange;
mod failure;
mod fetched;
mod pace;
mod politeness;
mod profiles;
mod progress;
mod resolver;
mod robots;
mod settings;

pub use address::AllowedAddresses;
pub use asker::Answers;
pub use asking::{Asking, Sender};
pub use cache::{Cache, Lifetimes};
pub use client::{authorities, choose_cryptography, client_builder};
pub use crawl::Crawl;
pub use crawler::{CrawlSettings, CrawlSnapshot};
pub use politeness::{HostPlan, host_plans};
pub use profiles::{KNOWN_HOSTS, KnownHost};
pub use progress::Snapshot;
pub use resolver::HostResolver;
pub use settings::{HostSettings, Settings};
