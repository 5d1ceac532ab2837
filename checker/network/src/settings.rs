//! The settings of requests: concurrency, pace, time limits, retries, and headers per host. Profiles of known hosts.

use std::collections::BTreeMap;
use std::time::Duration;

use sitegate_base::host_name::{host_of, is_below};
use url::Url;

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

/// The profile of a host.
#[derive(Debug, PartialEq, Eq)]
pub struct KnownHost {
    /// Its domains, including their subdomains.
    pub domains: &'static [&'static str],
    /// Statuses that it returns to programs for any URL.
    pub blocked_statuses: &'static [u16],
    /// Prefixes of the paths of its login pages.
    pub login_paths: &'static [&'static str],
    /// Prefixes of fragments that its scripts handle, so that its pages lack these ids. An empty one matches
    /// all.
    pub scripted_fragments: &'static [&'static str],
    /// A prefix that it adds to ids in user content.
    pub prefix: Option<&'static str>,
    /// Maximum number of concurrent requests, and minimum milliseconds between their starts, if it has low
    /// limits.
    pub pace: Option<(usize, u64)>,
    /// The reason, as a sentence about the host.
    pub reason: &'static str,
    /// The date of the entry.
    pub date: &'static str,
}

/// An empty profile.
const EMPTY: KnownHost = KnownHost {
    domains: &[],
    blocked_statuses: &[],
    login_paths: &[],
    scripted_fragments: &[],
    prefix: None,
    pace: None,
    reason: "",
    date: "2026-11-22",
};

/// All profiles, sorted by their first domain: hosts that treat programs differently from readers, each with its reason and
/// date.
///
/// The entries are based on reports of users and authors of link checkers, not on tests. If a host changes, correct its
/// entry and date. In a contract, `profile = false` ignores an entry.
pub const KNOWN_HOSTS: &[KnownHost] = &[
    KnownHost {
        domains: &["accounts.google.com"],
        login_paths: &["/"],
        reason: "is the login page for documents that are not public",
        ..EMPTY
    },
    KnownHost {
        domains: &[
            "amazon.com",
            "amazon.ca",
            "amazon.co.jp",
            "amazon.co.uk",
            "amazon.de",
            "amazon.es",
            "amazon.fr",
            "amazon.in",
            "amazon.it",
        ],
        blocked_statuses: &[500, 503],
        reason: "answers programs as if it were down",
        ..EMPTY
    },
    KnownHost {
        domains: &["bitbucket.org"],
        scripted_fragments: &[""],
        reason: "renders its pages, including the targets of fragments, with scripts",
        ..EMPTY
    },
    KnownHost {
        domains: &["docs.google.com", "drive.google.com"],
        scripted_fragments: &[""],
        reason: "handles fragments (`#gid=0`, `#heading=h.x`) with scripts",
        ..EMPTY
    },
    KnownHost {
        domains: &["facebook.com"],
        blocked_statuses: &[400],
        login_paths: &["/login", "/checkpoint"],
        reason: "returns 400 to programs, or redirects them to its login page",
        ..EMPTY
    },
    KnownHost {
        domains: &["github.com"],
        scripted_fragments: &[
            "L",
            "R",
            "diff-",
            "readme",
            "issuecomment-",
            "discussion_r",
            "discussioncomment-",
            "pullrequestreview-",
            "commitcomment-",
            "event-",
            "ref-",
        ],
        prefix: Some("user-content-"),
        pace: Some((4, 200)),
        reason: "adds `user-content-` to the ids of headings, renders lines and comments with scripts, and soon returns 429",
        ..EMPTY
    },
    KnownHost {
        domains: &["gitlab.com"],
        scripted_fragments: &[""],
        reason: "renders files, lines and comments with scripts",
        ..EMPTY
    },
    KnownHost {
        domains: &["instagram.com", "threads.net", "threads.com"],
        login_paths: &["/accounts/login", "/login"],
        reason: "redirects programs to its login page",
        ..EMPTY
    },
    KnownHost {
        domains: &["linkedin.com"],
        blocked_statuses: &[404, 999],
        login_paths: &["/authwall", "/login", "/signup", "/uas/login", "/checkpoint"],
        reason: "returns 999 to programs, returns 404 for members-only pages, or redirects to its login page",
        ..EMPTY
    },
    KnownHost {
        domains: &["medium.com"],
        login_paths: &["/m/global-identity", "/m/signin"],
        reason: "returns 403 to programs, and redirects in a loop if cookies are off",
        ..EMPTY
    },
    KnownHost {
        domains: &["web.archive.org"],
        pace: Some((2, 1000)),
        reason: "is slow, and returns 429 or refuses connections if requests come fast",
        ..EMPTY
    },
    KnownHost {
        domains: &["x.com", "twitter.com"],
        blocked_statuses: &[400, 403, 404],
        login_paths: &["/i/flow/login", "/login"],
        scripted_fragments: &[""],
        reason: "returns 400 or 404 to programs, and renders its pages with scripts",
        ..EMPTY
    },
    KnownHost {
        domains: &["youtube.com", "youtu.be"],
        scripted_fragments: &["t="],
        reason: "starts a video at `#t=30s` with a script",
        ..EMPTY
    },
];

