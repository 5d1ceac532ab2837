//! Tests of policies. Each expectation is what Chromium did.

#![allow(clippy::unwrap_used)]

use url::Url;

use super::{Directive, Inline, Policy, Request};

fn policy(text: &str) -> Policy {
    Policy::parse_all(text).remove(0)
}

/// Returns the URLs of images that a policy blocks on a page by http.
fn blocked<'u>(text: &str, urls: &[&'u str]) -> Vec<&'u str> {
    let page = Url::parse("http://127.0.0.1:8080/page").unwrap();
    let policy = policy(text);
    let is_blocked = |address: &&&str| {
        let url = page.join(address).unwrap();
        let directive = Directive::Image;
        let request = Request { directive, url: &url, nonce: None, integrity: None, is_by_script: false };
        policy.blocks(&request, &page)
    };
    urls.iter().filter(is_blocked).copied().collect()
}

#[test]
fn matches_urls_as_chromium_does() {
    const EXT: &str = "http://ext.test/a.png";
    const SECURE: &str = "https://ext.test/b.png";
    let nothing: [&str; 0] = [];
    let none_of = nothing.as_slice();
    let cases: [(&str, &[&str], &[&str]); 22] = [
        (
            "img-src *",
            &["/a.png", "data:image/png,", EXT, "ftp://ext.test/a"],
            &["data:image/png,", "ftp://ext.test/a"],
        ),
        (
            "img-src ext.test",
            &[EXT, SECURE, "http://ext.test:8080/", "http://ext.test:443/"],
            &["http://ext.test:8080/", "http://ext.test:443/"],
        ),
        ("img-src http://ext.test", &[EXT, SECURE, "https://ext.test:8443/"], &["https://ext.test:8443/"]),
        ("img-src https://ext.test", &[EXT, SECURE], &[EXT]),
        ("img-src ext.test:80", &[EXT, SECURE], none_of),
        ("img-src ext.test:*", &["http://ext.test:99/a", SECURE], none_of),
        ("img-src *.ext.test", &[EXT, "http://a.ext.test/", "http://a.b.ext.test/"], &[EXT]),
        (
            "img-src ext.test/a/b",
            &["http://ext.test/a/b", "http://ext.test/a/b/c"],
            &["http://ext.test/a/b/c"],
        ),
        (
            "img-src ext.test/a/",
            &["http://ext.test/a/b", "http://ext.test/a", "http://ext.test/A/x"],
            &["http://ext.test/a", "http://ext.test/A/x"],
        ),
        (
            "img-src ext.test/a%20b ext.test/c%2fd",
            &["http://ext.test/a b", "http://ext.test/c/d", "http://ext.test/c%2Fd"],
            none_of,
        ),
        ("img-src ext.test/a?x", &["http://ext.test/a", "http://ext.test/a?x"], none_of),
        ("img-src http:", &[EXT, SECURE, "/c.png"], none_of),
        ("img-src https:", &[EXT, SECURE, "/c.png"], &[EXT, "/c.png"]),
        ("IMG-SRC HTTPS://EXT.TEST 'SELF'", &[SECURE, "/c.png"], none_of),
        ("img-src 'none' 'self'", &["/c.png"], none_of),
        ("img-src", &["/c.png"], &["/c.png"]),
        ("img-src 'self'; img-src 'none'", &["/c.png"], none_of),
        ("img-src self foo'bar http://", &["/c.png"], &["/c.png"]),
        ("img-src http://127.0.0.1", &["/c.png"], &["/c.png"]),
        ("img-src 127.0.0.1:*", &["/c.png"], none_of),
        ("default-src 'none'", &["/c.png"], &["/c.png"]),
        ("script-src 'none'", &["/c.png"], none_of),
    ];
    for (text, urls, expected) in cases {
        assert_eq!(blocked(text, urls), expected, "{text}");
    }
}

