//! The settings of requests: concurrency, pace, time limits, retries, and headers per host.

use std::collections::BTreeMap;
use std::time::Duration;

use sitegate_base::host_name::host_of;
use url::Url;

use crate::profiles::KnownHost;
use crate::resolver::HostResolver;

/// The settings of requests.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The user agent.
    pub user_agent: String,
    /// Maximum number of concurrent requests to all hosts.
    pub concurrency: usize,
    /// The settings of hosts without their own.
    pub host: HostSettings,
    /// The settings of single hosts, by [`Settings::host_key`].
    pub hosts: BTreeMap<String, HostSettings>,
    /// Timeout for connecting to a host.
    pub connect: Duration,
    /// Timeout for the first byte of an answer.
    pub first_byte: Duration,
    /// Timeout for a whole answer.
    pub whole: Duration,
    /// Maximum number of retries.
    pub retries: u32,
    /// The pause before the first retry; it doubles with each.
    pub pause: Duration,
    /// Maximum time to wait for a host that refuses requests, until it accepts one again.
    pub max_refusal_wait: Duration,
    /// Number of refusals in a row (429 or 503), each after a pause, after which a host is given up.
    pub max_refusals: u32,
    /// Maximum time for all requests of a run.
    pub max_time: Duration,
    /// Number of consecutive requests without an answer after which a host is given up.
    pub max_unanswered: u32,
    /// Maximum number of redirects.
    pub redirects: u32,
    /// Maximum size of a page that is read for its ids, in bytes after decompression.
    pub page_bytes: usize,
    /// Trusted certificate authorities besides those of the system, as PEM files of one or more certificates.
    pub authorities: Vec<Vec<u8>>,
    /// Resolves host names.
    pub resolver: HostResolver,
    /// Whether the proxies of the environment are used.
    pub proxy: bool,
}

/// The settings of one host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSettings {
    /// Maximum number of concurrent requests.
    pub concurrency: usize,
    /// The time from the start of one request to the start of the next.
    pub interval: Duration,
    /// Headers for this origin only, such as a token.
    pub headers: Vec<(String, String)>,
    /// Statuses that count as success on this host, besides the usual ones.
    pub accept: Vec<u16>,
    /// Whether requests use GET only, never HEAD.
    pub get: bool,
    /// Whether its profile ([`KnownHost`]) is used.
    pub profile: bool,
    /// Whether its pace was set explicitly, which overrides the profile.
    pub is_pace_chosen: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            user_agent: concat!("sitegate/", env!("CARGO_PKG_VERSION"), " (link checker)").to_owned(),
            concurrency: 128,
            host: HostSettings::default(),
            hosts: BTreeMap::new(),
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(20),
            whole: Duration::from_secs(40),
            retries: 2,
            pause: Duration::from_secs(1),
            max_refusal_wait: Duration::from_mins(1),
            max_refusals: 3,
            max_time: Duration::from_mins(5),
            max_unanswered: 5,
            redirects: 10,
            page_bytes: 8 << 20,
            authorities: Vec::new(),
            resolver: HostResolver::default(),
            proxy: true,
        }
    }
}

impl Default for HostSettings {
    fn default() -> HostSettings {
        HostSettings {
            concurrency: 6,
            interval: Duration::from_millis(50),
            headers: Vec::new(),
            accept: Vec::new(),
            get: false,
            profile: true,
            is_pace_chosen: false,
        }
    }
}

impl Settings {
    /// Returns the key of a URL's origin in [`Settings::hosts`]: the host with its port unless it is the default,
    /// after `http://` if the scheme is not https.
    pub fn host_key(url: &Url) -> String {
        let host = host_of(url);
        if url.scheme() == "https" { host } else { format!("http://{host}") }
    }

    /// Returns the settings of a host, by its name and port, or by its name alone, for either scheme.
    pub fn host_settings(&self, host: &str) -> &HostSettings {
        let find = |name: &str| self.hosts.get(name).or_else(|| self.hosts.get(&format!("http://{name}")));
        find(host).or_else(|| find(without_port(host))).unwrap_or(&self.host)
    }

    /// Returns the headers for a URL: those of its exact origin (scheme, host and port). Common headers are sent
    /// by https only.
    pub(crate) fn headers(&self, url: &Url) -> &[(String, String)] {
        match self.hosts.get(&Settings::host_key(url)) {
            Some(HostSettings { headers, .. }) => headers,
            None if url.scheme() == "https" => &self.host.headers,
            None => &[],
        }
    }

    /// Returns the profile of a host, unless it is turned off.
    pub(crate) fn known(&self, host: &str) -> Option<&'static KnownHost> {
        self.host_settings(host).profile.then(|| KnownHost::find(without_port(host))).flatten()
    }

    /// Returns the concurrency and interval for a host: from its profile unless set explicitly, but never
    /// faster than the general limits.
    pub(crate) fn pace(&self, host: &str) -> (usize, Duration) {
        let HostSettings { concurrency, interval, is_pace_chosen, .. } = *self.host_settings(host);
        match self.known(host).and_then(|known| known.pace) {
            Some((at_once, apart)) if !is_pace_chosen => {
                (concurrency.min(at_once), interval.max(Duration::from_millis(apart)))
            }
            _ => (concurrency, interval),
        }
    }
}

fn without_port(host: &str) -> &str {
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}