impl KnownHost {
    /// Returns the profile of a host, by its name without a port.
    pub fn find(name: &str) -> Option<&'static KnownHost> {
        let name = name.trim_end_matches('.');
        let is_meant = |domain: &&str| name == *domain || is_below(name, domain);
        KNOWN_HOSTS.iter().find(|known| known.domains.iter().any(is_meant))
    }

    /// Whether a path is one of a login page.
    pub(crate) fn is_login(&self, path: &str) -> bool {
        self.login_paths.iter().any(|login| path.starts_with(login))
    }

    /// Whether its scripts handle a fragment.
    pub(crate) fn is_scripted(&self, fragment: &str) -> bool {
        self.scripted_fragments.iter().any(|beginning| {
            let rest = fragment.strip_prefix(beginning);
            // A one-letter prefix must be followed by a line number.
            rest.is_some_and(|rest| beginning.len() != 1 || rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{KNOWN_HOSTS, KnownHost};

    #[test]
    fn matches_domains_and_subdomains_only() {
        let domain = |name: &str| KnownHost::find(name).map(|known| known.domains[0]);
        for (name, found) in [
            ("github.com", Some("github.com")),
            ("gist.github.com", Some("github.com")),
            ("de.linkedin.com.", Some("linkedin.com")),
            ("mobile.twitter.com", Some("x.com")),
            ("notgithub.com", None),
            ("github.com.example.org", None),
            ("netflix.com", None),
            ("com", None),
        ] {
            assert_eq!(domain(name), found, "{name}");
        }
    }

    #[test]
    fn profiles_have_a_reason_a_date_and_unique_sorted_domains() {
        let mut domains: Vec<&str> = KNOWN_HOSTS.iter().flat_map(|known| known.domains).copied().collect();
        assert!(KNOWN_HOSTS.is_sorted_by_key(|known| known.domains[0]));
        assert!(KNOWN_HOSTS.iter().all(|known| !known.reason.is_empty() && known.date.len() == 10));
        domains.sort_unstable();
        let all = domains.len();
        domains.dedup();
        assert_eq!(domains.len(), all);
    }

    #[test]
    fn scripts_handle_lines_and_comments_but_not_headings() {
        let github = KnownHost::find("github.com").unwrap();
        let scripted_fragments =
            ["L10", "L10-L20", "L10C3-L12C9", "readme", "issuecomment-12", "License", "Releases", "install"];
        assert_eq!(
            scripted_fragments.map(|fragment| github.is_scripted(fragment)),
            [true, true, true, true, true, false, false, false]
        );
        assert!(KnownHost::find("gitlab.com").unwrap().is_scripted("anything"));
    }
}
