//! The door: an asking that was begun, what is handed to it, and its end.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use reqwest::ClientBuilder;
use sitegate_check::external::Answer;
use sitegate_check::parse::page_fragments::is_looked_for;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use url::Url;

use crate::asker::{Answers, Asker, WantedAddress};
use crate::client::client_builder;
use crate::progress::Snapshot;
use crate::resolver::SharedResolver;
use crate::settings::Settings;

/// How long a connection is kept that nothing is asked on: with thousands of hosts, longer would be too many.
const IDLE: Duration = Duration::from_secs(1);

/// Addresses that are being asked for, on threads of their own.
#[derive(Debug)]
pub struct Asking {
    runtime: Runtime,
    sender: mpsc::UnboundedSender<WantedAddress>,
    stop: watch::Sender<bool>,
    progress: watch::Receiver<Snapshot>,
    answers: JoinHandle<Answers>,
}

/// Hands addresses over, from any thread.
#[derive(Clone, Debug)]
pub struct Sender(mpsc::UnboundedSender<WantedAddress>);

impl Asking {
    /// Begins. `kept` are answers that are still good, by addresses without fragments.
    ///
    /// # Errors
    /// When there can be no client or no threads, with the reason.
    pub fn begin(settings: Settings, kept: HashMap<String, Answer>) -> Result<Asking, String> {
        let settings = Arc::new(settings);
        let client = client(&settings).and_then(ClientBuilder::build).map_err(|error| error.to_string())?;
        let runtime =
            Builder::new_multi_thread().worker_threads(1).enable_all().thread_name("network").build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let (sender, wanted) = mpsc::unbounded_channel();
        let (stop, stopped) = watch::channel(false);
        let (told, progress) = watch::channel(Snapshot::default());
        let asker = Asker::new(client, settings, kept, told);
        let answers = runtime.spawn(asker.run(wanted, stopped));
        Ok(Asking { runtime, sender, stop, progress, answers })
    }

    /// What hands addresses over. All of them must be gone before [`Asking::finish`] can end.
    pub fn sender(&self) -> Sender {
        Sender(self.sender.clone())
    }

    /// How far it is.
    pub fn progress(&self) -> Snapshot {
        self.progress.borrow().clone()
    }

    /// Asks for nothing more. What has no answer yet gets none.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Waits until every address that was handed over has its answer, or somebody wants to stop, by Ctrl-C or by
    /// [`Asking::stop`]: what has no answer by then gets none. `look` is called now and then.
    ///
    /// # Errors
    /// When the thread that asks has failed.
    pub fn finish(self, mut look: impl FnMut(&Snapshot)) -> Result<Answers, String> {
        let Asking { runtime, sender, stop, mut progress, mut answers } = self;
        drop(sender);
        let answers = runtime.block_on(async {
            loop {
                tokio::select! {
                    answers = &mut answers => return answers.map_err(|error| error.to_string()),
                    Ok(()) = tokio::signal::ctrl_c() => drop(stop.send_replace(true)),
                    Ok(()) = progress.changed() => look(&progress.borrow_and_update()),
                }
            }
        });
        // Names that are still being looked up are waited for by nobody.
        runtime.shutdown_background();
        answers
    }
}

impl Sender {
    /// Hands an address over, with its fragment; whether it is one that can be asked for.
    pub fn send(&self, mut url: Url) -> bool {
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return false;
        }
        let fragment = url.fragment().filter(|fragment| is_looked_for(fragment)).map(str::to_owned);
        url.set_fragment(None);
        // What stands in a page is read by everyone, and is nobody's password here.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        self.0.send((url, fragment)).is_ok()
    }
}

/// A client by these settings: it follows no redirects.
pub(crate) fn client(settings: &Settings) -> reqwest::Result<ClientBuilder> {
    let mut resolver = settings.resolver.clone();
    if settings.proxy {
        resolver.proxies.extend(proxies());
    }
    let most =
        settings.hosts.values().chain([&settings.host]).map(|host| host.concurrency).max().unwrap_or(1);
    let builder = client_builder(&settings.authorities, settings.connect)?
        .timeout(settings.whole)
        .pool_max_idle_per_host(most)
        .pool_idle_timeout(IDLE)
        .user_agent(&settings.user_agent)
        .dns_resolver(SharedResolver(Arc::new(resolver)));
    Ok(if settings.proxy { builder } else { builder.no_proxy() })
}

/// The names of the proxies that the environment names.
fn proxies() -> impl Iterator<Item = String> {
    let variables = ["http_proxy", "https_proxy", "all_proxy"];
    let values = variables
        .into_iter()
        .flat_map(|name| [std::env::var(name), std::env::var(name.to_ascii_uppercase())]);
    values.flatten().filter_map(|value| {
        let url = Url::parse(&value).or_else(|_| Url::parse(&format!("http://{value}")));
        url.ok()?.host_str().map(str::to_owned)
    })
}
