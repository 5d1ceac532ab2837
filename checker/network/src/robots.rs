//! Parses robots.txt, which asks programs not to request certain URLs (RFC 9309).

use memchr::{memchr, memchr_iter, memmem, memrchr};

/// The name of this program in robots.txt.
const NAME: &str = "sitegate";

/// Maximum number of bytes to read. The standard demands at least 500 KiB (RFC 9309, 2.5).
pub(crate) const MAX_BYTES: usize = 512 << 10;

/// Maximum number of `*` in all patterns. Beyond it, a pattern ends before its first one.
const MAX_STARS: usize = 2000;

/// The rules of a site for this program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Robots {
    /// Path patterns, and whether they are allowed.
    rules: Vec<(bool, Vec<u8>)>,
}

impl Robots {
    /// Parses a file. Invalid lines are ignored, and so is the last one that [`MAX_BYTES`] cuts off.
    pub(crate) fn read(text: &[u8]) -> Robots {
        let text = match text.get(..MAX_BYTES) {
            Some(start) => &start[..memrchr(b'\n', start).unwrap_or_default()],
            None => text,
        };
        let text = String::from_utf8_lossy(text);
        let mut stars = 0;
        let (mut own, mut of_all) = (Vec::new(), Vec::new());
        let (mut is_own, mut is_of_all, mut names_end, mut has_own) = (false, false, true, false);
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            match key.as_str() {
                "user-agent" => {
                    if names_end {
                        (is_own, is_of_all, names_end) = (false, false, false);
                    }
                    is_of_all |= value == "*";
                    is_own |= value.eq_ignore_ascii_case(NAME);
                    has_own |= is_own;
                }
                "allow" | "disallow" => {
                    names_end = true;
                    let is_allowed = key == "allow";
                    let mut pattern = normalize(value.as_bytes());
                    stars += memchr_iter(b'*', &pattern).count();
                    if stars > MAX_STARS
                        && let Some(star) = memchr(b'*', &pattern)
                    {
                        // A shorter pattern matches more, so only a rule that disallows stays valid.
                        pattern.truncate(if is_allowed { 0 } else { star });
                    }
                    if is_own && !pattern.is_empty() {
                        own.push((is_allowed, pattern.clone()));
                    }
                    if is_of_all && !pattern.is_empty() {
                        of_all.push((is_allowed, pattern));
                    }
                }
                _ => {}
            }
        }
        Robots { rules: if has_own { own } else { of_all } }
    }

    /// Whether a path may be requested. The longest matching pattern decides; among equally long ones, the one
    /// that allows.
    pub(crate) fn allows(&self, path: &str) -> bool {
        let path = normalize(path.as_bytes());
        let matching = self.rules.iter().filter(|(_, pattern)| matches_path(pattern, &path));
        matching.max_by_key(|(allows, pattern)| (pattern.len(), *allows)).is_none_or(|(allows, _)| *allows)
    }
}

/// Normalizes a path for comparison: bytes beyond ASCII are escaped, and needless escapes are removed.
fn normalize(path: &[u8]) -> Vec<u8> {
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
    normalize
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Whether a path matches a pattern: `*` matches anything, and `$` at the end matches the end of the path.
fn matches_path(pattern: &[u8], path: &[u8]) -> bool {
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

    use super::Robots;

    #[test]
    fn the_longest_matching_pattern_decides() {
        let robots = Robots::read(
            b"\xef\xbb\xbfUser-agent: *\nDisallow: /private # not for programs\nAllow: /private/open\nDisallow: /*.pdf$\n\
              Disallow:\nDisallow: /caf\xc3\xa9\nDisallow: /a%7eb\nDisallow: /x*y*z$\nDisallow: /same\nAllow: /same\n",
        );
        let refused =
            ["/private", "/private/x", "/privately", "/a/b.pdf", "/caf%C3%A9/x", "/a~b", "/x1y2z", "/xyzz"];
        for path in refused {
            assert!(!robots.allows(path), "{path}");
        }
        for path in ["/", "/private/open/x", "/b.pdf.html", "/cafe", "/Private", "/x1y2za", "/same"] {
            assert!(robots.allows(path), "{path}");
        }
    }

    #[test]
    fn many_and_long_patterns_take_linear_time() {
        let path = format!("/{}", "a".repeat(4000));
        let stars = format!("Disallow: /{}b\n", "*a".repeat(900));
        let many = "Disallow: /*a*b\n".repeat(1_000);
        let start = Instant::now();
        for rules in [stars.repeat(2), format!("Disallow: /*{}b$\n", "a".repeat(3000)), many] {
            let robots = Robots::read(format!("User-agent: *\n{rules}Disallow: /z\n").as_bytes());
            assert!(robots.allows(&path));
            assert!(!robots.allows("/z"));
        }
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        // Past the limit, a rule disallows more instead of less.
        let robots = Robots::read(
            format!("User-agent: *\n{}Disallow: /a/*.pdf\nAllow: /a/*.html", "Disallow: /*x\n".repeat(2000))
                .as_bytes(),
        );
        assert!(!robots.allows("/a/b.html") && robots.allows("/b.pdf"));
    }

    #[test]
    fn reads_the_beginning_of_a_huge_file() {
        let mut text = b"User-agent: *\nDisallow: /private\n".to_vec();
        text.resize(super::MAX_BYTES - 12, b'#');
        text.extend(b"\nDisallow: /public/x\n");
        let robots = Robots::read(&text);
        assert!(!robots.allows("/private") && robots.allows("/public/y") && robots.allows("/pub"));
    }

    #[test]
    fn rules_for_this_program_replace_those_for_all() {
        let robots = Robots::read(
            b"User-agent: other\nUser-agent: SiteGate\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: sitegate\nDisallow: /b\n",
        );
        assert_eq!(["/a", "/b", "/c"].map(|path| robots.allows(path)), [false, false, true]);
        let open = Robots::read(b"User-agent: sitegate\nDisallow:\n\nUser-agent: *\nDisallow: /\n");
        assert!(open.allows("/a"));
    }
}
