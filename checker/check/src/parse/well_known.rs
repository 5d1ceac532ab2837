//! Parses the files of `.well-known` that programs read: JSON of apps and protocols, and the expiry of `security.txt`.

use std::ops::Range;

use chrono::DateTime;

use super::facts::Malformed;
use super::page::Page;
use sitegate_base::json::{self, Json};

/// A file of `.well-known` that must be JSON, although its name does not say so, or whose reader rejects other JSON.
struct WellKnownJson {
    /// The path below the root of the origin.
    path: &'static str,
    /// The name in messages.
    title: &'static str,
    /// Returns what the reader of the file misses in it; `None` if it accepts it.
    fault: fn(&Json) -> Option<&'static str>,
}

const ANY: fn(&Json) -> Option<&'static str> = |_| None;

/// The files, each with the document that defines it. All were read in November 2026.
const FILES: [WellKnownJson; 9] = [
    // Apple, "Supporting associated domains": a JSON file without extension.
    WellKnownJson {
        path: ".well-known/apple-app-site-association",
        title: "apple-app-site-association",
        fault: app_site_fault,
    },
    // The same document: iOS before 14 also looks at the root.
    WellKnownJson {
        path: "apple-app-site-association",
        title: "apple-app-site-association",
        fault: app_site_fault,
    },
    // Google, "Statement list syntax" of Digital Asset Links.
    WellKnownJson { path: ".well-known/assetlinks.json", title: "assetlinks.json", fault: asset_links_fault },
    // Matrix client-server API, "Server discovery".
    WellKnownJson { path: ".well-known/matrix/client", title: "Matrix client file", fault: ANY },
    // Matrix server-server API, "Resolving server names".
    WellKnownJson { path: ".well-known/matrix/server", title: "Matrix server file", fault: ANY },
    // NodeInfo 2.1.
    WellKnownJson { path: ".well-known/nodeinfo", title: "NodeInfo file", fault: ANY },
    // OpenID Connect Discovery 1.0, section 4.
    WellKnownJson { path: ".well-known/openid-configuration", title: "OpenID configuration", fault: ANY },
    // W3C Web Authentication level 3, "Related Origin Requests".
    WellKnownJson { path: ".well-known/webauthn", title: "WebAuthn file", fault: ANY },
    // Federated Credential Management API, "The Well-Known File".
    WellKnownJson { path: ".well-known/web-identity", title: "FedCM file", fault: ANY },
];

/// Whether a file is JSON of `.well-known` (RFC 8615).
pub(super) fn is_well_known_json(path: &[u8]) -> bool {
    // Few paths of a site begin like this, and each is compared.
    let may_be_listed = path.starts_with(b".well-known/") || path.starts_with(b"apple-");
    may_be_listed && FILES.iter().any(|file| file.path.as_bytes() == path)
        || path.starts_with(b".well-known/") && path.ends_with(b".json")
}

/// Parses [`Page::source`] as JSON that a program reads. `path` is that of the file.
pub(super) fn parse_well_known(page: &mut Page, path: &[u8]) {
    let known = FILES.iter().find(|file| file.path.as_bytes() == path);
    let format = known.map_or("JSON file", |known| known.title);
    let malformed = match json::parse_file(&page.source) {
        Err(error) => Malformed::syntax(format, error.reason, error.offset..error.offset),
        Ok(json) => match known.and_then(|known| (known.fault)(&json)) {
            Some(fault) => Malformed::meaning(format, fault, 0..0),
            None => return,
        },
    };
    page.facts.malformed.push(malformed);
}

fn app_site_fault(json: &Json) -> Option<&'static str> {
    let services = ["applinks", "webcredentials", "appclips", "activitycontinuation"];
    let has_service = services.iter().any(|name| matches!(json.get(name), Some(Json::Object(_))));
    (!has_service).then_some("it has no service, such as `applinks`")
}

fn asset_links_fault(json: &Json) -> Option<&'static str> {
    let Json::Array(statements) = json else { return Some("it is not a list of statements") };
    let is_statement = |statement: &Json| {
        let is_include = matches!(statement.get("include"), Some(Json::Text(_)));
        let has_relation = matches!(statement.get("relation"), Some(Json::Array(_)));
        is_include || has_relation && matches!(statement.get("target"), Some(Json::Object(_)))
    };
    (!statements.iter().all(is_statement)).then_some("a statement has no `relation` list, or no `target`")
}

/// Returns the reasons why readers reject a `security.txt` at any time (RFC 9116, 2.4 and 2.5.5), and the time at which it
/// expires, in seconds since 1970. `fields` are the names and values of its fields, with their locations.
pub(super) fn security_expiry<'s>(
    fields: impl Iterator<Item = (&'s [u8], &'s [u8], Range<u32>)>,
) -> (Vec<Malformed>, Option<(i64, Range<u32>)>) {
    let (mut has_contact, mut expiries) = (false, Vec::new());
    for (name, value, span) in fields {
        has_contact |= name.eq_ignore_ascii_case(b"contact") && !value.is_empty();
        if name.eq_ignore_ascii_case(b"expires") {
            expiries.push((String::from_utf8_lossy(value).into_owned(), span));
        }
    }
    let mut faults = Vec::new();
    let mut add = |fault: &str, span| faults.push(Malformed::meaning("security.txt", fault, span));
    if !has_contact {
        add("it has no field `Contact`, which RFC 9116 requires", 0..0);
    }
    let expiry = match expiries.as_slice() {
        [] => {
            add("it has no field `Expires`, which RFC 9116 requires", 0..0);
            None
        }
        [(value, span)] => {
            let time = DateTime::parse_from_rfc3339(value.trim()).ok().map(|time| time.timestamp());
            if time.is_none() {
                let fault = "`Expires` is no date and time as RFC 3339 writes them: `2027-12-31T00:00:00Z`";
                add(fault, span.clone());
            }
            time.map(|time| (time, span.clone()))
        }
        [_, (_, span), ..] => {
            add("it has two fields `Expires`", span.clone());
            None
        }
    };
    (faults, expiry)
}

#[cfg(test)]
mod tests {
    use super::{is_well_known_json, security_expiry};

    #[test]
    fn reads_times_of_rfc_3339() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2026-01-01T00:00:00.000Z", Some(1_767_225_600)),
            ("2026-01-01t01:30:00+01:30", Some(1_767_225_600)),
            ("2024-02-29T23:59:60-00:00", Some(1_709_251_199)),
            ("2026-01-01", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-02-30T00:00:00Z", None),
            ("2026-01-01T00:00Z", None),
            ("2026-01-01T00:00:00", None),
            ("Thu, 31 Dec 2020 18:37:07 -0800", None),
            ("2026-01-0é", None),
            ("", None),
        ] {
            let fields =
                [(&b"Contact"[..], &b"mailto:a@b.c"[..], 0..0), (&b"expires"[..], text.as_bytes(), 0..0)];
            let (faults, expiry) = security_expiry(fields.into_iter());
            assert_eq!(expiry.map(|(time, _)| time), expected, "{text}");
            assert_eq!(faults.is_empty(), expected.is_some(), "{text}");
        }
    }

    #[test]
    fn knows_json_of_well_known() {
        assert!(is_well_known_json(b".well-known/apple-app-site-association"));
        assert!(is_well_known_json(b".well-known/did.json"));
        assert!(!is_well_known_json(b".well-known/security.txt"));
        assert!(!is_well_known_json(b"docs/.well-known/did.json"));
    }
}
