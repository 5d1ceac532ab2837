//! Recognizes misspelled, incomplete and missing schemes of references.

use super::queries::strip_scheme;
use crate::raw_finding::Certainty;
use sitegate_address::UrlReference;
use sitegate_base::nearest::{nearest, nearest_by};

/// Why a scheme is the one that was meant.
pub(crate) const REASON: &str = "no other scheme is as similar";

/// Returns a reference with the scheme that a misspelled, incomplete or missing one most likely means.
pub(crate) fn corrected(text: &str) -> Option<(Certainty, String)> {
    if let Some(meant) = add(text) {
        // `https//host` lacks only a colon.
        let certainty = Certainty::certain_if(meant.len() == text.trim().len() + 1);
        return Some((certainty, meant));
    }
    fault(text.trim()).map(|fault| (fault.certainty, fault.meant))
}

/// A misspelled start of a reference.
#[derive(Debug, PartialEq)]
pub(super) struct SchemeFault {
    /// The end of a message, after the reference.
    pub message: String,
    /// The reference that was most likely meant.
    pub meant: String,
    /// How sure that is. A scheme that differs by more than a letter may be that of a program.
    pub certainty: Certainty,
}

/// Returns what is wrong with the start of a reference.
pub(super) fn fault(text: &str) -> Option<SchemeFault> {
    // Fast path: almost all external references.
    let usual = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    if let Some(rest) = usual.filter(|rest| !rest.starts_with('/')) {
        return second_url(rest);
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
        return Some(SchemeFault {
            message,
            meant: format!("{scheme}://{bare}"),
            certainty: Certainty::Certain,
        });
    }
    let message = format!("starts with `{scheme}:`, which is not a scheme");
    let meant = suggest_scheme(&scheme)?;
    let slashes = if meant.starts_with("http") { "//" } else { "" };
    let is_near = meant != "javascript" && nearest_by(&scheme, [meant], 1).is_some();
    let certainty = Certainty::certain_if(is_near);
    Some(SchemeFault { message, meant: format!("{meant}:{slashes}{bare}"), certainty })
}

/// Returns the fault of a URL with another one right after its host, as templates write them that add the site's URL to a
/// whole one (cotes2020/jekyll-theme-chirpy#1623). `rest` comes after the scheme.
fn second_url(rest: &str) -> Option<SchemeFault> {
    let at = memchr::memchr2(b'/', b':', rest.as_bytes())?;
    let (host, after) = rest.split_at(at);
    if !after.starts_with("://") {
        return None;
    }
    let scheme = ["https", "http"].into_iter().find(|scheme| host.ends_with(scheme))?;
    let (before, meant) = rest.split_at(host.len() - scheme.len());
    // A query or a fragment may be a URL: `https://gitpod.io#https://github.com/x/y`.
    if !UrlReference::new(before).query_and_fragment().is_empty() {
        return None;
    }
    let place = if before.is_empty() { "its scheme".to_owned() } else { format!("`{before}`") };
    Some(SchemeFault {
        message: format!("is two URLs: another one begins after {place}"),
        meant: meant.to_owned(),
        certainty: Certainty::Likely,
    })
}

/// Returns the scheme that a misspelled one most likely means.
fn suggest_scheme(scheme: &str) -> Option<&'static str> {
    const MEANT: [&str; 4] = ["http", "https", "javascript", "mailto"];
    // Schemes that exist, although they are similar.
    const OTHERS: [&str; 7] = ["callto", "chttp", "httpx", "livescript", "mail", "mailbox", "shttp"];
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
    fn a_query_or_a_fragment_may_be_a_url() {
        for url in ["gitpod.io#https://github.com/x/y", "x.test?next=https://y.test", "x.test/https://y.test"]
        {
            assert_eq!(fault(&format!("https://{url}")), None, "{url}");
        }
        for url in ["https://x.testhttps://y.test/", "https://https://x.test"] {
            assert!(fault(url).is_some_and(|fault| fault.meant.starts_with("https://")), "{url}");
        }
    }

    #[test]
    fn schemes_that_exist() {
        let known = [
            "aaa aaas about acap acct addbook afp afs aim android app apt bitcoin blob bolo callto",
            "castanet cap chrome chttp cid coap coaps content cvs data dav davs dict diaspora dns ed2k",
            "ethereum facetime fax feed file finger fish ftp ftps fuchsia gemini geo git gizmoproject",
            "go gopher gtalk hcp httpx hxxp hxxps iax icap im imap info intent ipfs ipn ipns ipp ipps",
            "irc ircs iris itms jabber jar jms jscript keyparc lastfm lbry ldap ldaps lightning line",
            "livescript magnet mailbox mailserver maps market matrix md message mhtml mid mmap mms mms",
            "mocha modem mtqp mumble mupdate mvn mvrp net news nfs nntp notes oid opaquelocktoken pack",
            "palm payto phone pkcs pop pres prospero proxy psyc query redis rediss res resource rmi",
            "rsync rtmp rtsp rtsps rtspu secondlife service session sftp sgn shell shttp sieve sip sips",
            "skype slack smb sms smsto smtp snews snmp soap spotify ssh steam stun stuns svn tag tcp",
            "teams tel telnet tftp things tip turn turns tv udp unreal upi urn ut2004 uuid vbscript",
            "vemmi ventrilo viber view vnc wais webcal wechat whatsapp whois wpid ws wss wtai xfire",
            "xmpp xri ymsgr zoommtg",
        ];
        for scheme in known.iter().flat_map(|line| line.split(' ')) {
            assert_eq!(fault(&format!("{scheme}:x")), None, "{scheme}");
        }
    }
}
