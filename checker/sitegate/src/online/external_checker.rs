//! Checks external links: reads the settings in the contract, sends requests, and caches the results.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use sitegate_base::host_name::is_below;
use sitegate_base::lock::lock;
use sitegate_base::plural::seconds;
use sitegate_base::plural::{count, thousands};
use sitegate_check::{
    Contract, ExternalAnswer, ExternalAnswers, ExternalLinks, ExternalSettings, ExternalVerdict, HostPace,
    is_checkable_fragment,
};
use sitegate_network::{
    Answers, Cache, CheckProgress, ExternalCheck, HostSettings, Lifetimes, Sender, Settings, host_plans,
};
use url::Url;

use crate::error::Error;
use crate::terminal::{self, BOLD, DIM};

/// Domains reserved by RFC 2606 and 6761. Links to them are placeholders, which other rules report.
const RESERVED_DOMAINS: [&str; 7] =
    ["example.com", "example.net", "example.org", "example.edu", "example", "invalid", "test"];

/// A checker of external links that sends requests while the export is read.
pub struct ExternalChecker {
    skip: ExternalSettings,
    /// Links that are not requested.
    known: BTreeSet<Url>,
    cache: Option<Cache>,
    /// The links that were submitted, if their answers are needed.
    submitted: Option<Mutex<BTreeSet<Url>>>,
    state: Mutex<CheckerState>,
}

/// The requests in progress and their latest snapshot.
struct CheckerState {
    running: Option<(ExternalCheck, Sender)>,
    start: Instant,
    snapshot: Option<CheckProgress>,
    is_stopped: bool,
    /// The verdicts on submitted links.
    verdicts: BTreeMap<Url, ExternalVerdict>,
}

/// How to check external links.
#[derive(Debug, Default)]
pub struct ExternalOptions {
    /// Links that are not requested.
    pub known: BTreeSet<Url>,
    /// Answers of a lock, by URL without a fragment.
    pub locked: HashMap<String, ExternalAnswer>,
    /// Whether answers are cached.
    pub has_cache: bool,
    /// Whether [`ExternalChecker::take_verdicts`] has the verdicts.
    pub keeps_verdicts: bool,
    /// Maximum time for all requests.
    pub max_time: Option<Duration>,
}

impl ExternalChecker {
    /// Starts to check links, with the settings of a contract.
    ///
    /// # Errors
    /// If the settings are invalid, or the cache cannot be read.
    pub fn start(contract: &Contract, options: ExternalOptions) -> Result<ExternalChecker, Error> {
        let mut settings = settings(contract)?;
        settings.max_time = options.max_time.unwrap_or(settings.max_time);
        let folder = if options.has_cache { cache_folder() } else { None };
        let cache = folder.map(|folder| Cache::at(&folder.join("answers"), Lifetimes::default()));
        let mut cached = match &cache {
            Some(cache) => cache.read().map_err(Error::system(format!(
                "{}: the cache of external results cannot be read; check with `--no-cache`, or set XDG_CACHE_HOME",
                cache.file().display()
            )))?,
            None => HashMap::new(),
        };
        cached.extend(options.locked);
        let check = ExternalCheck::start(settings, cached)?;
        let sender = check.sender();
        let state = CheckerState {
            running: Some((check, sender)),
            start: Instant::now(),
            snapshot: None,
            is_stopped: false,
            verdicts: BTreeMap::new(),
        };
        Ok(ExternalChecker {
            skip: contract.external.clone(),
            known: options.known,
            cache,
            submitted: options.keeps_verdicts.then(Mutex::default),
            state: Mutex::new(state),
        })
    }

    /// Returns the verdict on each address that was submitted, with its fragment.
    pub fn take_verdicts(&self) -> BTreeMap<Url, ExternalVerdict> {
        std::mem::take(&mut lock(&self.state).verdicts)
    }

    /// Returns the verdicts on the submitted links. A page without the fragment is broken.
    fn verdicts(&self, answers: &Answers) -> BTreeMap<Url, ExternalVerdict> {
        let Some(submitted) = &self.submitted else { return BTreeMap::new() };
        let of_address = |url: &Url| {
            let mut url = url.clone();
            // As they are requested.
            let _ = url.set_username("").and_then(|()| url.set_password(None));
            let fragment = url.fragment().filter(|name| is_checkable_fragment(name)).map(str::to_owned);
            url.set_fragment(None);
            let answer = answers.by_url.get(url.as_str())?;
            let is_missing = |name: &&String| answer.is_there() && answer.missing.contains(*name);
            let verdict = match fragment.as_ref().filter(is_missing) {
                Some(missing) => ExternalVerdict::Broken(missing.clone()),
                None => answer.verdict.clone(),
            };
            url.set_fragment(fragment.as_deref());
            Some((url, verdict))
        };
        lock(submitted).iter().filter_map(of_address).collect()
    }

