//! Reads robots.txt, which asks crawlers not to request certain URLs (RFC 9309): groups of rules, and sitemaps.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem, memrchr};
use sitegate_base::field_lines::{Field, fields};

/// Maximum number of bytes with rules. The standard demands at least 500 KiB (RFC 9309, 2.5).
pub const MAX_BYTES: usize = 512 << 10;

/// Maximum number of `*` in all patterns. Beyond it, a pattern ends before its first one.
const MAX_STARS: usize = 2000;

/// The name of the group for crawlers that no other group names.
pub const ANY_AGENT: &str = "*";

/// The content of a robots.txt.
#[derive(Clone, Debug, Default)]
pub struct RobotsFile {
    /// The groups, in the order of the file.
    pub groups: Vec<RobotsGroup>,
    /// The spans of the sitemaps' URLs, in bytes.
    pub sitemaps: Vec<Range<usize>>,
    /// Lines that were meant as rules, and that crawlers ignore.
    pub ignored: Vec<IgnoredLine>,
}

/// A line that crawlers ignore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredLine {
    /// The reason.
    pub reason: IgnoredReason,
    /// The span of the value, in bytes.
    pub span: Range<usize>,
}

/// Why crawlers ignore a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoredReason {
    /// `Noindex` and `Nofollow`: Google ended its support in September 2019 ("A note on unsupported rules in robots.txt").
    Unsupported,
    /// A rule before the first `User-agent`, so in no group (RFC 9309, 2.2).
    NoAgent,
    /// A rule whose value is no path, so that it matches none.
    NotAPath,
}

/// Rules for the crawlers that the group names.
#[derive(Clone, Debug, Default)]
pub struct RobotsGroup {
    /// The names, as written.
    pub agents: Vec<Box<str>>,
    /// Whether a line that is no rule, such as `Crawl-delay`, is between its names. It does not end the group (RFC 9309,
    /// 2.2.4).
    pub is_joined: bool,
    /// The rules that have a pattern.
    pub rules: Vec<RobotsRule>,
}

/// A rule: whether URLs whose paths match a pattern may be requested.
#[derive(Clone, Debug)]
pub struct RobotsRule {
    /// Whether they may.
    pub allows: bool,
    /// The span of the pattern, in bytes.
    pub span: Range<usize>,
    /// The pattern, normalized like the paths that it is compared with.
    pattern: Vec<u8>,
}

impl RobotsFile {
    /// Reads a file. Invalid lines are ignored, and so are rules after [`MAX_BYTES`], or in the line that it cuts off.
    pub fn read(text: &[u8]) -> RobotsFile {
        let end = text.get(..MAX_BYTES).map_or(text.len(), |start| memrchr(b'\n', start).unwrap_or_default());
        let mut robots = RobotsFile::default();
        let (mut stars, mut names_end, mut other_line) = (0, true, false);
        for field in fields(text) {
            let value = field.without_comment();
            let span = field.at..field.at + value.len();
            if field.is("sitemap") {
                other_line = true;
                robots.sitemaps.push(span);
            } else if span.end <= end && field.is("user-agent") {
                if names_end {
                    robots.groups.push(RobotsGroup::default());
                    names_end = false;
                }
                if let Some(group) = robots.groups.last_mut() {
                    group.is_joined |= other_line && !group.agents.is_empty();
                    group.agents.push(String::from_utf8_lossy(value).into());
                }
                other_line = false;
            } else if span.end <= end
                && let Some(allows) = allows(&field)
            {
                names_end = true;
                let is_path = value.is_empty() || value.starts_with(b"/") || value.starts_with(b"*");
                let reason = match () {
                    () if robots.groups.is_empty() => Some(IgnoredReason::NoAgent),
                    () if !is_path => Some(IgnoredReason::NotAPath),
                    () => None,
                };
                robots.ignored.extend(reason.map(|reason| IgnoredLine { reason, span: span.clone() }));
                let pattern = bounded(normalize(value).into_owned(), allows, &mut stars);
                if let Some(group) = robots.groups.last_mut()
                    && !pattern.is_empty()
                {
                    group.rules.push(RobotsRule { allows, span, pattern });
                }
            } else {
                other_line = true;
                if field.is("noindex") || field.is("nofollow") {
                    robots.ignored.push(IgnoredLine { reason: IgnoredReason::Unsupported, span });
                }
            }
        }
        robots
    }

