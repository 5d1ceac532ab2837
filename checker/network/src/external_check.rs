//! Runs a check of external links on a thread of its own, while the links are still being collected.

use std::collections::HashMap;
use std::sync::Arc;

use sitegate_check::{ExternalAnswer, is_checkable_fragment};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use url::Url;

use crate::client::{GuardedClient, runtime};
use crate::error::NetworkError;
use crate::external::{Answers, CheckProgress, Link, LinkRequests};
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
