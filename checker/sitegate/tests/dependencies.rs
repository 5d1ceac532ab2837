//! Checks the compiled dependencies: the check library has no network, and the program without default features no TLS.

use std::process::Command;

/// Crates for TLS.
const TLS: [&str; 12] = [
    "hyper-rustls",
    "hyper-tls",
    "native-tls",
    "openssl",
    "openssl-sys",
    "reqwest",
    "ring",
    "rustls",
    "rustls-native-certs",
    "rustls-webpki",
    "tokio-rustls",
    "ureq",
];

/// Crates of another HTTP client or TLS library than reqwest and rustls with ring.
const SECOND_TLS: [&str; 7] =
    ["aws-lc-rs", "aws-smithy-http-client", "hyper-tls", "native-tls", "openssl", "s2n-tls", "ureq"];

/// Crates for async code or HTTP.
const ASYNC: [&str; 9] =
    ["async-std", "curl", "futures-executor", "hyper", "hyper-util", "mio", "object_store", "smol", "tokio"];

/// Returns the packages in a build, as Cargo resolves them.
fn packages(arguments: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut names: Vec<String> =
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

fn found<'n>(packages: &'n [String], unwanted: &[&str]) -> Vec<&'n String> {
    packages.iter().filter(|package| unwanted.contains(&package.as_str())).collect()
}

#[test]
fn check_library_has_no_tls_and_no_async_runtime() {
    let packages = packages(&["--package", "sitegate-check"]);
    assert!(packages.contains(&"sitegate-html".to_owned()), "{packages:?}");
    assert_eq!(found(&packages, &TLS), Vec::<&String>::new());
    assert_eq!(found(&packages, &ASYNC), Vec::<&String>::new());
}

#[test]
fn program_without_default_features_has_no_tls() {
    let small = packages(&["--package", "sitegate", "--no-default-features"]);
    assert!(small.contains(&"sitegate-publish".to_owned()), "{small:?}");
    assert_eq!(found(&small, &TLS), Vec::<&String>::new());
    let aws: Vec<&String> = small.iter().filter(|package| package.starts_with("aws-")).collect();
    assert_eq!(aws, Vec::<&String>::new());
    let full = packages(&["--package", "sitegate"]);
    assert!(found(&full, &TLS).len() > 3, "the names are still those of today: {full:?}");
    assert_eq!(found(&full, &SECOND_TLS), Vec::<&String>::new(), "one client speaks to everybody");
}
