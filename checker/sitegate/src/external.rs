//! Asks other hosts for a check: what the contract says of that, what is kept from earlier, and what is told of it.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use sitegate_base::host_name::is_below;
use sitegate_base::plural::{count, thousands};
use sitegate_check::internal::contract::{Contract, ExternalSettings, HostPace};
use sitegate_check::internal::external::{ExternalAnswers, ExternalLinks};
use sitegate_check::internal::output::seconds;
use sitegate_network::{
    Answers, Cache, CheckProgress, ExternalCheck, HostSettings, Lifetimes, Sender, Settings, host_plans,
};
use url::Url;

use crate::error::Error;
use crate::terminal::{self, BOLD, DIM};

/// Domains that are nobody's (RFC 2606 and 6761): what links there is a placeholder, which other rules tell.
const NOBODYS: [&str; 7] =
    ["example.com", "example.net", "example.org", "example.edu", "example", "invalid", "test"];

/// Other hosts, as a check asks them.
pub struct AskedHosts {
    skip: ExternalSettings,
    cache: Option<Cache>,
    state: Mutex<AskingState>,
}

/// What is asked, and how far that is.
struct AskingState {
    asking: Option<(ExternalCheck, Sender)>,
    began: Instant,
    seen: Option<CheckProgress>,
    is_stopped: bool,
}

/// Addresses that would be asked, and are not.
pub struct Collected {
    skip: ExternalSettings,
    urls: Mutex<BTreeSet<Url>>,
}

impl AskedHosts {
    /// Begins to ask by what a contract says.
    ///
    /// # Errors
    /// When that cannot be used, or the answers of earlier checks cannot be read.
    pub fn begin(contract: &Contract, with_cache: bool) -> Result<AskedHosts, Error> {
        let settings = settings(contract)?;
        let file = || contract.external.cache.clone().or_else(|| Some(cache_folder()?.join("answers")));
        let file = if with_cache { file() } else { None };
        let cache = file.map(|file| Cache::at(&file, Lifetimes::default()));
        let kept = match &cache {
            Some(cache) => cache.read().map_err(Error::file(cache.file()))?,
            None => HashMap::new(),
        };
        let asking = ExternalCheck::start(settings, kept)?;
        let sender = asking.sender();
        let state = AskingState {
            asking: Some((asking, sender)),
            began: Instant::now(),
            seen: None,
            is_stopped: false,
        };
        Ok(AskedHosts { skip: contract.external.clone(), cache, state: Mutex::new(state) })
    }

    /// How far it is, in a line; nothing before it begins and after it has ended.
    pub fn line(&self) -> Option<String> {
        let state = lock(&self.state);
        let now = state.asking.as_ref().map(|(asking, _)| asking.progress());
        now.as_ref().or(state.seen.as_ref()).filter(|snapshot| snapshot.all > 0).map(line)
    }

    /// Whether somebody stopped it before all had answered.
    pub fn is_stopped(&self) -> bool {
        lock(&self.state).is_stopped
    }

    fn keep(&self, answers: &Answers) {
        let Some(cache) = &self.cache else { return };
        if let Err(error) = cache.store(answers) {
            let file = cache.file().display();
            terminal::complain(&format!("{file}: the answers could not be kept: {error}"));
        }
    }
}

impl ExternalLinks for AskedHosts {
    fn take(&self, url: &Url) -> bool {
        is_wanted(url, &self.skip)
            && lock(&self.state).asking.as_ref().is_some_and(|(_, sender)| sender.send(url.clone()))
    }

    fn answers(&self) -> ExternalAnswers {
        let Some((asking, sender)) = lock(&self.state).asking.take() else {
            return ExternalAnswers::default();
        };
        drop(sender);
        let answers = asking.finish(|snapshot| lock(&self.state).seen = Some(snapshot.clone()));
        let answers = answers.unwrap_or_else(|error| {
            terminal::complain(&format!("other hosts could not be asked: {error}"));
            Answers { is_stopped: true, ..Answers::default() }
        });
        let Answers { requests, known, hosts, .. } = &answers;
        tracing::info!(requests, cached = known, hosts = hosts.len(), "requested external links");
        self.keep(&answers);
        let mut state = lock(&self.state);
        (state.seen, state.is_stopped) = (None, answers.is_stopped);
        ExternalAnswers {
            by_url: answers.by_url,
            known: answers.known,
            hosts: answers.hosts,
            took: state.began.elapsed(),
            is_stopped: answers.is_stopped,
        }
    }
}

impl Collected {
    /// What a contract does not leave out.
    pub fn new(contract: &Contract) -> Collected {
        Collected { skip: contract.external.clone(), urls: Mutex::default() }
    }

