//! Finds keys and tokens in the content of a file.
//!
//! Each has a mark that other texts rarely have. One pass finds all marks, and only there the patterns are compared.
//! Documentation shows examples, so a token must look random.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};
use regex::bytes::Regex;

use super::token_patterns::Alphabet::{Hex, Mixed};
use super::token_patterns::{Alphabet, PATTERNS, TokenPattern};

/// Number of bytes that a part of a file shares with the one before, so that it contains the tokens at its border.
pub(super) const OVERLAP: usize = 1 << 10;

/// Number of bytes after a mark in which a token ends.
const AFTER: usize = 4 << 10;

/// Texts that begin the id of an access key of AWS.
const AWS_IDS: [&str; 2] = ["AKIA", "ASIA"];

/// The id of an access key of AWS, and the text of a secret access key.
static AWS_ID: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\A(?:AKIA|ASIA)[A-Z0-9]{16}").ok());
static AWS_SECRET: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9/+]{40,}").ok());

/// Number of bytes before and after the id of an access key of AWS in which its secret is searched.
const AWS_DISTANCE: usize = 300;

/// Maximum length of marks that are searched one by one. With them, the search for all marks would take three times as
/// long.
const SHORT: usize = 3;

/// Any longer mark.
static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let marks = PATTERNS.iter().flat_map(|pattern| pattern.marks).chain(&AWS_IDS);
    let marks: BTreeSet<String> =
        marks.filter(|mark| mark.len() > SHORT).map(|mark| regex::escape(mark)).collect();
    Regex::new(&marks.into_iter().collect::<Vec<_>>().join("|")).ok()
});

/// The short marks.
static SHORT_MARKS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| {
    let marks = PATTERNS.iter().flat_map(|pattern| pattern.marks);
    marks.filter(|mark| mark.len() <= SHORT).map(|mark| Finder::new(*mark)).collect()
});

/// The patterns in the order of [`PATTERNS`].
static COMPILED: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| PATTERNS.iter().map(|pattern| Regex::new(pattern.pattern).ok()).collect());

/// Returns the kind and the offset of the first token that looks random. A token at the border of two parts of a file
/// is found in the part that contains the bytes around it.
pub(super) fn token(
    path: &[u8],
    content: &[u8],
    is_first: bool,
    is_last: bool,
) -> Option<(&'static str, usize)> {
    let part = FilePart { content, is_first, is_last };
    let found = MARKS.as_ref()?.find_iter(content).find_map(|mark| part.token_at(mark.range()));
    let found = found.or_else(|| {
        SHORT_MARKS.iter().find_map(|mark| {
            let length = mark.needle().len();
            mark.find_iter(content).find_map(|at| part.token_at(at..at + length))
        })
    });
    let of_npm = || if is_npmrc(path) { npmrc_secret(content) } else { None };
    found.or_else(|| of_npm().map(|at| ("a password of npm", at)))
}

/// A part of a file.
struct FilePart<'c> {
    content: &'c [u8],
    is_first: bool,
    is_last: bool,
}

