//! Reads the files that `host-config` prints for hosts without a server to run, by the rules of each host, and compares the
//! answers with the contract. lab/servers/host-config-files does the same with programs of the hosts.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::Value;
use sitegate_check::Contract;
use sitegate_host::Host;
use sitegate_host::answer::HostAnswer;
use sitegate_host::redirects::MovedAddress;
use sitegate_host::redirects::{FirstAnswer, Redirects};
use sitegate_server::ServerError;
use sitegate_server::host_config::{self, ConfigFile};

use crate::server::extended;
use crate::sites::{FILES, Names, SLASHES, contract, decoded, parsed, paths};

type Configure = fn(&Contract) -> Result<Vec<ConfigFile>, ServerError>;

type Headers = BTreeMap<String, String>;

/// Returns the contract of `extended` without patterns that these hosts do not have.
fn plain(host: Host) -> Contract {
    let mut contract = extended(contract(Some(host), SLASHES[0]));
    contract.headers = parsed(
        "[[headers]]\npaths = [\"/**\"]\nset = { X-Frame-Options = \"DENY\", X-Odd = 'a \"b\" \\ {c} % ; # $x' }\n\
         [[headers]]\npaths = [\"/docs/**\", \"/**/*.{txt,gz}\"]\nset = { X-Robots-Tag = \"none\" }\n\
         [[headers]]\npaths = [\"/page.html\", \"/deep/er/est/index.html\", \"/v1.2/**/*.js\"]\nset = { X-Robots-Tag = \"all\" }\n\
         [[headers]]\npaths = [\"/\", \"/docs\", \"/v1.2/\"]\nset = { X-Page = \"1\" }\n",
    )
    .headers;
    contract
}

fn file<'f>(files: &'f [ConfigFile], name: &str) -> &'f str {
    &files.iter().find(|file| file.name == name).unwrap().text
}

/// Returns the URLs that serve a file.
fn urls(host: Host, file: &str) -> Vec<String> {
    let bare = file.strip_suffix("index.html").unwrap_or(file);
    let candidates = [bare.to_owned(), file.to_owned(), file.trim_end_matches(".html").to_owned()];
    let profile = contract(Some(host), SLASHES[0]).site.host_profile();
    let serves = |url: &String| {
        let answer = profile.answer(&mut url.clone().into_bytes(), &Names);
        matches!(answer, HostAnswer::File { file: found, .. } if found == file)
    };
    candidates.into_iter().filter(serves).map(|url| format!("/{url}")).collect()
}

/// Compares the headers that a host sends for the URLs of each file with the contract.
fn compare_headers(host: Host, contract: &Contract, sent: impl Fn(&str) -> Headers) {
    for file in FILES {
        let wanted = contract.headers_for(file);
        let wanted: Headers =
            wanted.iter().map(|(name, value)| (name.to_ascii_lowercase(), (*value).to_owned())).collect();
        for url in urls(host, file) {
            let mut sent = sent(&url);
            if !wanted.contains_key("cache-control") {
                let default = sent.remove("cache-control");
                assert!(default.is_none_or(|value| value == "public, max-age=0, must-revalidate"));
            }
            assert_eq!(sent, wanted, "{host:?} {url}");
        }
    }
}

/// Whether a pattern with at most one `*` matches a path.
fn matches(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            path.len() >= start.len() + end.len() && path.starts_with(start) && path.ends_with(end)
        }
        None => pattern == path,
    }
}

/// Reads `_headers` as Cloudflare does: all rules apply, values are joined, and `! Name` removes one.
fn headers_of_file(text: &str, path: &str) -> Headers {
    let (mut sent, mut applies) = (Headers::new(), false);
    for line in text.lines() {
        match line.strip_prefix("  ") {
            None => applies = matches(line, path),
            Some(_) if !applies => {}
            Some(line) => match line.split_once(": ") {
                Some((name, value)) => {
                    let before = sent.get(&name.to_ascii_lowercase()).map(|before| format!("{before}, "));
                    sent.insert(name.to_ascii_lowercase(), before.unwrap_or_default() + value);
                }
                None => drop(sent.remove(&line.strip_prefix("! ").unwrap().to_ascii_lowercase())),
            },
        }
    }
    sent
}

#[test]
fn headers_files_follow_the_contract() {
    let contract = plain(Host::CloudflarePages);
    let files = host_config::cloudflare_pages(&contract).unwrap();
    let text = file(&files, "_headers");
    assert!(text.contains("  ! X-Robots-Tag\n"), "{text}");
    compare_headers(Host::CloudflarePages, &contract, |path| headers_of_file(text, path));

    let mut netlify = plain(Host::Netlify);
    netlify.headers.truncate(2);
    assert!(host_config::netlify(&netlify).is_err(), "/docs/** and /**/*.txt set the same header");
    netlify.headers.truncate(1);
    let netlify_files = host_config::netlify(&netlify).unwrap();
    compare_headers(Host::Netlify, &netlify, |path| headers_of_file(file(&netlify_files, "_headers"), path));
}