    /// Whether a crawler may request a URL with this path (encoded, with its query).
    pub fn allows(&self, agent: &str, path: &str) -> bool {
        self.deciding_rule(agent, path).is_none_or(|rule| rule.allows)
    }

    /// Returns the rule that decides about a path for a crawler: the longest matching pattern; among equally long ones,
    /// the one that allows.
    pub fn deciding_rule(&self, agent: &str, path: &str) -> Option<&RobotsRule> {
        let agent = if self.groups.iter().any(|group| group.names(agent)) { agent } else { ANY_AGENT };
        let groups = self.groups.iter().filter(|group| group.names(agent));
        let path = normalize(path.as_bytes());
        let matching = groups.flat_map(|group| &group.rules).filter(|rule| matches(&rule.pattern, &path));
        matching.max_by_key(|rule| (rule.pattern.len(), rule.allows))
    }

    /// Returns the value that disallows all paths for every crawler; none if the rules for one crawler, or for all, allow
    /// any path. The groups that name the same crawler are one (RFC 9309, 2.2.1).
    pub fn disallows_all(&self) -> Option<DisallowsAll<'_>> {
        // For each crawler, whether a rule disallows all paths, and whether one allows any.
        let mut crawlers: BTreeMap<String, (bool, bool)> = BTreeMap::new();
        let mut deciding = None;
        for group in &self.groups {
            let all = group.rules.iter().rfind(|rule| rule.is_for_all());
            let allows = group.rules.iter().any(|rule| rule.allows);
            for name in &group.agents {
                let (is_hidden, is_allowed) = crawlers.entry(name.to_ascii_lowercase()).or_default();
                *is_hidden |= all.is_some();
                *is_allowed |= allows;
            }
            if let Some(rule) = all.filter(|_| group.names(ANY_AGENT)) {
                deciding.get_or_insert((group, rule));
            }
        }
        let are_hidden = crawlers.values().all(|(is_hidden, is_allowed)| *is_hidden && !is_allowed);
        let (group, rule) = deciding.filter(|_| are_hidden)?;
        let other = group.agents.iter().find(|name| &***name != ANY_AGENT);
        let joined_to = other.filter(|_| group.is_joined).map(|name| &**name);
        Some(DisallowsAll { span: rule.span.clone(), joined_to })
    }
}

/// A rule that disallows all paths for every crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisallowsAll<'r> {
    /// The span of its pattern.
    pub span: Range<usize>,
    /// Another crawler of its group, if a line that is no rule is between the names.
    pub joined_to: Option<&'r str>,
}

impl RobotsRule {
    /// Whether it disallows all paths.
    fn is_for_all(&self) -> bool {
        let is_whole = self.span.len() == self.pattern.len();
        !self.allows && matches!(&*self.pattern, b"/" | b"/*" | b"*") && is_whole
    }
}

impl RobotsGroup {
    /// Whether the group is for a crawler.
    fn names(&self, agent: &str) -> bool {
        self.agents.iter().any(|name| name.eq_ignore_ascii_case(agent))
    }
}

/// Whether a rule allows; `None` for other fields.
fn allows(field: &Field<'_>) -> Option<bool> {
    [("allow", true), ("disallow", false)]
        .into_iter()
        .find_map(|(name, allows)| field.is(name).then_some(allows))
}

/// Cuts off a pattern at its first `*`, if all patterns together have too many.
fn bounded(mut pattern: Vec<u8>, allows: bool, stars: &mut usize) -> Vec<u8> {
    *stars += memchr_iter(b'*', &pattern).count();
    if *stars > MAX_STARS
        && let Some(star) = memchr(b'*', &pattern)
    {
        // A shorter pattern matches more, so only a rule that disallows stays valid.
        pattern.truncate(if allows { 0 } else { star });
    }
    pattern
}