    /// Returns the progress in one line, while requests are running.
    pub fn progress_message(&self) -> Option<String> {
        let state = lock(&self.state);
        let now = state.running.as_ref().map(|(check, _)| check.progress());
        now.as_ref().or(state.snapshot.as_ref()).filter(|snapshot| snapshot.all > 0).map(format_progress)
    }

    /// Whether Ctrl-C stopped it before all requests were complete.
    pub fn is_stopped(&self) -> bool {
        lock(&self.state).is_stopped
    }

    fn cache_answers(&self, answers: &Answers) {
        let Some(cache) = &self.cache else { return };
        if let Err(error) = cache.store(answers) {
            let file = cache.file().display();
            terminal::print_note(&format!("{file}: external results are not cached: {error}"));
        }
    }
}

impl ExternalLinks for ExternalChecker {
    fn submit(&self, url: &Url) -> bool {
        let is_submitted = is_checked(url, &self.skip)
            && !self.known.contains(url)
            && lock(&self.state).running.as_ref().is_some_and(|(_, sender)| sender.send(url.clone()));
        if let Some(submitted) = self.submitted.as_ref().filter(|_| is_submitted) {
            lock(submitted).insert(url.clone());
        }
        is_submitted
    }

    fn is_partial(&self) -> bool {
        !self.known.is_empty()
    }

    fn answers(&self) -> ExternalAnswers {
        let Some((check, sender)) = lock(&self.state).running.take() else {
            return ExternalAnswers::default();
        };
        drop(sender);
        let answers = check.finish(|snapshot| lock(&self.state).snapshot = Some(snapshot.clone()));
        let answers = answers.unwrap_or_else(|error| {
            terminal::print_error(&format!("external links could not be checked: {error}"));
            Answers { is_stopped: true, ..Answers::default() }
        });
        let Answers { requests, known, hosts, .. } = &answers;
        tracing::info!(requests, cached = known, hosts = hosts.len(), "requested external links");
        self.cache_answers(&answers);
        let verdicts = self.verdicts(&answers);
        let mut state = lock(&self.state);
        state.verdicts = verdicts;
        (state.snapshot, state.is_stopped) = (None, answers.is_stopped);
        ExternalAnswers {
            by_url: answers.by_url,
            known: answers.known,
            hosts: answers.hosts,
            took: state.start.elapsed(),
            is_stopped: answers.is_stopped,
        }
    }
}

/// Prints the requests of a check to each host, their minimum duration, and the limits.
///
/// # Errors
/// If the contract is invalid, or the output cannot be written.
pub fn print_requests(
    urls: BTreeSet<Url>,
    contract: &Contract,
    max_time: Option<Duration>,
) -> Result<(), Error> {
    let settings = settings(contract)?;
    let (max_time, refusals) = (max_time.unwrap_or(settings.max_time), settings.max_refusals);
    let plans = host_plans(urls.into_iter().filter(|url| is_checked(url, &contract.external)), &settings);
    let planned = plans.iter().map(|plan| plan.urls.len()).sum();
    terminal::print(|out| {
        for plan in &plans {
            let pace = format!("{} at a time, {} apart", plan.concurrency, seconds(plan.interval));
            let (name, time) = (&plan.name, seconds(plan.min_duration));
            writeln!(out, "{BOLD}{name}{BOLD:#}  {DIM}{pace}, at least {time}{DIM:#}")?;
            plan.urls.iter().try_for_each(|url| writeln!(out, "  {url}"))?;
        }
        let longest = plans.first().map(|plan| plan.min_duration).unwrap_or_default();
        if plans.is_empty() {
            return writeln!(out, "nothing to request: the site has no external links to check");
        }
        let (requests, hosts) = (count(planned, "URL"), count(plans.len(), "host"));
        writeln!(out, "would request {requests} on {hosts}, which takes at least {}", seconds(longest))?;
        let estimate = if longest > max_time { "too short for all" } else { "enough if hosts answer" };
        writeln!(
            out,
            "limits: {} s for all requests (`--max-time`), {estimate}; {refusals} refusals in a row (429, 503) by a host",
            max_time.as_secs()
        )
    })?;
    Ok(())
}

/// Returns the platform's cache folder for this program. `XDG_CACHE_HOME` overrides it on all platforms.
pub fn cache_folder() -> Option<PathBuf> {
    let set = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = set.or_else(|| Some(choose_native_strategy().ok()?.cache_dir()))?;
    Some(folder.join("sitegate"))
}

