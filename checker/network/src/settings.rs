//! The settings of network work: concurrency, pace, time limits, retries, and headers of single hosts.

use std::collections::BTreeMap;
use std::time::Duration;

use sitegate_check::internal::external::host_of;
use url::Url;

use crate::profiles::KnownHost;
use crate::resolver::HostResolver;

/// The settings of network work.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What this program says it is.
    pub user_agent: String,
    /// Requests at once, to all hosts together.
    pub concurrency: usize,
    /// How every host is asked that has no settings of its own.
    pub host: HostSettings,
    /// How single hosts are asked, by name.
    pub hosts: BTreeMap<String, HostSettings>,
    /// How long it may take to reach a host.
    pub connect: Duration,
    /// How long the first byte of an answer may take.
    pub first_byte: Duration,
    /// How long an answer may take as a whole.
    pub whole: Duration,
    /// How often a request is sent again that may pass the next time.
    pub retries: u32,
    /// The pause before the first retry; it doubles with each.
    pub pause: Duration,
    /// The longest that a host may ask to be left alone for (`Retry-After`); beyond that its links stay unverified.
    pub patience: Duration,
    /// Requests in a row without any answer, after which nothing more is asked of a host.
    pub silent: u32,
    /// Redirects that are followed.
    pub redirects: u32,
    /// Bytes of a page that are read for its ids, after decompression.
    pub page_bytes: usize,
    /// Authorities that are trusted beside those of the system, each file in PEM, of one certificate or many.
    pub authorities: Vec<Vec<u8>>,
    /// Names to addresses.
    pub resolver: HostResolver,
    /// Whether the proxies of the environment are used.
    pub proxy: bool,
}

/// How one host is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSettings {
    /// Requests at once.
    pub concurrency: usize,
    /// The time from the start of one request to the start of the next.
    pub interval: Duration,
    /// Headers that it wants, such as a token; they are sent to no other, and by https alone.
    pub headers: Vec<(String, String)>,
    /// Whether they are sent by http too, where everyone on the way can read them.
    pub over_http: bool,
    /// Statuses that mean here that an address is there, beside those that mean it everywhere.
    pub accept: Vec<u16>,
    /// Whether it is asked by GET at once, and never by HEAD.
    pub get: bool,
    /// Whether what is known of it counts ([`KnownHost`]).
    pub profile: bool,
    /// Whether somebody chose its pace, which then goes before the one that is known to suit it.
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
            patience: Duration::from_mins(1),
            silent: 5,
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
            over_http: false,
            accept: Vec::new(),
            get: false,
            profile: true,
            is_pace_chosen: false,
        }
    }
}

impl Settings {
    /// How a host is asked, by its name and port, or by its name alone.
    pub fn of(&self, host: &str) -> &HostSettings {
        self.hosts.get(host).or_else(|| self.hosts.get(without_port(host))).unwrap_or(&self.host)
    }

    /// The headers for just the host of a URL. By http they are not sent unless that is wanted: everyone on the way can read them.
    pub(crate) fn headers(&self, url: &Url) -> &[(String, String)] {
        let HostSettings { headers, over_http, .. } = self.of(&host_of(url));
        if *over_http || url.scheme() == "https" { headers } else { &[] }
    }

    /// What is known of a host, unless that is set aside.
    pub(crate) fn known(&self, host: &str) -> Option<&'static KnownHost> {
        self.of(host).profile.then(|| KnownHost::of(without_port(host))).flatten()
    }

    /// Requests at once to a host, and the time from the start of one to the start of the next: as is known to suit it, unless
    /// somebody chose, but never faster than all are asked.
    pub(crate) fn pace(&self, host: &str) -> (usize, Duration) {
        let HostSettings { concurrency, interval, is_pace_chosen, .. } = *self.of(host);
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
