//! Builds the page that redirects visitors if the host cannot: a refresh, and a script that keeps query and fragment.

/// The script of redirect pages: a refresh drops the query and the fragment of the old URL. As after a 301, those of
/// the destination have precedence. It is the same on every page, so that a policy can allow it by one hash.
const SCRIPT: &str = "var to=new URL(document.querySelector(\"link[rel=canonical]\").href);\
                      to.search=to.search||location.search;to.hash=to.hash||location.hash;location.replace(to)";

/// The source expression that allows `SCRIPT` in a content security policy.
pub const SCRIPT_HASH: &str = "'sha256-S22bXD9J2UA2dX7cniPf4EPcRjrVPr96icLfekZj5Qg='";

/// Returns a page that redirects to a URL. The contract rejects URLs with characters that HTML would interpret,
/// except `&`.
///
/// The script comes after the refresh: browsers then replace the pending refresh. Without JavaScript the refresh
/// remains.
pub fn redirect_page(to: &str) -> String {
    let to = to.replace('&', "&amp;");
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Moved</title>\
         <link rel=\"canonical\" href=\"{to}\"><meta name=\"robots\" content=\"noindex\">\
         <meta http-equiv=\"refresh\" content=\"0; url={to}\"><script>{SCRIPT}</script>\
         <p>This page has moved to <a href=\"{to}\">{to}</a>.</p></html>\n"
    )
}

/// Whether a content security policy lets the script of redirect pages run. Several policies are separated by commas,
/// and all of them apply.
pub fn allows_script(policies: &str) -> bool {
    policies.split(',').all(|policy| {
        let directive = |wanted: &str| {
            policy.split(';').find_map(|directive| {
                let mut words = directive.split_ascii_whitespace();
                let is_wanted = words.next()?.eq_ignore_ascii_case(wanted);
                is_wanted.then(|| words.collect::<Vec<_>>())
            })
        };
        let has = |sources: &[&str], word: &str| sources.iter().any(|own| own.eq_ignore_ascii_case(word));
        if directive("sandbox").is_some_and(|flags| !has(&flags, "allow-scripts")) {
            return false;
        }
        let sources = ["script-src-elem", "script-src", "default-src"].into_iter().find_map(directive);
        sources.is_none_or(|sources| {
            let is_strict = |source: &&str| {
                let source = source.to_ascii_lowercase();
                source == "'strict-dynamic'"
                    || source.starts_with("'nonce-")
                    || ["'sha256-", "'sha384-", "'sha512-"].iter().any(|kind| source.starts_with(kind))
            };
            sources.contains(&SCRIPT_HASH)
                || has(&sources, "'unsafe-inline'") && !sources.iter().any(is_strict)
        })
    })
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::{SCRIPT, SCRIPT_HASH, allows_script, redirect_page};

    /// Encodes bytes in base64.
    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let encode = |chunk: &[u8]| {
            let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
            let bits = bits << (8 * (3 - chunk.len()));
            let digit = |at: usize| char::from(DIGITS[(bits >> (18 - 6 * at) & 63) as usize]);
            (0..4).map(|at| if at <= chunk.len() { digit(at) } else { '=' }).collect::<String>()
        };
        bytes.chunks(3).map(encode).collect()
    }

    #[test]
    fn the_hash_is_that_of_the_script() {
        assert_eq!(SCRIPT_HASH, format!("'sha256-{}'", base64(&Sha256::digest(SCRIPT))));
        assert!(redirect_page("/a").contains(&format!("<script>{SCRIPT}</script>")));
    }

    #[test]
    fn judges_policies_as_browsers_do() {
        let hash = format!("script-src 'self' {SCRIPT_HASH}");
        let blocked_by_another = format!("{hash}, default-src 'none'");
        for (policy, allowed) in [
            ("", true),
            ("img-src 'self'; upgrade-insecure-requests", true),
            ("default-src 'self'", false),
            ("default-src 'none'; Script-Src 'unsafe-inline'", true),
            ("script-src 'unsafe-inline' 'nonce-a'", false),
            ("script-src 'unsafe-inline' 'sha256-a'", false),
            ("script-src 'unsafe-inline'; script-src-elem 'self'", false),
            ("sandbox; script-src 'unsafe-inline'", false),
            ("sandbox allow-scripts", true),
            (&hash, true),
            (&blocked_by_another, false),
        ] {
            assert_eq!(allows_script(policy), allowed, "{policy}");
        }
    }
}