impl FilePart<'_> {
    /// Returns the kind and the offset of a token with a mark.
    fn token_at(&self, mark: Range<usize>) -> Option<(&'static str, usize)> {
        let text = &self.content[mark.clone()];
        if AWS_IDS.iter().any(|id| id.as_bytes() == text) {
            return self.aws_pair(mark.start).map(|at| ("an access key of AWS", at));
        }
        let with_mark = PATTERNS.iter().zip(&*COMPILED);
        let mut with_mark = with_mark.filter(|(one, _)| one.marks.iter().any(|own| own.as_bytes() == text));
        with_mark.find_map(|(pattern, regex)| {
            let start = mark.start.saturating_sub(pattern.before);
            let end = self.content.len().min(mark.end + AFTER);
            let found = regex.as_ref()?.captures(&self.content[start..end])?;
            let of_window = |range: Range<usize>| start + range.start..start + range.end;
            let whole = of_window(found.get(0)?.range());
            let secret =
                found.name("secret").map_or_else(|| whole.clone(), |secret| of_window(secret.range()));
            let is_here = whole.start <= mark.start && mark.end <= whole.end;
            let is_token = is_here
                && self.is_whole(&whole, pattern)
                && is_random(&self.content[secret], pattern.alphabet);
            is_token.then_some((pattern.kind, whole.start))
        })
    }

    /// Whether no part of a longer word was matched, nor a token that the border of a part cuts.
    fn is_whole(&self, range: &Range<usize>, pattern: &TokenPattern) -> bool {
        if (range.start == 0 && !self.is_first) || (range.end == self.content.len() && !self.is_last) {
            return false;
        }
        let before = range.start.checked_sub(1).and_then(|at| self.content.get(at));
        let begins_in_word = self.content[range.start].is_ascii_alphanumeric() && is_word(before);
        // The name of a variable can be longer: `awsSecretAccessKey`.
        let is_name = pattern.kind == "a secret access key of AWS";
        (is_name || !begins_in_word) && (pattern.is_start || !is_word(self.content.get(range.end)))
    }

    /// Returns the offset of the id of an access key of AWS, if a secret is near.
    fn aws_pair(&self, at: usize) -> Option<usize> {
        let id = AWS_ID.as_ref()?.find(&self.content[at..])?;
        let end = at + id.end();
        let before = at.checked_sub(1).and_then(|at| self.content.get(at));
        let is_cut = (at == 0 && !self.is_first) || (end == self.content.len() && !self.is_last);
        if is_cut || is_word(before) || is_word(self.content.get(end)) || is_example(id.as_bytes()) {
            return None;
        }
        let around = at.saturating_sub(AWS_DISTANCE)..self.content.len().min(end + AWS_DISTANCE);
        let around = &self.content[around];
        let mut secrets = AWS_SECRET.as_ref()?.find_iter(around);
        let is_secret = |found: regex::bytes::Match<'_>| {
            let is_padded = |after: usize| around.get(after).is_some_and(|byte| *byte == b'=');
            found.len() == 40 && !is_padded(found.end()) && is_random(found.as_bytes(), Mixed)
        };
        secrets.any(is_secret).then_some(at)
    }
}

fn is_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Whether a file is a configuration of npm, by its path.
fn is_npmrc(path: &[u8]) -> bool {
    path == b".npmrc" || path.ends_with(b"/.npmrc")
}

/// Returns the offset of a token or a password in a configuration of npm. `${NAME}` is the name of a variable.
fn npmrc_secret(content: &[u8]) -> Option<usize> {
    static SECRET: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"(?m)^[^#;\n=]*(?:_authToken|_auth|_password)\s*=\s*"?(?<secret>[A-Za-z0-9_./+=-]{8,})"#)
            .ok()
    });
    let mut found = SECRET.as_ref()?.captures_iter(content);
    let secret =
        found.find_map(|found| found.name("secret").filter(|secret| !is_example(secret.as_bytes())))?;
    Some(secret.start())
}

/// Whether a token says that it is an example.
fn is_example(token: &[u8]) -> bool {
    let lower = token.to_ascii_lowercase();
    let words =
        [&b"example"[..], b"your", b"xxxx", b"0000", b"1234", b"abcd", b"token", b"dummy", b"fake", b"test"];
    words.iter().any(|word| memmem::find(&lower, word).is_some())
}

