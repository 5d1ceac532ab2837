//! Standalone URLs and mail addresses in text, as docutils finds them.

use std::ops::Range;

use super::characters::{is_after_markup, is_before_markup};

/// Schemes that docutils knows (`docutils/utils/urischemes.py`, in the public domain), sorted. Other words before a
/// colon are text.
#[rustfmt::skip]
static SCHEMES: [&str; 108] = [
    "about", "acap", "addbook", "afp", "afs", "aim", "callto", "castanet", "chttp", "cid", "crid", "data",
    "dav", "dict", "dns", "eid", "fax", "feed", "file", "finger", "freenet", "ftp", "go", "gopher", "gsm-sms",
    "h323", "h324", "hdl", "hnews", "http", "https", "hydra", "iioploc", "ilu", "im", "imap", "info", "ior",
    "ipp", "irc", "iris.beep", "iseek", "jar", "javascript", "jdbc", "ldap", "lifn", "livescript", "lrq",
    "mailbox", "mailserver", "mailto", "md5", "mid", "mocha", "modem", "mtqp", "mupdate", "news", "nfs",
    "nntp", "opaquelocktoken", "phone", "pop", "pop3", "pres", "printer", "prospero", "rdar", "res", "rtsp",
    "rvp", "rwhois", "rx", "sdp", "service", "shttp", "sip", "sips", "smb", "snews", "snmp", "soap.beep",
    "soap.beeps", "ssh", "t120", "tag", "tcp", "tel", "telephone", "telnet", "tftp", "tip", "tn3270", "tv",
    "urn", "uuid", "vemmi", "videotex", "view-source", "wais", "whodp", "whois++", "x-man-page",
    "xmlrpc.beep", "xmlrpc.beeps", "z39.50r", "z39.50s",
];

/// Finds the URLs and mail addresses in a span of a paragraph.
///
/// After a word with a colon that is no known scheme, as in `Note:this`, docutils does not search the rest of the span.
pub(super) fn standalone_urls(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let text = &text[..span.end];
    // Nearly all text has none.
    let has_mark = |mark| memchr::memchr(mark, &text.as_bytes()[span.clone()]).is_some();
    let mut found = Vec::new();
    if !has_mark(b':') && !has_mark(b'@') {
        return found;
    }
    let mut search = UrlSearch { text, no_scheme_before: 0, no_mail_before: 0 };
    let mut at = span.start;
    let mut is_start = true;
    while let Some(char) = text[at..].chars().next() {
        if is_start && let Some(address) = search.address_at(at) {
            let UriAddress::Known(end) = address else { return found };
            found.push(at..end);
            at = end;
            continue;
        }
        is_start = is_before_markup(char);
        at += char.len_utf8();
    }
    found
}

/// Text with the form of an address.
enum UriAddress {
    /// It ends at an offset.
    Known(usize),
    /// Its scheme is not known.
    Unknown,
}

/// A search, with what it knows of the text ahead, so that it takes linear time.
struct UrlSearch<'b> {
    text: &'b str,
    /// No scheme begins before this offset.
    no_scheme_before: usize,
    /// No mail address begins before this offset.
    no_mail_before: usize,
}

impl UrlSearch<'_> {
    /// Returns the address at an offset.
    fn address_at(&mut self, start: usize) -> Option<UriAddress> {
        if let Some(colon) = self.scheme_end(start)
            && let Some(end) = self.url_end(colon + 1, 0)
        {
            let scheme = self.text[start..colon].to_ascii_lowercase();
            let is_known = SCHEMES.binary_search(&scheme.as_str()).is_ok();
            return Some(if is_known { UriAddress::Known(end) } else { UriAddress::Unknown });
        }
        self.mail_end(start).map(UriAddress::Known)
    }

    fn scheme_end(&mut self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        if start < self.no_scheme_before || !bytes[start].is_ascii_alphabetic() {
            return None;
        }
        let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
        let end = start + bytes[start..].iter().take_while(|byte| is_scheme(byte)).count();
        if bytes.get(end) == Some(&b':') {
            return Some(end);
        }
        self.no_scheme_before = end;
        None
    }

    /// Returns the end of a path (0), a query (1) or a fragment (2), and of the parts after it.
    fn url_end(&self, start: usize, part: u8) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let length = bytes[start..].iter().take_while(|byte| is_url_byte(**byte)).count();
        for end in (start + 1..=start + length).rev() {
            let next = bytes.get(end);
            if !(is_last_url_byte(bytes[end - 1]) || next == Some(&b'>')) {
                continue;
            }
            let further = match next {
                Some(b'?') if part == 0 => self.url_end(end + 1, 1),
                Some(b'#') if part <= 1 => self.url_end(end + 1, 2),
                _ => None,
            };
            if further.is_some() {
                return further;
            }
            if self.is_end(end) {
                return Some(end);
            }
        }
        None
    }

    fn mail_end(&mut self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        if start < self.no_mail_before || bytes[start] == b'.' {
            return None;
        }
        let mut at = start;
        while at < bytes.len() && (is_mail_byte(bytes[at]) || bytes[at] == b'.' && bytes[at - 1] != b'.') {
            at += 1;
        }
        if at == start || bytes.get(at) != Some(&b'@') || matches!(bytes[at - 1], b'.' | 0) {
            self.no_mail_before = at;
            return None;
        }
        let host = at + 1;
        if !bytes.get(host).is_some_and(|byte| is_mail_byte(*byte)) {
            self.no_mail_before = at;
            return None;
        }
        let is_host = |byte: &u8| is_mail_byte(*byte) || *byte == b'.';
        let length = bytes[host..].iter().take_while(|byte| is_host(byte)).count();
        let is_last = |end: usize| {
            let last = bytes[end - 1];
            is_last_url_byte(last) || is_url_byte(last) && bytes.get(end) == Some(&b'>')
        };
        let found = (host + 2..=host + length).rev().find(|end| is_last(*end) && self.is_end(*end));
        if found.is_none() {
            self.no_mail_before = at;
        }
        found
    }

    fn is_end(&self, at: usize) -> bool {
        self.text.is_char_boundary(at) && self.text[at..].chars().next().is_none_or(is_after_markup)
    }
}

fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.!~*'()[];/:@&=+$,%\0".contains(&byte)
}

fn is_last_url_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_~*/=+".contains(&byte)
}

fn is_mail_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_!~*'{|}/#?^`&=+$%\0".contains(&byte)
}
