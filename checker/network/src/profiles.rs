//! Profiles of hosts that treat programs differently from readers, each with its reason and date.
//!
//! The entries are based on reports of users and authors of link checkers, not on tests. If a host changes,
//! correct its entry and date. In a contract, `profile = false` ignores an entry.

use sitegate_base::host_name::is_below;

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

/// All profiles, sorted by their first domain.
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