/// Whether a token looks random: examples repeat or count characters, or say what they are.
fn is_random(token: &[u8], alphabet: Alphabet) -> bool {
    let length = if alphabet == Hex { 32 } else { 20 };
    let body = &token[token.len().saturating_sub(length)..];
    let mut distinct = body.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let has = |is: fn(&u8) -> bool| token.iter().any(is);
    let is_mixed = || has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    distinct.len() >= 10
        && body.iter().any(u8::is_ascii_digit)
        && (alphabet != Mixed || is_mixed())
        && !is_example(token)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{AWS_IDS, COMPILED, MARKS, PATTERNS, token};

    /// Texts that look random, in several alphabets.
    const BODY: &str =
        "k3J9xQ2mZ7vB5nT8wL4cR6yH1pD0sFgUeAoIk8R2Vb6Xq4Ns9Wd3Mf7Lh5Gt1Cj0PyZaEuKiBrQvHxTnSoD2w9";
    const HEX: &str = "4b8e1f9c2d7a6035be81f4c97d2a60e3b85f1c94d7e2a06b3f8c15e9d4702ab6f1c8e35d";
    const UPPER: &str = "Q7ZK3M9XV2N8RT5WJ4HC6YL1PD0SFGQ7ZK3M9XV2N8RT5WJ4HC6YL1PD0SFGAEUR";

    /// Joins the parts of samples, so that no scanner takes this file for a leak. Returns the kinds of what is found.
    fn kind(path: &str, parts: &[&str]) -> Option<&'static str> {
        token(path.as_bytes(), parts.concat().as_bytes(), true, true).map(|(kind, _)| kind)
    }

    #[test]
    fn finds_each_kind() {
        let (body, hex, upper) = (BODY, HEX, UPPER);
        for (parts, expected) in [
            (vec!["'gh", "p_", &body[..36], "'"], "a GitHub token"),
            (vec!["'gh", "s_", &body[..36], "'"], "a GitHub token"),
            (vec!["'github_", "pat_", &body[..22], "_", &body[..59], "'"], "a GitHub token"),
            (vec!["'glp", "at-", &body[..20], "'"], "a GitLab token"),
            (vec!["'glp", "at-", &body[..27], ".01.1a2b3c4d5", "'"], "a GitLab token"),
            (vec!["'gld", "t-", &body[..20], "'"], "a GitLab token"),
            (vec!["'np", "m_", &body[..36], "'"], "an npm token"),
            (vec!["//r/:_auth", "Token=", &body[..36]], "an npm token"),
            (vec!["npmAuth", "Token: \"", &body[..36], "\""], "an npm token"),
            (vec!["'pypi-", "AgEIcHlwaS5vcmc", &body[..80], "'"], "a PyPI token"),
            (vec!["'ruby", "gems_", &hex[..48], "'"], "a RubyGems key"),
            (vec!["'sk_", "live_", &body[..24], "'"], "a secret key of Stripe"),
            (vec!["'rk_", "live_", &body[..40], "'"], "a secret key of Stripe"),
            (vec!["'whs", "ec_", &body[..32], "'"], "a signing secret of Stripe"),
            (vec!["'xo", "xb-7301984562-8205719364-", &body[..24], "'"], "a Slack token"),
            (vec!["'xa", "pp-1-A073B5C2D9-7301984562-", &hex[..64], "'"], "a Slack token"),
            (
                vec!["'https://hooks.slack", ".com/services/T073B5C2D/B0K8M2N4P/", &body[..24], "'"],
                "a Slack webhook",
            ),
            (
                vec!["\"private_", "key\": \"-----BEGIN PRIVATE KEY-----\\n", body, body, body, "\\n\""],
                "a service account key of Google Cloud",
            ),
            (vec!["'GOC", "SPX-", &body[..28], "'"], "a client secret of Google"),
            (vec!["awsSecretAccess", "Key: '", &body[..36], "/+kQ'"], "a secret access key of AWS"),
            (vec!["aws_secret_access_", "key = ", &body[..36], "/+kQ"], "a secret access key of AWS"),
            (vec!["{\"SecretAccess", "Key\": \"", &body[..36], "/+kQ\"}"], "a secret access key of AWS"),
            (vec!["AWS_SECRET_", "ACCESS_KEY=", &body[..36], "/+kQ"], "a secret access key of AWS"),
            (vec!["Account", "Key=", &body[..86], "==;"], "an access key of Azure"),
            (vec!["'abC8", "Q~", &body[..34], "'"], "a client secret of Azure"),
            (vec!["'S", "G.", &body[..22], ".", &body[..43], "'"], "a SendGrid key"),
            (vec!["'sq0", "csp-", &body[..43], "'"], "a Square token"),
            (vec!["'shp", "at_", &hex[..32], "'"], "a Shopify token"),
            (vec!["'dop_", "v1_", &hex[..64], "'"], "a DigitalOcean token"),
            (vec!["'dckr_", "pat_", &body[..27], "'"], "a Docker Hub token"),
            (vec!["'h", "f_", &body[..34], "'"], "a Hugging Face token"),
            (vec!["'s", "k-", &body[..20], "T3Blbk", "FJ", &body[..20], "'"], "an OpenAI key"),
            (vec!["'s", "k-proj-", &body[..60], "T3Blbk", "FJ", &body[..60], "'"], "an OpenAI key"),
            (vec!["'sk-", "ant-api03-", &body[..80], "'"], "an Anthropic key"),
            (vec!["'hv", "s.", body, body, "'"], "a HashiCorp Vault token"),
            (vec!["'", &body[..14], ".atlas", "v1.", &body[..65], "'"], "a Terraform Cloud token"),
            (vec!["'gls", "a_", &body[..32], "_", &hex[..8], "'"], "a Grafana token"),
            (vec!["'lin_", "api_", &body[..40], "'"], "a Linear key"),
            (vec!["'PM", "AK-", &hex[..24], "-", &hex[..34], "'"], "a Postman key"),
            (vec!["'pu", "l-", &hex[..40], "'"], "a Pulumi token"),
            (vec!["'sb", "p_", &hex[..40], "'"], "a Supabase token"),
            (
                vec![
                    "'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJzdXBhYmFzZSIs",
                    "InJvbGUiOiJzZXJ2aWNl",
                    "X3JvbGUifQ.",
                    &body[..43],
                    "'",
                ],
                "a service role key of Supabase",
            ),
            (vec!["'7301984562:", "AAF", &body[..32], "'"], "a token of a Telegram bot"),
            (vec!["AGE-SECRET-", "KEY-1", &upper[..58]], "a key of age"),
            (vec!["    client-key-", "data: ", body, body, "\n"], "credentials of a Kubernetes cluster"),
            (
                vec!["kind: ", "Config\nusers:\n- name: a\n  user:\n    token: ", &body[..40], "\n"],
                "credentials of a Kubernetes cluster",
            ),
            (
                vec![
                    "{\"au",
                    "ths\": {\n\"https://containers.example/v1/\": {\n\"auth\": \"",
                    &body[..24],
                    "\"}}}",
                ],
                "credentials of a Docker registry",
            ),
            (vec!["const k='AK", "IA2OGYBAH6Q4XVN7ZT', s='", &body[..36], "/+kQ'"], "an access key of AWS"),
            (vec!["s:\"", &body[..36], "/+kQ\",k:\"AS", "IA2OGYBAH6Q4XVN7ZT\""], "an access key of AWS"),
            (vec!["Key,Secret\nAK", "IA2OGYBAH6Q4XVN7ZT,", &body[..36], "/+kQ\n"], "an access key of AWS"),
        ] {
            for ends in [["x = ", ";\n"], ["", ""], ["\n", "\n"]] {
                let parts = [&ends[..1], &parts[..], &ends[1..]].concat();
                assert_eq!(kind("app.js", &parts), Some(expected), "{parts:?}");
            }
        }
    }

    #[test]
    fn accepts_examples_and_longer_words() {
        let body = BODY;
        for parts in [
            // The examples in the documentation of AWS.
            vec!["AK", "IAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
            // A signed URL has the id without the secret; a digest is no secret.
            vec!["https://b.test/x?AWSAccessKeyId=AK", "IA2OGYBAH6Q4XVN7ZT&Signature=", &body[..28]],
            vec!["AK", "IA2OGYBAH6Q4XVN7ZT 4b8e1f9c2d7a6035be81f4c97d2a60e3b85f1c94"],
            vec!["AK", "IA2OGYBAH6Q4XVN7ZT ", &body[..60]],
            vec!["xAK", "IA2OGYBAH6Q4XVN7ZT ", &body[..40]],
            // Keys for browsers.
            vec!["apiKey: 'AI", "zaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q'"],
            vec!["'pk_", "live_", &body[..40], "'"],
            vec!["'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJvbGUiOiJhbm9uIn0.", &body[..43], "'"],
            // Names and examples.
            vec!["'whs", "ec_", "your_signing_secret_goes_in_this_place", "'"],
            vec!["'h", "f_", "getTheNameOfTheModelThatIsLoadedNow1", "'"],
            vec!["class='gld", "t-button-primary-large-outline-2'"],
            vec!["'dop_", "v1_", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "'"],
            vec!["a", "S", "G.", &body[..22], ".", &body[..43]],
            vec!["kind: ", "Config\nusers:\n- name: a\n  user:\n    token: REDACTED\n"],
            vec!["{\"au", "ths\": {\"r\": {\"auth\": \"<base64>\"}}}"],
            vec![
                "\"private_",
                "key\": \"-----BEGIN PRIVATE KEY-----\\nMIIE...\\n-----END PRIVATE KEY-----\"",
            ],
            vec!["//registry/:_auth", "Token=${NPM_TOKEN}"],
            vec!["gh", "p_", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
            vec!["gh", "p_", "1234567890abcdefghijklmnopqrstuvwxyz"],
            vec!["gh", "p_", &body[..36], "Longer"],
            vec!["npm", "_", "ThisIsTheNameOfAnIdentifierWithLetter"],
            vec!["sk_", "live_", "YOUR8SECRET7KEY6GOES5HERE"],
            vec!["aws_secret_access_", "key=", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
            vec!["sk-", "ant-api03-", "your-api-key-here"],
        ] {
            assert_eq!(kind("app.js", &parts), None, "{parts:?}");
        }
    }

    #[test]
    fn finds_passwords_in_configurations_of_npm() {
        for text in [
            "//r.test/:_auth=dXNlcjpwYXNzd29yZA==\n",
            "registry=https://r.test/\n//r.test/:_password = \"cGFzc3dvcmQ=\"\n",
            "//r.test/:_authToken=6f1c3f4e-9d2b-4a7e-8c51-0b7d3e2f9a64\n",
        ] {
            assert!(kind("sub/.npmrc", &[text]).is_some(), "{text}");
        }
        for text in [
            "registry=https://r.test/\n",
            "//r/:_auth=${AUTH}\n",
            "# //r/:_auth=dXNlcjpwYXNz\n",
            "_auth=your-base64\n",
        ] {
            assert_eq!(kind(".npmrc", &[text]), None, "{text}");
        }
        assert_eq!(kind("app.js", &["//r.test/:_auth=dXNlcjpwYXNzd29yZA==\n"]), None);
    }

    #[test]
    fn all_patterns_compile_and_have_marks() {
        assert!(MARKS.is_some() && COMPILED.iter().all(Option::is_some));
        assert!(PATTERNS.iter().all(|pattern| !pattern.marks.is_empty()));
        let marks: Vec<&str> = PATTERNS.iter().flat_map(|one| one.marks).copied().chain(AWS_IDS).collect();
        // The first of two overlapping marks hides the other one.
        for mark in &marks {
            let is_hidden = |other: &&&str| *other != mark && mark.contains(**other);
            assert_eq!(marks.iter().find(is_hidden), None, "{mark}");
        }
    }
}
