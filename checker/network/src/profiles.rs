//! What is known of hosts that answer programs otherwise than readers: the reason, and the day it was written down.
//!
//! None of it could be tried when it was written: it is what users and makers of link checkers report. Whoever finds a
//! host changed corrects its entry and its day; in a contract, `profile = false` sets an entry aside.

use sitegate_base::host_name::is_below;

/// What is known of a host.
#[derive(Debug, PartialEq, Eq)]
pub struct KnownHost {
    /// Its domains; what lies below them is meant too.
    pub domains: &'static [&'static str],
    /// Statuses that it answers to programs whatever the address.
    pub walls: &'static [u16],
    /// How the paths begin to which it leads whoever it does not know.
    pub logins: &'static [&'static str],
    /// How the fragments begin that its scripts answer, so that its pages do not have them as ids; an empty one is the
    /// beginning of all.
    pub scripted: &'static [&'static str],
    /// What it puts before the ids of what people write.
    pub prefix: Option<&'static str>,
    /// Requests at once, and milliseconds from the start of one to the start of the next, where it soon has too much.
    pub pace: Option<(usize, u64)>,
    /// In words.
    pub reason: &'static str,
    /// When this was written down.
    pub written: &'static str,
}

/// A host of which nothing is known.
const NOTHING: KnownHost = KnownHost {
    domains: &[],
    walls: &[],
    logins: &[],
    scripted: &[],
    prefix: None,
    pace: None,
    reason: "",
    written: "2026-11-22",
};

/// All of which something is known, by their first domain.
pub const KNOWN_HOSTS: &[KnownHost] = &[
    KnownHost {
        domains: &["accounts.google.com"],
        logins: &["/"],
        reason: "is where Google leads those to whom a document is not open",
        ..NOTHING
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
        walls: &[500, 503],
        reason: "answers programs as if it were down",
        ..NOTHING
    },
    KnownHost {
        domains: &["bitbucket.org"],
        scripted: &[""],
        reason: "writes its pages by scripts, and so what fragments lead to",
        ..NOTHING
    },
    KnownHost {
        domains: &["docs.google.com", "drive.google.com"],
        scripted: &[""],
        reason: "reads fragments (`#gid=0`, `#heading=h.x`) by scripts",
        ..NOTHING
    },
    KnownHost {
        domains: &["facebook.com"],
        walls: &[400],
        logins: &["/login", "/checkpoint"],
        reason: "answers 400 to programs, or leads them to its login",
        ..NOTHING
    },
    KnownHost {
        domains: &["github.com"],
        scripted: &[
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
        reason: "puts `user-content-` before the ids of headings, shows lines and comments by scripts, and answers 429 soon",
        ..NOTHING
    },
    KnownHost {
        domains: &["gitlab.com"],
        scripted: &[""],
        reason: "writes files, lines and comments by scripts",
        ..NOTHING
    },
    KnownHost {
        domains: &["instagram.com", "threads.net", "threads.com"],
        logins: &["/accounts/login", "/login"],
        reason: "leads programs to its login",
        ..NOTHING
    },
    KnownHost {
        domains: &["linkedin.com"],
        walls: &[404, 999],
        logins: &["/authwall", "/login", "/signup", "/uas/login", "/checkpoint"],
        reason: "answers 999 to programs, or 404 for what only members see, or leads to its wall",
        ..NOTHING
    },
    KnownHost {
        domains: &["medium.com"],
        logins: &["/m/global-identity", "/m/signin"],
        reason: "answers 403 to programs, and leads in a circle where no cookie is kept",
        ..NOTHING
    },
    KnownHost {
        domains: &["web.archive.org"],
        pace: Some((2, 1000)),
        reason: "is slow, and answers 429 or refuses connections to those who ask fast",
        ..NOTHING
    },
    KnownHost {
        domains: &["x.com", "twitter.com"],
        walls: &[400, 403, 404],
        logins: &["/i/flow/login", "/login"],
        scripted: &[""],
        reason: "answers 400 or 404 to programs, and writes its pages by scripts",
        ..NOTHING
    },
    KnownHost {
        domains: &["youtube.com", "youtu.be"],
        scripted: &["t="],
        reason: "starts a film by its script where `#t=30s` says",
        ..NOTHING
    },
];

impl KnownHost {
    /// What is known of a host, by its name without a port.
    pub fn of(name: &str) -> Option<&'static KnownHost> {
        let name = name.trim_end_matches('.');
        let is_meant = |domain: &&str| name == *domain || is_below(name, domain);
        KNOWN_HOSTS.iter().find(|known| known.domains.iter().any(is_meant))
    }

    /// Whether a path is one to which it leads whoever it does not know.
    pub(crate) fn is_login(&self, path: &str) -> bool {
        self.logins.iter().any(|login| path.starts_with(login))
    }

    /// Whether its scripts answer a fragment.
    pub(crate) fn is_scripted(&self, fragment: &str) -> bool {
        self.scripted.iter().any(|beginning| {
            let rest = fragment.strip_prefix(beginning);
            // A single letter stands before the number of a line.
            rest.is_some_and(|rest| beginning.len() != 1 || rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{KNOWN_HOSTS, KnownHost};

    #[test]
    fn hosts_are_known_by_their_domains_and_by_nothing_like_them() {
        let domain = |name: &str| KnownHost::of(name).map(|known| known.domains[0]);
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
    fn each_entry_says_something_and_no_domain_stands_twice() {
        let mut domains: Vec<&str> = KNOWN_HOSTS.iter().flat_map(|known| known.domains).copied().collect();
        assert!(KNOWN_HOSTS.is_sorted_by_key(|known| known.domains[0]));
        assert!(KNOWN_HOSTS.iter().all(|known| !known.reason.is_empty() && known.written.len() == 10));
        domains.sort_unstable();
        let all = domains.len();
        domains.dedup();
        assert_eq!(domains.len(), all);
    }

    #[test]
    fn scripts_answer_lines_and_comments_and_no_headings() {
        let github = KnownHost::of("github.com").unwrap();
        let scripted =
            ["L10", "L10-L20", "L10C3-L12C9", "readme", "issuecomment-12", "License", "Releases", "install"];
        assert_eq!(
            scripted.map(|fragment| github.is_scripted(fragment)),
            [true, true, true, true, true, false, false, false]
        );
        assert!(KnownHost::of("gitlab.com").unwrap().is_scripted("anything"));
    }
}