/// Normalizes a path for comparison: bytes beyond ASCII are escaped, and needless escapes are removed.
fn normalize(path: &[u8]) -> Cow<'_, [u8]> {
    if path.is_ascii() && memchr(b'%', path).is_none() {
        return Cow::Borrowed(path);
    }
    let mut normalize = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let escaped = match (byte, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        let byte = match escaped {
            Some(plain) if plain.is_ascii_alphanumeric() || b"-._~".contains(&plain) => {
                rest = &after[2..];
                plain
            }
            Some(other) => {
                rest = &after[2..];
                normalize.extend(format!("%{other:02X}").bytes());
                continue;
            }
            None => byte,
        };
        if byte.is_ascii() { normalize.push(byte) } else { normalize.extend(format!("%{byte:02X}").bytes()) }
    }
    Cow::Owned(normalize)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Whether a path matches a pattern: `*` matches anything, and `$` at the end matches the end of the path.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, is_whole) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split(|byte| *byte == b'*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    let has_star = parts.peek().is_some();
    while let Some(part) = parts.next() {
        if is_whole && parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = memmem::find(rest, part) else { return false };
        rest = &rest[at + part.len()..];
    }
    !is_whole || rest.is_empty() || has_star
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{ANY_AGENT, IgnoredReason, RobotsFile};

    const AGENT: &str = "sitegate";

    #[test]
    fn the_longest_matching_pattern_decides() {
        let robots = RobotsFile::read(
            b"\xef\xbb\xbfUser-agent: *\nDisallow: /private # not for programs\nAllow: /private/open\nDisallow: /*.pdf$\n\
              Disallow:\nDisallow: /caf\xc3\xa9\nDisallow: /a%7eb\nDisallow: /x*y*z$\nDisallow: /same\nAllow: /same\n",
        );
        let refused =
            ["/private", "/private/x", "/privately", "/a/b.pdf", "/caf%C3%A9/x", "/a~b", "/x1y2z", "/xyzz"];
        for path in refused {
            assert!(!robots.allows(AGENT, path), "{path}");
        }
        for path in ["/", "/private/open/x", "/b.pdf.html", "/cafe", "/Private", "/x1y2za", "/same"] {
            assert!(robots.allows(AGENT, path), "{path}");
        }
    }

    #[test]
    fn many_and_long_patterns_take_linear_time() {
        let path = format!("/{}", "a".repeat(4000));
        let stars = format!("Disallow: /{}b\n", "*a".repeat(900));
        let many = "Disallow: /*a*b\n".repeat(1_000);
        let start = Instant::now();
        for rules in [stars.repeat(2), format!("Disallow: /*{}b$\n", "a".repeat(3000)), many] {
            let robots = RobotsFile::read(format!("User-agent: *\n{rules}Disallow: /z\n").as_bytes());
            assert!(robots.allows(AGENT, &path));
            assert!(!robots.allows(AGENT, "/z"));
        }
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        // Past the limit, a rule disallows more instead of less.
        let robots = RobotsFile::read(
            format!("User-agent: *\n{}Disallow: /a/*.pdf\nAllow: /a/*.html", "Disallow: /*x\n".repeat(2000))
                .as_bytes(),
        );
        assert!(!robots.allows(AGENT, "/a/b.html") && robots.allows(AGENT, "/b.pdf"));
    }

    #[test]
    fn reads_the_beginning_of_a_huge_file() {
        let mut text = b"User-agent: *\nDisallow: /private\n".to_vec();
        text.resize(super::MAX_BYTES - 12, b'#');
        text.extend(b"\nDisallow: /public/x\n");
        let robots = RobotsFile::read(&text);
        assert!(
            !robots.allows(AGENT, "/private")
                && robots.allows(AGENT, "/public/y")
                && robots.allows(AGENT, "/pub")
        );
    }

    #[test]
    fn rules_for_this_program_replace_those_for_all() {
        let robots = RobotsFile::read(
            b"User-agent: other\nUser-agent: SiteGate\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: sitegate\nDisallow: /b\n",
        );
        assert_eq!(["/a", "/b", "/c"].map(|path| robots.allows(AGENT, path)), [false, false, true]);
        let open = RobotsFile::read(b"User-agent: sitegate\nDisallow:\n\nUser-agent: *\nDisallow: /\n");
        assert!(open.allows(AGENT, "/a"));
    }

    #[test]
    fn finds_the_spans_of_rules_and_sitemaps() {
        let text =
            "User-agent: *\nDisallow: /a/*.pdf # no\nsitemap:  /sitemap.xml # all\r\n#Sitemap: /no.xml\n";
        let robots = RobotsFile::read(text.as_bytes());
        let rule =
            robots.deciding_rule(AGENT, "/a/b.pdf").map(|rule| (rule.allows, &text[rule.span.clone()]));
        assert_eq!(rule, Some((false, "/a/*.pdf")));
        assert!(robots.deciding_rule(AGENT, "/b").is_none());
        let sitemaps: Vec<&str> = robots.sitemaps.iter().map(|span| &text[span.clone()]).collect();
        assert_eq!(sitemaps, ["/sitemap.xml"]);
    }

    #[test]
    fn rules_before_any_name_are_of_no_group() {
        let robots =
            RobotsFile::read(b"Disallow: /\nUser-agent: a\nCrawl-delay: 1\nUser-agent: *\nDisallow: /b\n");
        assert!(
            robots.allows(ANY_AGENT, "/a") && !robots.allows(ANY_AGENT, "/b") && !robots.allows("A", "/b")
        );
    }

    #[test]
    fn finds_a_robots_txt_that_disallows_everything() {
        for text in [
            "User-agent: *\nDisallow: /\n",
            "user-agent: *\ndisallow: /* # all\nSitemap: /s.xml\n",
            "User-agent: A\nUser-agent: *\nDisallow: /\nDisallow: /x\nAllow:\n",
            "User-agent: A\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 1\nDisallow: /\n",
            "\u{feff}User-agent: *\nDisallow: /\n",
            "User-agent: *\nDisallow: /\nUser-agent: *\nDisallow:\n",
            "User-agent: A\nDisallow: /\nUser-agent: *\nDisallow: /\nUser-agent: a\nDisallow: /x\n",
        ] {
            let robots = RobotsFile::read(text.as_bytes());
            let all = robots.disallows_all();
            assert!(all.is_some_and(|all| text[all.span.start..].starts_with('/')), "{text}");
        }
        for text in [
            "",
            "Disallow: /\n",
            "User-agent: *\nDisallow:\n",
            "User-agent: *\nDisallow: /drafts/\n",
            "User-agent: *\nDisallow: /\nAllow: /blog/\n",
            "User-agent: badbot\nDisallow: /\n",
            "User-agent: Googlebot\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
            "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /\n",
            "User-agent: *\nDisallow: /\nUser-agent: *\nAllow: /blog/\n",
            "User-agent: *\nDisallow:\nUser-agent: badbot\nDisallow: /\n",
        ] {
            assert_eq!(RobotsFile::read(text.as_bytes()).disallows_all(), None, "{text}");
        }
    }

    #[test]
    fn a_line_that_is_no_rule_does_not_end_a_group() {
        let joined_to = |text: &str| {
            let robots = RobotsFile::read(text.as_bytes());
            robots.disallows_all().and_then(|all| all.joined_to.map(str::to_owned))
        };
        let bad = Some("badbot".to_owned());
        assert_eq!(joined_to("User-agent: *\nCrawl-delay: 9\n\nUser-agent: badbot\nDisallow: /\n"), bad);
        assert_eq!(joined_to("User-agent: badbot\nSitemap: /s.xml\nUser-agent: *\nDisallow: /\n"), bad);
        assert_eq!(joined_to("User-agent: *\nUser-agent: badbot\nDisallow: /\n"), None);
        assert_eq!(joined_to("User-agent: *\nCrawl-delay: 9\nDisallow: /\n"), None);
    }

    #[test]
    fn finds_lines_that_crawlers_ignore() {
        let text = "Disallow: /a\nUser-agent: *\nNoindex: /b # no\nDisallow: c/\nAllow: https://x.org/d\nDisallow:\n\
                    Disallow: *.pdf\nDisallow: /e\nCrawl-delay: 1\nnofollow: /f\n";
        let ignored = RobotsFile::read(text.as_bytes()).ignored;
        let found: Vec<_> = ignored.iter().map(|line| (line.reason, &text[line.span.clone()])).collect();
        let expected = [
            (IgnoredReason::NoAgent, "/a"),
            (IgnoredReason::Unsupported, "/b"),
            (IgnoredReason::NotAPath, "c/"),
            (IgnoredReason::NotAPath, "https://x.org/d"),
            (IgnoredReason::Unsupported, "/f"),
        ];
        assert_eq!(found, expected);
    }
}
