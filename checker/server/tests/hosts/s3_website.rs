//! Tests the rules of S3's website endpoint, as measured there: no function, no `.html`, exact keys only.

use sitegate_host::answer::{HostAnswer, Reason, Route};
use sitegate_host::{Host, TrailingSlash};

use crate::sites::{FILES, Names, contract, decoded, paths};

#[test]
fn follows_each_rule_of_the_endpoint() {
    let contract = contract(Some(Host::S3Website), TrailingSlash::Redirect);
    let host = contract.site.host_profile();
    for (path, expected) in [
        ("", HostAnswer::File { file: "index.html", route: Route::Index }),
        ("index.html", HostAnswer::File { file: "index.html", route: Route::Exact }),
        ("LICENSE", HostAnswer::File { file: "LICENSE", route: Route::Exact }),
        ("docs/", HostAnswer::File { file: "docs/index.html", route: Route::Index }),
        ("docs", HostAnswer::Redirect { status: 302 }),
        ("page", HostAnswer::Nothing(Reason::NoFile)),
        ("page.html/", HostAnswer::Nothing(Reason::FileWithSlash)),
        ("empty", HostAnswer::Nothing(Reason::NoIndex)),
        ("empty/", HostAnswer::Nothing(Reason::NoIndex)),
        ("docs//", HostAnswer::Nothing(Reason::NoFile)),
        ("DOCS/", HostAnswer::Nothing(Reason::NoFile)),
    ] {
        let mut decoded_path = path.as_bytes().to_vec();
        assert_eq!(host.answer(&mut decoded_path, &Names), expected, "/{path}");
    }
}

#[test]
fn resolves_paths_to_keys_or_index_documents() {
    let contract = contract(Some(Host::S3Website), TrailingSlash::Redirect);
    let host = contract.site.host_profile();
    let find = |key: &str| FILES.iter().copied().find(|name| *name == key);
    for path in paths() {
        let key = decoded(&path);
        let expected = if key.is_empty() || key.ends_with('/') {
            find(&format!("{key}index.html")).map(|name| (name, false))
        } else {
            find(&key)
                .map(|name| (name, false))
                .or_else(|| find(&format!("{key}/index.html")).map(|name| (name, true)))
        };
        let mut decoded_path = key.into_bytes();
        let found = match host.answer(&mut decoded_path, &Names) {
            HostAnswer::File { file, .. } => Some((file, false)),
            HostAnswer::Redirect { .. } => match host.answer(&mut decoded_path, &Names) {
                HostAnswer::File { file, .. } => Some((file, true)),
                other => panic!("{path} is redirected to {other:?}"),
            },
            HostAnswer::Nothing(_) => None,
        };
        assert_eq!(found, expected, "{path}");
    }
}
