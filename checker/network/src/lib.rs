//! Everything that needs TLS: external links, live sites, and buckets to publish to.
//!
//! One scheduler sends the requests for links and pages: each URL once, each host at its own pace, with retries, and
//! only to the public internet unless more is allowed. [`open_bucket`] opens a bucket as a
//! [`Store`](sitegate_publish::store::Store).

mod answer;
mod bucket;
mod cache;
mod client;
mod connector;
mod crawl;
mod crawler;
mod error;
mod external;
mod fetched;
mod inventories;
mod link_request;
mod live_visitor;
mod pace;
mod resolver;
mod scheduler;
mod settings;

pub use answer::Answer;
pub use bucket::open_bucket;
pub use cache::{Cache, Lifetimes};
pub use client::{GuardedClient, GuardedRequest, allowed_addresses, authorities, choose_cryptography};
pub use crawl::Crawl;
pub use crawler::{CrawlProgress, CrawlSettings};
pub use error::{NetworkError, RequestFailure};
pub use external::{Answers, CheckProgress, ExternalCheck, HostPlan, Sender, host_plans};
pub use inventories::{InventoryCache, fetch_inventories};
pub use live_visitor::LiveVisitors;
pub use resolver::{AllowedAddresses, HostResolver, HostSource};
pub use scheduler::{Reply, RequestOutcome, Scheduler};
pub use settings::{HostSettings, KNOWN_HOSTS, KnownHost, Settings};