#[test]
fn allows_inline_code_as_chromium_does() {
    const HASH: &str = "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='";
    let cases = [
        ("script-src HASH", Inline::Script, "1", false),
        ("script-src HASH", Inline::Script, "2", true),
        ("script-src HASH", Inline::Handler, "1", true),
        ("script-src 'unsafe-hashes' HASH", Inline::Handler, "1", false),
        ("script-src 'unsafe-hashes' HASH", Inline::Navigation, "1", false),
        ("script-src 'unsafe-inline' HASH", Inline::Script, "2", true),
        ("script-src 'unsafe-inline' 'nonce-x'", Inline::Handler, "2", true),
        ("default-src 'unsafe-inline' 'strict-dynamic'", Inline::Style, "2", true),
        ("style-src 'unsafe-inline' 'strict-dynamic'", Inline::Style, "2", false),
        ("style-src-attr 'unsafe-inline' 'strict-dynamic'", Inline::StyleAttribute, "2", false),
        ("style-src 'unsafe-inline' 'strict-dynamic' 'nonce-a'", Inline::Style, "2", true),
        ("script-src 'unsafe-inline' 'strict-dynamic'", Inline::Handler, "2", true),
        ("script-src 'self' 'inline-speculation-rules'", Inline::SpeculationRules, "{}", false),
        ("script-src-attr 'none'", Inline::Navigation, "1", false),
        ("script-src-elem 'none'", Inline::Navigation, "1", true),
        ("style-src-elem 'none'; style-src-attr 'unsafe-inline'", Inline::StyleAttribute, "", false),
        ("script-src 'sha256-a4ayc_80_OGda4BO_1o_V0etpOqiLx1JwB5S3beHW0s'", Inline::Script, "1", false),
    ];
    for (text, kind, code, expected) in cases {
        let text = text.replace("HASH", HASH);
        assert_eq!(policy(&text).blocks_inline(kind, code, None), expected, "{text} {kind:?}");
    }
    for (text, kind, expected) in [
        ("script-src 'auto'", Inline::Script, false),
        ("script-src 'AUTO-PER-PAGE'", Inline::Script, false),
        ("script-src 'auto'", Inline::Handler, true),
        ("script-src 'unsafe-hashes' 'auto'", Inline::Handler, false),
        ("script-src 'auto' 'unsafe-inline'", Inline::Handler, true),
    ] {
        let of_contract = Policy::parse_of_contract(text).remove(0);
        assert_eq!(of_contract.blocks_inline(kind, "anything", None), expected, "{text} {kind:?}");
        assert_eq!(policy(text).blocks_inline(kind, "anything", None), !text.contains("inline"), "{text}");
    }
    let with_nonce = policy("script-src 'nonce-abc'");
    assert!(!with_nonce.blocks_inline(Inline::Script, "1", Some("abc")));
    assert!(with_nonce.blocks_inline(Inline::Script, "1", Some("ABC")));
    assert!(with_nonce.blocks_inline(Inline::Handler, "1", Some("abc")));
    for (nonce, expected) in
        [("a+/-_9==", false), ("{{nonce}}", true), ("$request_id", true), ("a!b", true), ("=", true)]
    {
        let policy = policy(&format!("script-src 'nonce-{nonce}'"));
        assert_eq!(policy.blocks_inline(Inline::Script, "1", Some(nonce)), expected, "{nonce}");
    }
    assert!(!policy("script-src 'unsafe-inline' 'nonce-{{nonce}}'").blocks_inline(Inline::Script, "1", None));
}

#[test]
fn allows_scripts_as_chromium_does() {
    let page = Url::parse("http://127.0.0.1:8080/page").unwrap();
    let url = page.join("/a.js").unwrap();
    let blocks = |text: &str, directive, nonce, integrity, is_by_script| {
        policy(text).blocks(&Request { directive, url: &url, nonce, integrity, is_by_script }, &page)
    };
    let script = Directive::ScriptElem;
    assert!(!blocks("script-src 'nonce-a'", script, Some("a"), None, false));
    assert!(blocks("script-src 'strict-dynamic' 'nonce-a' 'self'", script, None, None, false));
    assert!(!blocks("script-src 'strict-dynamic' 'nonce-a' 'self'", script, None, None, true));
    assert!(!blocks("script-src 'strict-dynamic' 'nonce-a'", Directive::Worker, None, None, true));
    assert!(!blocks("default-src 'strict-dynamic' 'self'", Directive::Image, None, None, false));
    assert!(!blocks("script-src 'sha256-AAA='", script, None, Some("sha256-AAA="), false));
    assert!(blocks("script-src 'sha256-AAA='", script, None, Some("sha256-AAA= sha256-BBB="), false));
    assert!(blocks("style-src 'sha256-AAA='", Directive::StyleElem, None, Some("sha256-AAA="), false));
    let prefetch = Directive::Prefetch;
    assert!(blocks("default-src 'none'", prefetch, None, None, false));
    assert!(!blocks("default-src 'none'; img-src 'self'", prefetch, None, None, false));
    assert!(!blocks("script-src 'none'", prefetch, None, None, false));
}
