//! Reads the lines of a redirects file, `_redirects`: `FROM TO [STATUS]`, as on Netlify and Cloudflare Pages.

use std::ops::Range;

use sitegate_address::UrlReference;

use super::redirect::{Redirect, RedirectOrigin};
use crate::hosts::{Host, REDIRECTS_FILE, RedirectLimits, redirect_limits};

/// The lines of a redirects file.
#[derive(Debug, Default)]
pub(super) struct RedirectLines {
    /// The redirects.
    pub all: Vec<Redirect>,
    /// Lines that are not redirects, and why.
    pub malformed: Vec<(Range<u32>, &'static str)>,
}

/// Reads a redirects file of any bytes: a line that is not UTF-8 is malformed.
pub(super) fn lines_of_bytes(mut bytes: Vec<u8>, host: Option<Host>) -> RedirectLines {
    let mut not_utf8 = Vec::new();
    let mut start = 0;
    for line in bytes.split_mut(|byte| *byte == b'\n') {
        let end = start + line.len();
        if std::str::from_utf8(line).is_err() {
            not_utf8.push((start as u32..end as u32, "it is not UTF-8"));
            line.fill(b' ');
        }
        start = end + 1;
    }
    let mut lines = lines(&String::from_utf8_lossy(&bytes), host);
    lines.malformed.extend(not_utf8);
    lines
}

/// Reads a redirects file as a host does.
///
/// On Cloudflare Pages redirects come before files, and their default status is 302 ("Redirects" in its
/// documentation). GitLab Pages ignores redirects that are forced or have query conditions ("GitLab Pages
/// redirects").
pub(super) fn lines(text: &str, host: Option<Host>) -> RedirectLines {
    let is_cloudflare = host == Some(Host::CloudflarePages);
    let mut found = RedirectLines::default();
    // Hosts skip a byte order mark, as white space.
    let lines = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut start = text.len() - lines.len();
    for line in lines.split('\n') {
        let default_status = if is_cloudflare { "302" } else { "301" };
        match redirect(without_comment(line).trim_end(), start, default_status) {
            Ok(Some(redirect)) if is_cloudflare && let Some(fault) = cloudflare_fault(&redirect) => {
                found.malformed.push((redirect.span, fault));
            }
            Ok(redirect) => {
                let unset = redirect.as_ref().filter(|redirect| has_unset_placeholder(redirect));
                found.malformed.extend(unset.map(|one| (one.span.clone(), UNSET)));
                found.all.extend(redirect);
            }
            Err(malformed) => found.malformed.push(malformed),
        }
        start += line.len() + 1;
    }
    if let Some(limits) = redirect_limits(host) {
        report_excess(&mut found, limits, is_cloudflare);
    }
    if is_cloudflare {
        found.all.iter_mut().for_each(|redirect| redirect.force = redirect.status != 200);
    }
    if host == Some(Host::GitlabPages) {
        found.all.retain(|redirect| !redirect.force && !redirect.is_conditional());
    }
    found
}

const UNSET: &str =
    "its destination has a placeholder that its source does not have, so that visitors get its name";

/// Whether a destination has a placeholder that nothing fills: hosts leave it as it is.
fn has_unset_placeholder(redirect: &Redirect) -> bool {
    // Conditions of the query set some, too.
    if redirect.has_conditions {
        return false;
    }
    let has_segment = |name: &str| redirect.from.split('/').any(|segment| segment == name);
    let path = UrlReference::new(redirect.to.as_str()).path();
    path.split('/').any(|segment| {
        let is_placeholder = segment.len() > 1
            && segment.strip_prefix(':').is_some_and(|name| {
                name.starts_with(|c: char| c.is_ascii_alphabetic())
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            });
        let is_set = if segment == ":splat" { redirect.from.contains('*') } else { has_segment(segment) };
        is_placeholder && !is_set
    })
}

/// Reports the first redirect that exceeds the limits of a host. Links that only the dropped ones answer are not reported:
/// this has to be fixed first.
///
/// Cloudflare Pages counts all lines after the first with a pattern as patterns, and stops reading when there are too many
/// (`canCreateStaticRule` in `parseRedirects.ts` of workers-sdk, November 2026; kgateway-dev/kgateway.dev#1003).
fn report_excess(found: &mut RedirectLines, limits: RedirectLimits, counts_later_lines: bool) {
    let (mut plain, mut patterns) = (0, 0);
    let excess = found.all.iter().position(|redirect| {
        let is_counted = redirect.is_pattern() || counts_later_lines && patterns > 0;
        let (number, most) =
            if is_counted { (&mut patterns, limits.patterns) } else { (&mut plain, limits.plain) };
        *number += 1;
        *number > most
    });
    let Some(first) = excess else { return };
    let reason = if counts_later_lines && patterns > limits.patterns {
        "Cloudflare Pages reads 100 lines from the first with `*` or `:name` on; move the plain lines before it"
    } else {
        "the host reads 2,000 redirects (GitLab Pages: 1,000), and drops this one and those after it"
    };
    found.malformed.push((found.all[first].span.clone(), reason));
}

/// Returns the redirect of a line without its comment; `None` if the line is empty, or has no valid status.
///
/// # Errors
/// The location and the reason if it is malformed.
fn redirect(
    line: &str,
    start: usize,
    default_status: &str,
) -> Result<Option<Redirect>, (Range<u32>, &'static str)> {
    let span_of = |word: &str| {
        let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
        at as u32..(at + word.len()) as u32
    };
    let mut words = line.split_ascii_whitespace();
    let Some(from) = words.next() else { return Ok(None) };
    // `key=value` words between the two are conditions for the query.
    let mut before = 0;
    let Some(to) = words.by_ref().inspect(|_| before += 1).find(|word| is_destination(word)) else {
        return Err((span_of(from), "it has no destination"));
    };
    if !from.starts_with('/') && !from.contains("://") {
        return Err((span_of(from), "its source must begin with `/`"));
    }
    let (mut written, mut has_conditions) = (default_status, before > 1);
    for (at, word) in words.enumerate() {
        // A condition, such as `Country=de`. The status may be left out before it.
        if word.contains('=') {
            has_conditions |= !is_signature(word);
        } else if at == 0 {
            written = word;
        }
    }
    let (number, force) = written.strip_suffix('!').map_or((written, false), |number| (number, true));
    let Ok(status) = number.parse() else { return Ok(None) };
    let origin = RedirectOrigin::File(REDIRECTS_FILE);
    let redirect = Redirect::new((from, to.to_owned()), (status, force), span_of(to), origin);
    Ok(Some(Redirect { has_conditions, ..redirect }))
}

/// Returns the reason why Cloudflare Pages ignores a line ("Redirects" in its documentation, the table of advanced
/// redirects, November 2026).
fn cloudflare_fault(redirect: &Redirect) -> Option<&'static str> {
    if redirect.from.contains("://") {
        Some("Cloudflare Pages ignores a source with a host; write a path, or use a bulk redirect")
    } else if redirect.has_conditions {
        Some("Cloudflare Pages ignores lines with conditions")
    } else if redirect.status == 200 && redirect.to.contains("://") {
        Some("Cloudflare Pages proxies (200) paths of the site only")
    } else if serves_index(redirect) {
        Some("Cloudflare Pages takes a rule from a folder to an index file for a loop, and ignores it")
    } else if redirect.force {
        Some("Cloudflare Pages ignores lines with `!`; there, redirects always come before files")
    } else if !matches!(redirect.status, 200 | 301 | 302 | 303 | 307 | 308) {
        Some("Cloudflare Pages ignores this status; it has 200, 301, 302, 303, 307 and 308")
    } else {
        None
    }
}

/// Whether Cloudflare finds a loop in a rule: its source is a folder or everything in one, and its destination is an
/// index file (`parseRedirects.ts` of workers-sdk, November 2026).
fn serves_index(redirect: &Redirect) -> bool {
    let is_own = !redirect.to.contains("://") && !redirect.to.starts_with("//");
    let is_index = redirect.to.ends_with("/index.html") || redirect.to.ends_with("/index");
    is_own && is_index && (redirect.from.ends_with('/') || redirect.from.ends_with("/*"))
}

/// Whether a word names the secret that signs the requests of a proxy, which applies to every reader.
fn is_signature(word: &str) -> bool {
    word.split('=').next().is_some_and(|key| matches!(key, "Sign" | "signed" | "Signed"))
}

fn is_destination(word: &str) -> bool {
    word.starts_with('/') || word.contains("://")
}

/// Returns a line without its comment: a word that begins with `#`. Within a word, `#` begins a fragment.
fn without_comment(line: &str) -> &str {
    let mut marks = line.match_indices('#').map(|(at, _)| &line[..at]);
    marks.find(|before| !before.ends_with(|c: char| !c.is_ascii_whitespace())).unwrap_or(line)
}
