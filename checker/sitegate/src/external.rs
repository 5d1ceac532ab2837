//! Asks other hosts for a check: what the contract says of that, what is kept from earlier, and what is told of it.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sitegate_check::contract::{Contract, ExternalSettings, HostPace};
use sitegate_check::english::{count, thousands};
use sitegate_check::host_name::is_below;
use sitegate_check::output::seconds;
use sitegate_check::world::{Answer, World};
use sitegate_network::{
    Answers, Asking, Cache, HostSettings, Lifetimes, Sender, Settings, Snapshot, host_plans,
};
use url::Url;

use crate::record;
use crate::terminal::{self, BOLD, DIM};

/// Domains that are nobody's (RFC 2606 and 6761): what links there is a placeholder, which other rules tell.
const NOBODYS: [&str; 7] =
    ["example.com", "example.net", "example.org", "example.edu", "example", "invalid", "test"];

/// A host that took longer than this is told.
const SLOW: Duration = Duration::from_secs(5);

/// Other hosts, as a check asks them.
pub struct AskedHosts {
    skip: ExternalSettings,
    cache: Option<Cache>,
    state: Mutex<AskingState>,
}

/// What is asked, and what came of it.
struct AskingState {
    asking: Option<(Asking, Sender)>,
    answers: Answers,
    began: Instant,
    took: Duration,
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
    pub fn begin(contract: &Contract, with_cache: bool) -> Result<AskedHosts, String> {
        let settings = settings(contract)?;
        let file = contract.external.cache.clone().or_else(|| Some(record::folder()?.join("answers")));
        let cache = file.filter(|_| with_cache).map(|file: PathBuf| Cache::at(&file, Lifetimes::default()));
        let kept = match &cache {
            Some(cache) => cache.read().map_err(|error| format!("{}: {error}", cache.file().display()))?,
            None => HashMap::new(),
        };
        let asking =
            Asking::begin(settings, kept).map_err(|error| format!("cannot ask other hosts: {error}"))?;
        let sender = asking.sender();
        let state = AskingState {
            asking: Some((asking, sender)),
            answers: Answers::default(),
            began: Instant::now(),
            took: Duration::ZERO,
        };
        Ok(AskedHosts { skip: contract.external.clone(), cache, state: Mutex::new(state) })
    }

    /// Tells what was asked and what took long, and keeps the answers. Says whether somebody stopped it.
    pub fn end(&self) -> bool {
        let AskingState { answers, took, .. } = &*lock(&self.state);
        if let Some(cache) = &self.cache
            && let Err(error) = cache.keep(answers)
        {
            terminal::complain(&format!(
                "{}: the answers could not be kept: {error}",
                cache.file().display()
            ));
        }
        let mut out = terminal::stderr();
        let known = answers.by_url.len() - answers.asked.len();
        let known =
            if known == 0 { String::new() } else { format!(", {} known from earlier", thousands(known)) };
        let (asked, hosts) = (count(answers.asked.len(), "address"), count(answers.hosts.len(), "host"));
        let _ = writeln!(out, "{DIM}asked for {asked} on {hosts} in {}{known}{DIM:#}", seconds(*took));
        for host in answers.hosts.iter().filter(|host| host.wall > SLOW).take(5) {
            let (requests, wall) = (count(host.requests, "request"), seconds(host.wall));
            let _ = writeln!(
                out,
                "{DIM}  {}: {requests} in {wall}, {} each{DIM:#}",
                host.name,
                seconds(host.each())
            );
        }
        answers.is_stopped
    }
}

impl World for AskedHosts {
    fn take(&self, url: &Url) -> bool {
        is_wanted(url, &self.skip)
            && lock(&self.state).asking.as_ref().is_some_and(|(_, sender)| sender.send(url.clone()))
    }

    fn answers(&self) -> HashMap<String, Answer> {
        let Some((asking, sender)) = lock(&self.state).asking.take() else { return HashMap::new() };
        drop(sender);
        let is_shown = io::stderr().is_terminal();
        let answers = asking.finish(|snapshot| {
            if is_shown {
                show(snapshot);
            }
        });
        if is_shown {
            let _ = write!(anstream::stderr(), "\r\x1b[2K");
        }
        let answers = answers.unwrap_or_else(|error| {
            terminal::complain(&format!("other hosts could not be asked: {error}"));
            Answers { is_stopped: true, ..Answers::default() }
        });
        let mut state = lock(&self.state);
        state.took = state.began.elapsed();
        state.answers = answers;
        state.answers.by_url.clone()
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
    pub fn print(&self, contract: &Contract) -> Result<(), String> {
        let plans = host_plans(lock(&self.urls).iter().cloned(), &settings(contract)?);
        let urls = plans.iter().map(|plan| plan.urls.len()).sum();
        let mut out = terminal::stdout();
        let mut print = || {
            for plan in &plans {
                let pace = format!("{} at a time, {} apart", plan.concurrency, seconds(plan.interval));
                let (name, time) = (&plan.name, seconds(plan.at_least));
                writeln!(out, "{BOLD}{name}{BOLD:#}  {DIM}{pace}, {time} at least{DIM:#}")?;
                plan.urls.iter().try_for_each(|url| writeln!(out, "  {url}"))?;
            }
            let longest = plans.first().map(|plan| plan.at_least).unwrap_or_default();
            let (urls, hosts) = (count(urls, "address"), count(plans.len(), "host"));
            writeln!(out, "{urls} on {hosts} would be asked for, which takes {} at least", seconds(longest))
        };
        print().map_err(|error: io::Error| error.to_string())
    }
}

impl World for Collected {
    fn take(&self, url: &Url) -> bool {
        let is_asked = matches!(url.scheme(), "http" | "https") && is_wanted(url, &self.skip);
        if is_asked {
            lock(&self.urls).insert(url.clone());
        }
        is_asked
    }

    fn answers(&self) -> HashMap<String, Answer> {
        HashMap::new()
    }
}

/// Whether an address is asked for: it is somebody's, and not left out.
fn is_wanted(url: &Url, skip: &ExternalSettings) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    !NOBODYS.into_iter().any(|domain| host == domain || is_below(host, domain)) && !skip.skips(url)
}

/// How other hosts are asked, as the contract says.
pub fn settings(contract: &Contract) -> Result<Settings, String> {
    let stated = &contract.external;
    let mut settings = Settings::default();
    for (span, net) in &stated.allow_addresses {
        let parsed = net.parse().map_err(|_| {
            let message = format!("`{net}` is not a network, such as 10.0.0.0/8");
            contract.error(span.clone(), message).to_string()
        })?;
        settings.resolver.allowed.0.push(parsed);
    }
    settings.concurrency = stated.concurrency.unwrap_or(settings.concurrency);
    settings.first_byte = stated.timeout.unwrap_or(settings.first_byte);
    settings.whole = settings.whole.max(settings.first_byte * 2);
    settings.retries = stated.retries.unwrap_or(settings.retries);
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
    }
}

fn show(snapshot: &Snapshot) {
    let Snapshot { all, done, hosts, left, .. } = snapshot;
    let left = if *left >= Duration::from_secs(1) {
        format!(", {} left at least", seconds(*left))
    } else {
        String::new()
    };
    let hosts = count(*hosts, "host");
    let _ = write!(
        anstream::stderr(),
        "\r\x1b[2K{DIM}asked for {done} of {all} addresses, {hosts} at work{left}{DIM:#}"
    );
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
