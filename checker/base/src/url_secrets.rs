//! Removes secrets from URLs: user names and passwords, and signatures and tokens in the query.

/// The replacement for secrets.
const REPLACEMENT: &str = "***";

/// Words in the names of secret query parameters: those of presigned URLs (`X-Amz-Signature`,
/// `X-Goog-Credential`), and common ones.
const SECRET_WORDS: [&str; 8] =
    ["signature", "token", "secret", "password", "passwd", "credential", "accesskey", "apikey"];

/// Names of secret query parameters that are also parts of other words.
const SECRET_NAMES: [&str; 4] = ["sig", "auth", "key", "pwd"];

/// Removes the secrets from all URLs in a text.
pub fn without_secrets(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        shown.push_str(before);
        let end = after.find(|character: char| ends_url(character)).unwrap_or(after.len());
        let (address, following) = after.split_at(end);
        shown.push_str(&address_without_secrets(address));
        rest = following;
    }
    shown.push_str(rest);
    shown
}

/// Whether a URL in a sentence ends before this character.
fn ends_url(character: char) -> bool {
    character.is_whitespace() || matches!(character, '"' | '`' | '<' | '>')
}

/// Removes the secrets from a URL without its scheme.
fn address_without_secrets(address: &str) -> String {
    let authority = address.find(['/', '\\', '?', '#']).unwrap_or(address.len());
    let host = match address[..authority].rfind('@') {
        Some(at) => at + 1,
        // A password with an unescaped slash looks like an invalid port.
        None if is_odd_port(&address[..authority]) => address.rfind('@').map_or(0, |at| at + 1),
        None => 0,
    };
    let hidden = if host > 0 { format!("{REPLACEMENT}@") } else { String::new() };
    let rest = &address[host..];
    match rest.find('?') {
        Some(query) => format!("{hidden}{}?{}", &rest[..query], query_without_secrets(&rest[query + 1..])),
        None => format!("{hidden}{rest}"),
    }
}

fn is_odd_port(authority: &str) -> bool {
    let port = authority.rsplit_once(':').map(|(_, port)| port);
    port.is_some_and(|port| !authority.ends_with(']') && !port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn query_without_secrets(query: &str) -> String {
    let shown = query.split('&').map(|pair| {
        let Some((name, _)) = pair.split_once('=') else { return pair.to_owned() };
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let plain = plain.to_ascii_lowercase();
        let secret =
            SECRET_NAMES.contains(&plain.as_str()) || SECRET_WORDS.iter().any(|word| plain.contains(word));
        if secret { format!("{name}={REPLACEMENT}") } else { pair.to_owned() }
    });
    shown.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::without_secrets;

    #[test]
    fn removes_secrets_from_urls() {
        for (text, shown) in [
            ("http://u:SECRET@host:9000/x", "http://***@host:9000/x"),
            ("`s3://:SECRET@bucket`, and https://SECRET@host", "`s3://***@bucket`, and https://***@host"),
            ("http://u:SEC/RET@host/x is odd", "http://***@host/x is odd"),
            ("http://u:SEC@RET@host", "http://***@host"),
            ("http://u:SEC'(RET),@host", "http://***@host"),
            (
                "(https://h/a?X-Amz-Signature=SECRET&a=1&X-Amz-Security-Token=SECRET)",
                "(https://h/a?X-Amz-Signature=***&a=1&X-Amz-Security-Token=***",
            ),
            ("https://a.example/x?sv=1&sig=SECRET", "https://a.example/x?sv=1&sig=***"),
        ] {
            assert_eq!(without_secrets(text), shown);
        }
    }

    #[test]
    fn leaves_other_texts_unchanged() {
        for text in [
            "https://unpkg.com/react@18/index.js",
            "http://[::1]:9000/@vite/client?a=1&list-type=2",
            "https://a.example/?design=1&author=2&X",
            "a://",
            "mail me@example.com",
            "",
        ] {
            assert_eq!(without_secrets(text), text);
        }
    }
}