#[test]
fn redirects_files_follow_the_contract() {
    let hosts: [(Host, Configure); 2] =
        [(Host::Netlify, host_config::netlify), (Host::CloudflarePages, host_config::cloudflare_pages)];
    for (host, configure) in hosts {
        let mut contract = plain(host);
        contract.headers.clear();
        let files = configure(&contract).unwrap();
        let read = Redirects::parse(file(&files, "_redirects"), Some(host));
        assert!(read.malformed.is_empty());
        let expected = Redirects::of_contract(&contract.redirects);
        let profile = contract.site.host_profile();
        let more = ["/old", "/old/", "/own", "/part/", "/a+b.(1)", "/aab.(1)", "/older"].map(str::to_owned);
        for path in paths().into_iter().chain(more) {
            let answer = |redirects: &Redirects| {
                let mut path = decoded(&path).into_bytes();
                match redirects.answer(profile, &mut path, &Names) {
                    FirstAnswer::Line { line, to, .. } => format!("{} {to}", line.status),
                    FirstAnswer::Host(answer) => format!("{answer:?} {path:?}"),
                }
            };
            assert_eq!(answer(&read), answer(&expected), "{host:?} {path}");
        }
    }
}

fn json(files: &[ConfigFile]) -> Value {
    serde_json::from_str(&files[0].text).unwrap()
}

/// Adds the headers of a rule with `key` and `value`.
fn add_pairs(rule: &Value, sent: &mut Headers) {
    for pair in rule["headers"].as_array().unwrap() {
        let text = |key: &str| pair[key].as_str().unwrap().to_owned();
        sent.insert(text("key").to_ascii_lowercase(), text("value"));
    }
}

#[test]
fn firebase_follows_the_contract() {
    let contract = extended(contract(Some(Host::Firebase), SLASHES[0]));
    let document = json(&host_config::firebase(&contract).unwrap());
    let rules = document["hosting"]["headers"].as_array().unwrap();
    compare_headers(Host::Firebase, &contract, |path| {
        let mut sent = Headers::new();
        for rule in rules {
            if Regex::new(rule["regex"].as_str().unwrap()).unwrap().is_match(path) {
                add_pairs(rule, &mut sent);
            }
        }
        sent
    });
    let moved = &document["hosting"]["redirects"][3];
    let from = Regex::new(moved["regex"].as_str().unwrap()).unwrap();
    assert!(from.is_match("/a+b.(1)/") && !from.is_match("/aab.(1)"));
    assert_eq!(
        (&moved["type"], &moved["destination"]),
        (&301.into(), &"https://other.example/x?y=1&z".into())
    );
    assert_eq!(document["hosting"]["trailingSlash"], Value::Null);
}

#[test]
fn vercel_has_sources_of_path_to_regexp() {
    let mut contract = extended(contract(Some(Host::Vercel), SLASHES[1]));
    contract.site.clean_urls = Some(true);
    let document = json(&host_config::vercel(&contract).unwrap());
    let sources = |list: &str| {
        let rules = document[list].as_array().unwrap().iter();
        rules.map(|rule| rule["source"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        sources("headers"),
        [
            "/(.*)",
            "/docs/(.*)",
            "/((?:.*/)?)([^/]*).gz",
            "/((?:.*/)?)([^/]*).txt",
            "/docs/page",
            "/docs/page.html",
            "/v1.2/([^/]*).js",
            "/über/(.*)",
            "/日([^/]*)/",
            "/日([^/]*)/index",
            "/日([^/]*)/index.html",
            "/404",
            "/404.html"
        ]
    );
    assert_eq!(sources("redirects")[3], "/a\\+b.\\(1\\)(/)?");
    assert_eq!((&document["cleanUrls"], &document["trailingSlash"]), (&true.into(), &false.into()));
    assert_eq!(document["redirects"][0]["statusCode"], 301);
}

#[test]
fn settings_that_a_host_does_not_have_are_errors() {
    let all: [Configure; 4] =
        [host_config::netlify, host_config::cloudflare_pages, host_config::vercel, host_config::firebase];
    for configure in all {
        assert!(configure(&parsed("")).is_ok());
        assert!(configure(&parsed("[site]\nbase-path = \"/docs/\"")).is_err());
    }
    for configure in &all {
        assert!(configure(&parsed("[site]\nnot-found = \"lost.html\"")).is_err());
    }
    for configure in &all[..2] {
        assert!(configure(&parsed("[site]\ntrailing-slash = \"never\"")).is_err());
        assert!(configure(&parsed("[site]\nclean-urls = false")).is_err());
    }
    for pattern in ["/assets/*.js", "/[ab]/**", "/**/*.html", "/a/:b/**"] {
        let text = format!("[[headers]]\npaths = [{pattern:?}]\nset = {{ X-A = \"a\" }}");
        let error = host_config::cloudflare_pages(&parsed(&text)).unwrap_err().to_string();
        assert!(error.contains(pattern), "{error}");
    }
}

#[test]
fn limits_of_hosts_are_errors() {
    let many = |count: usize| {
        let mut contract = Contract::defaults();
        let moved = |number| MovedAddress { from: format!("/{number}"), to: "/".to_owned(), span: 0..0 };
        contract.redirects = (0..count).map(moved).collect();
        contract
    };
    for (configure, limit) in
        [(host_config::cloudflare_pages as Configure, 2_000), (host_config::vercel, 2_048)]
    {
        assert!(configure(&many(limit)).is_ok() && configure(&many(limit + 1)).is_err(), "{limit}");
    }
    assert!(
        host_config::cloudfront(&many(300), "b", "").is_ok()
            && host_config::cloudfront(&many(900), "b", "").is_err()
    );
}