/// Whether a URL is requested: its domain is not reserved, and the contract does not skip it.
fn is_checked(url: &Url, skip: &ExternalSettings) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    !RESERVED_DOMAINS.into_iter().any(|domain| host == domain || is_below(host, domain)) && !skip.skips(url)
}

/// Reads the settings for external requests from the contract.
pub fn settings(contract: &Contract) -> Result<Settings, Error> {
    let stated = &contract.external;
    let mut settings = Settings::default();
    settings.resolver.allowed = sitegate_network::allowed_addresses(contract)?;
    settings.concurrency = stated.concurrency.unwrap_or(settings.concurrency);
    settings.first_byte = stated.timeout.unwrap_or(settings.first_byte);
    settings.whole = settings.whole.max(settings.first_byte * 2);
    settings.retries = stated.retries.unwrap_or(settings.retries);
    settings.authorities = sitegate_network::authorities(contract)?;
    settings.host = host_settings(&stated.host, &settings.host);
    for (name, pace) in &stated.hosts {
        settings.hosts.insert(host_key(name), host_settings(pace, &settings.host));
    }
    if let Some(token) = contract.allowed_variable(GITHUB_TOKEN) {
        add_github_token(&token, &mut settings);
    }
    Ok(settings)
}

/// The variable with a token that GitHub's own CI provides.
const GITHUB_TOKEN: &str = "GITHUB_TOKEN";

/// The hosts that get the token.
const GITHUB_HOSTS: [&str; 3] = ["api.github.com", "github.com", "raw.githubusercontent.com"];

/// Sends a token of GitHub to GitHub. A host for which the contract states a credential gets only that.
fn add_github_token(token: &str, settings: &mut Settings) {
    for host in GITHUB_HOSTS {
        let stated = settings.hosts.entry(host.to_owned()).or_insert_with(|| settings.host.clone());
        let is_stated = stated.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        if !is_stated {
            stated.headers.push(("Authorization".to_owned(), format!("Bearer {token}")));
        }
    }
}

/// Returns the key of a host that the contract names: by https unless it begins with `http://`.
fn host_key(name: &str) -> String {
    let url =
        Url::parse(name).ok().filter(Url::has_host).or_else(|| Url::parse(&format!("https://{name}")).ok());
    url.map_or_else(|| name.to_owned(), |url| Settings::host_key(&url))
}

fn host_settings(stated: &HostPace, other: &HostSettings) -> HostSettings {
    HostSettings {
        concurrency: stated.concurrency.unwrap_or(other.concurrency),
        interval: stated.interval.unwrap_or(other.interval),
        headers: stated.headers.clone(),
        accept: other.accept.iter().chain(&stated.accept).copied().collect(),
        get: stated.get.unwrap_or(other.get),
        profile: stated.profile.unwrap_or(other.profile),
        is_pace_chosen: stated.concurrency.is_some() || stated.interval.is_some(),
    }
}

/// Formats the progress: `214 of 1,203 URLs, 12 hosts in flight, 41 s or more for docs.example.org`.
fn format_progress(snapshot: &CheckProgress) -> String {
    let CheckProgress { all, done, hosts, left, slowest, .. } = snapshot;
    let left = match left.as_secs() {
        0 => String::new(),
        seconds @ 1..120 => format!(", {seconds} s or more for {slowest}"),
        seconds => format!(", {} min or more for {slowest}", seconds / 60),
    };
    let (all, hosts) = (count(*all, "URL"), count(*hosts, "host"));
    format!("{} of {all}, {hosts} in flight{left}", thousands(*done))
}

#[cfg(test)]
mod tests {
    use sitegate_network::{HostSettings, Settings};

    use super::add_github_token;

    #[test]
    fn only_hosts_of_github_get_its_token() {
        let mut settings = Settings::default();
        let own = vec![("authorization".to_owned(), "Basic own".to_owned())];
        settings
            .hosts
            .insert("api.github.com".to_owned(), HostSettings { headers: own, ..HostSettings::default() });
        add_github_token("x", &mut settings);
        let headers =
            |host: &str| settings.hosts.get(host).map(|host| host.headers.clone()).unwrap_or_default();
        assert_eq!(headers("github.com"), [("Authorization".to_owned(), "Bearer x".to_owned())]);
        assert_eq!(headers("api.github.com"), [("authorization".to_owned(), "Basic own".to_owned())]);
        assert!(settings.host.headers.is_empty() && headers("http://github.com").is_empty());
        assert_eq!(settings.hosts.len(), 3);
    }
}
