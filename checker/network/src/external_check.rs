//! Runs a check of external links on a thread of its own, while the links are still being collected. Plans its
//! requests without sending them: by host, with the least time that they take.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use sitegate_base::host_name::host_of;
use sitegate_check::{ExternalAnswer, is_checkable_fragment};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use url::Url;

use crate::client::{GuardedClient, runtime};
use crate::error::NetworkError;
use crate::external::{Answers, CheckProgress, Link, LinkRequests};
use crate::pace::min_time;
use crate::settings::Settings;

/// A running check of external links.
#[derive(Debug)]
pub struct ExternalCheck {
    runtime: Runtime,
    sender: Sender,
    stop: watch::Sender<bool>,
    progress: watch::Receiver<CheckProgress>,
    answers: JoinHandle<Answers>,
}

/// Adds links to a check, from any thread.
#[derive(Clone, Debug)]
pub struct Sender(mpsc::UnboundedSender<Link>);

impl ExternalCheck {
    /// Starts a check. `cached` are answers that still hold, by URLs without fragments.
    ///
    /// # Errors
    /// [`NetworkError::Client`] or [`NetworkError::Thread`].
    pub fn start(
        settings: Settings,
        cached: HashMap<String, ExternalAnswer>,
    ) -> Result<ExternalCheck, NetworkError> {
        let settings = Arc::new(settings);
        let client = GuardedClient::new(&settings)?;
        let runtime = runtime(1)?;
        let (sender, links) = mpsc::unbounded_channel();
        let (stop, stopped) = watch::channel(false);
        let (snapshots, progress) = watch::channel(CheckProgress::default());
        let check = LinkRequests::new(client, settings, cached, snapshots);
        let answers = runtime.spawn(check.run(links, stopped));
        Ok(ExternalCheck { runtime, sender: Sender(sender), stop, progress, answers })
    }

    /// Returns a sender. [`ExternalCheck::finish`] waits until all of them are dropped.
    pub fn sender(&self) -> Sender {
        self.sender.clone()
    }

    /// Returns how far the check is.
    pub fn progress(&self) -> CheckProgress {
        self.progress.borrow().clone()
    }

    /// Cancels all requests. URLs without an answer stay unverified.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Waits until every URL has its answer, or the check is stopped by Ctrl-C or by [`ExternalCheck::stop`].
    /// Calls `look` now and then.
    ///
    /// # Errors
    /// [`NetworkError::Ended`].
    pub fn finish(self, mut look: impl FnMut(&CheckProgress)) -> Result<Answers, NetworkError> {
        let ExternalCheck { runtime, sender, stop, mut progress, mut answers } = self;
        drop(sender);
        let answers = runtime.block_on(async {
            loop {
                tokio::select! {
                    received = &mut answers => return received.map_err(NetworkError::Ended),
                    Ok(()) = tokio::signal::ctrl_c() => drop(stop.send_replace(true)),
                    Ok(()) = progress.changed() => look(&progress.borrow_and_update()),
                }
            }
        });
        // Does not wait for names that are still being looked up.
        runtime.shutdown_background();
        answers
    }
}

impl Sender {
    /// Adds a link. Returns whether it will be checked: only http and https are.
    pub fn send(&self, mut url: Url) -> bool {
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return false;
        }
        let fragment = url.fragment().filter(|fragment| is_checkable_fragment(fragment)).map(str::to_owned);
        url.set_fragment(None);
        // Credentials in a public link are no secret to log in with.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        self.0.send((url, fragment)).is_ok()
    }
}

/// The assumed time per request.
const ANSWER: Duration = Duration::from_millis(300);

/// The requests that a host would get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPlan {
    /// Its name, with its port unless it is the default.
    pub name: String,
    /// URLs, sorted.
    pub urls: Vec<String>,
    /// Requests at once.
    pub concurrency: usize,
    /// The time from the start of one request to the start of the next.
    pub interval: Duration,
    /// The least time that they take, with answers after 300 ms.
    pub min_duration: Duration,
}

/// Plans the requests of these URLs by host, the slowest host first.
pub fn host_plans(urls: impl IntoIterator<Item = Url>, settings: &Settings) -> Vec<HostPlan> {
    let mut hosts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mut url in urls {
        url.set_fragment(None);
        hosts.entry(host_of(&url)).or_default().push(url.into());
    }
    let plan = |(name, mut of_host): (String, Vec<String>)| {
        of_host.sort_unstable();
        of_host.dedup();
        let (concurrency, interval) = settings.pace(&name);
        let min_duration = min_time(of_host.len(), concurrency, interval, ANSWER);
        HostPlan { name, urls: of_host, concurrency, interval, min_duration }
    };
    let mut plans: Vec<HostPlan> = hosts.into_iter().map(plan).collect();
    plans.sort_by(|a, b| b.min_duration.cmp(&a.min_duration).then_with(|| a.name.cmp(&b.name)));
    plans
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::Duration;

    use url::Url;

    use super::host_plans;
    use crate::settings::{HostSettings, Settings};

    #[test]
    fn sorts_hosts_by_duration_and_counts_each_url_once() {
        let mut settings = Settings::default();
        let slow =
            HostSettings { concurrency: 1, interval: Duration::from_secs(2), ..HostSettings::default() };
        settings.hosts.insert("slow.example".to_owned(), slow);
        let pages = (0..300).map(|number| format!("https://many.example/{number}#part"));
        let others = [
            "https://slow.example/a",
            "https://slow.example/b#x",
            "https://slow.example/b#y",
            "https://many.example/7",
        ];
        let urls = pages.chain(others.map(str::to_owned)).map(|url| Url::parse(&url).unwrap());
        let plans = host_plans(urls, &settings);
        let found: Vec<_> = plans
            .iter()
            .map(|plan| (plan.name.as_str(), plan.urls.len(), plan.min_duration.as_secs_f64()))
            .collect();
        assert_eq!(found, [("many.example", 300, 15.0), ("slow.example", 2, 2.0)]);
    }
}
