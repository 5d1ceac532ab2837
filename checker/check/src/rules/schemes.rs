//! Recognizes misspelled, incomplete and missing schemes of references.

use super::queries::strip_scheme;
use crate::raw_finding::Certainty;
use sitegate_base::nearest::nearest;

/// Why a scheme is the one that was meant.
pub(crate) const REASON: &str = "no other scheme is as similar";

/// Returns a reference with the scheme that a misspelled, incomplete or missing one most likely means.
pub(crate) fn corrected(text: &str) -> Option<(Certainty, String)> {
    if let Some(meant) = add(text) {
        // `https//host` lacks only a colon.
        let certainty = Certainty::certain_if(meant.len() == text.trim().len() + 1);
        return Some((certainty, meant));
    }
    fault(text.trim()).map(|fault| (certainty(fault.scheme), fault.meant))
}

/// Returns how sure it is that a misspelled scheme means this one.
pub(super) fn certainty(scheme: &str) -> Certainty {
    Certainty::certain_if(scheme != "javascript")
}

/// A misspelled start of a reference.
#[derive(Debug, PartialEq)]
pub(super) struct SchemeFault {
    /// The end of a message, after the reference.
    pub message: String,
    /// The reference that was most likely meant.
    pub meant: String,
    pub scheme: &'static str,
}

/// Returns what is wrong with the start of a reference.
pub(super) fn fault(text: &str) -> Option<SchemeFault> {
    // Fast path: almost all external references.
    let usual = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    if usual.is_some_and(|rest| !rest.starts_with('/')) {
        return None;
    }
    let (scheme, rest) = text.split_once(':')?;
    if scheme.len() > 12 || !scheme.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    let bare = rest.trim_start_matches(['/', '\\']);
    if let Some(scheme) = ["http", "https"].into_iter().find(|known| *known == scheme) {
        let slashes = rest.len() - bare.len();
        let number = match slashes {
            2 => return None,
            0 => "no slash",
            1 => "one slash",
            _ => "too many slashes",
        };
        let message = format!("has {number} after `{scheme}:` instead of two");
        return Some(SchemeFault { message, meant: format!("{scheme}://{bare}"), scheme });
    }
    let message = format!("starts with `{scheme}:`, which is not a scheme");
    let scheme = suggest_scheme(&scheme)?;
    let slashes = if scheme.starts_with("http") { "//" } else { "" };
    Some(SchemeFault { message, meant: format!("{scheme}:{slashes}{bare}"), scheme })
}

/// Returns the scheme that a misspelled one most likely means.
fn suggest_scheme(scheme: &str) -> Option<&'static str> {
    const MEANT: [&str; 4] = ["http", "https", "javascript", "mailto"];
    // Schemes that exist, although they are similar.
    const OTHERS: [&str; 3] = ["httpx", "mail", "shttp"];
    if scheme.len() < 3 || MEANT.contains(&scheme) || OTHERS.contains(&scheme) {
        return None;
    }
    nearest(scheme, MEANT)
}

/// Returns a mail address or an external URL with the scheme that it lacks.
pub(super) fn add(text: &str) -> Option<String> {
    let text = text.trim();
    if is_mail_address(text) {
        return Some(format!("mailto:{text}"));
    }
    for scheme in ["https", "http"] {
        if let Some(rest) = strip_scheme(text, scheme).and_then(|rest| rest.strip_prefix("//")) {
            return Some(format!("{scheme}://{rest}"));
        }
    }
    starts_with_host(text).then(|| format!("https://{text}"))
}

/// Returns whether a reference looks like a mail address.
fn is_mail_address(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    !name.is_empty() && !text.contains(['/', '#', ':']) && host.split('.').count() > 1
}

/// Returns whether a reference starts with the name of a host, rather than of a folder or file.
fn starts_with_host(text: &str) -> bool {
    /// Top-level domains that are no file extensions. Hosts with other domains are recognized by `www.` only.
    const DOMAINS: [&str; 24] = [
        "at", "be", "ch", "com", "de", "dev", "edu", "es", "eu", "fr", "gov", "info", "io", "it", "jp",
        "net", "nl", "no", "org", "pt", "ru", "se", "uk", "us",
    ];
    let host = text.split(['/', '?', '#']).next().unwrap_or(text);
    let labels: Vec<&str> = host.split('.').collect();
    let is_label =
        |label: &&str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_domain =
        labels.last().is_some_and(|last| DOMAINS.iter().any(|domain| last.eq_ignore_ascii_case(domain)));
    // `notes.org` may be a file, `notes.org/today` cannot be one.
    let goes_on = host.len() < text.len() && text[host.len()..].starts_with('/');
    labels.len() > 1
        && labels.iter().all(is_label)
        && ((labels[0].eq_ignore_ascii_case("www") && labels.len() > 2)
            || (is_domain && (goes_on || !labels[labels.len() - 1].eq_ignore_ascii_case("org"))))
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn reports_misspelled_schemes() {
        for bad in [
            "htps://a.test/",
            "htttp://a.test/",
            "hhtps://a.test/",
            "ttp://a.test/",
            "maito:a@b.test",
            "javascipt:x()",
            "http:/a.test/",
            "https:a.test/",
            "http:///a.test/",
        ] {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn accepts_other_schemes() {
        for fine in [
            "https://a.test/",
            "HTTP://a.test/",
            "ftp://a.test/",
            "sftp://a.test/",
            "ftps://a.test/",
            "rtsp://a.test/",
            "ssh:a",
            "tel:1",
            "sms:1",
            "git+https://a.test/",
            "steam://x",
            "data:,x",
            "/a:b",
        ] {
            assert_eq!(fault(fine), None, "{fine}");
        }
    }
}