    /// Prints what would be asked of which host, and how long that takes at least.
    ///
    /// # Errors
    /// When the contract cannot be used, or the output cannot be written.
    pub fn print(&self, contract: &Contract) -> Result<(), Error> {
        let plans = host_plans(lock(&self.urls).iter().cloned(), &settings(contract)?);
        let urls = plans.iter().map(|plan| plan.urls.len()).sum();
        let mut out = terminal::stdout();
        let mut print = || -> io::Result<()> {
            for plan in &plans {
                let pace = format!("{} at a time, {} apart", plan.concurrency, seconds(plan.interval));
                let (name, time) = (&plan.name, seconds(plan.min_duration));
                writeln!(out, "{BOLD}{name}{BOLD:#}  {DIM}{pace}, {time} at least{DIM:#}")?;
                plan.urls.iter().try_for_each(|url| writeln!(out, "  {url}"))?;
            }
            let longest = plans.first().map(|plan| plan.min_duration).unwrap_or_default();
            let (urls, hosts) = (count(urls, "address"), count(plans.len(), "host"));
            writeln!(out, "{urls} on {hosts} would be asked for, which takes {} at least", seconds(longest))
        };
        Ok(print()?)
    }
}

impl ExternalLinks for Collected {
    fn take(&self, url: &Url) -> bool {
        let is_asked = matches!(url.scheme(), "http" | "https") && is_wanted(url, &self.skip);
        if is_asked {
            lock(&self.urls).insert(url.clone());
        }
        is_asked
    }

    fn answers(&self) -> ExternalAnswers {
        ExternalAnswers::default()
    }
}

/// The program's folder for what may be deleted at any time, by the custom of the platform; `XDG_CACHE_HOME` counts on all.
fn cache_folder() -> Option<PathBuf> {
    let set = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = set.or_else(|| Some(choose_native_strategy().ok()?.cache_dir()))?;
    Some(folder.join("sitegate"))
}

/// Whether an address is asked for: it is somebody's, and not left out.
fn is_wanted(url: &Url, skip: &ExternalSettings) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    !NOBODYS.into_iter().any(|domain| host == domain || is_below(host, domain)) && !skip.skips(url)
}

/// How other hosts are asked, as the contract says.
pub fn settings(contract: &Contract) -> Result<Settings, Error> {
    let stated = &contract.external;
    let mut settings = Settings::default();
    for (span, net) in &stated.allow_addresses {
        let parsed = net.parse().map_err(|_| {
            let message = format!("`{net}` is not a network, such as 10.0.0.0/8");
            contract.error(span.clone(), message)
        })?;
        settings.resolver.allowed.0.push(parsed);
    }
    settings.concurrency = stated.concurrency.unwrap_or(settings.concurrency);
    settings.first_byte = stated.timeout.unwrap_or(settings.first_byte);
    settings.whole = settings.whole.max(settings.first_byte * 2);
    settings.retries = stated.retries.unwrap_or(settings.retries);
    settings.authorities = sitegate_network::authorities(contract)?;
    settings.host = paced(&stated.host, &settings.host);
    for (name, pace) in &stated.hosts {
        // Who names a host by http wants its headers sent by http too.
        let plain = name.strip_prefix("http://");
        let paced = HostSettings { over_http: plain.is_some(), ..paced(pace, &settings.host) };
        settings.hosts.insert(plain.unwrap_or(name).to_owned(), paced);
    }
    Ok(settings)
}

fn paced(stated: &HostPace, other: &HostSettings) -> HostSettings {
    HostSettings {
        concurrency: stated.concurrency.unwrap_or(other.concurrency),
        interval: stated.interval.unwrap_or(other.interval),
        headers: stated.headers.clone(),
        over_http: false,
        accept: other.accept.iter().chain(&stated.accept).copied().collect(),
        get: stated.get.unwrap_or(other.get),
        profile: stated.profile.unwrap_or(other.profile),
        is_pace_chosen: stated.concurrency.is_some() || stated.interval.is_some(),
    }
}

/// How far the asking is: `214 of 1,203 addresses, 12 hosts in flight, 41 s or more for docs.example.org`.
fn line(snapshot: &CheckProgress) -> String {
    let CheckProgress { all, done, hosts, left, slowest, .. } = snapshot;
    let left = match left.as_secs() {
        0 => String::new(),
        seconds @ 1..120 => format!(", {seconds} s or more for {slowest}"),
        seconds => format!(", {} min or more for {slowest}", seconds / 60),
    };
    let (all, hosts) = (count(*all, "address"), count(*hosts, "host"));
    format!("{} of {all}, {hosts} in flight{left}", thousands(*done))
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
