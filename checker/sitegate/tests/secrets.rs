//! Tests that no secret in a URL is printed. Runs all commands that accept a URL with credentials or signatures, both
//! successfully and with errors.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folders::{program, write};
use crate::outcome::all_output;
use crate::serve_process::ServeProcess;

/// Secrets that must not appear, in plain text and encoded.
const SECRETS: [&str; 3] = ["hunter2", "aHVudGVy", "bWU6"];

struct Site {
    folder: tempfile::TempDir,
    servers: Vec<ServeProcess>,
}

impl Site {
    fn new() -> Site {
        let site = Site { folder: tempfile::tempdir().unwrap(), servers: Vec::new() };
        for (path, text) in [("index.html", "Home"), ("404.html", "Lost"), ("terms/index.html", "Terms")] {
            write(&site.path("export"), path, &format!("<!doctype html><title>{text}</title>"));
        }
        assert_eq!(site.run(&["check", "export", "--seal", "seal.json"], &[]).0, 0);
        site
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = program(self.folder.path(), args);
        let is_unset = |name: &str| {
            ["AWS_", "AZURE_"].iter().any(|start| name.starts_with(start))
                || name.to_lowercase().ends_with("_proxy")
        };
        for (name, _) in std::env::vars().filter(|(name, _)| is_unset(name)) {
            command.env_remove(name);
        }
        // Uses one root certificate, because reading all those of the machine is slow.
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/s3/root.pem");
        command.env("SSL_CERT_FILE", root).env_remove("SSL_CERT_DIR");
        command.env("HOME", self.folder.path()).env("AWS_EC2_METADATA_DISABLED", "true");
        command
    }

    /// Runs a command, and asserts that its output and files contain no secrets.
    fn run(&self, args: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
        let output = self.command(args).envs(variables.iter().copied()).output().unwrap();
        let said = all_output(&output);
        for secret in SECRETS {
            assert!(!said.contains(secret), "{args:?}: `{secret}` shows in {said}");
        }
        assert_no_secrets_in(self.folder.path());
        (output.status.code().unwrap(), said)
    }

    /// Previews the export and returns the port.
    fn serve(&mut self, export: &str) -> u16 {
        let arguments = ["serve", export, "--port", "0", "--stop-after", "60", "--host", "site.example"];
        let server = ServeProcess::start(self.command(&arguments));
        let port = server.port;
        self.servers.push(server);
        port
    }
}

/// Asserts that no file in a folder contains a secret.
fn assert_no_secrets_in(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert_no_secrets_in(&path);
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for secret in SECRETS {
            assert!(!text.contains(secret), "`{secret}` is in {}: {text}", path.display());
        }
    }
}

/// Returns an address that refuses connections.
fn unused_address() -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    format!("127.0.0.1:{}", listener.local_addr().unwrap().port())
}

#[test]
fn targets_and_endpoints_are_redacted() {
    let site = Site::new();
    let nobody = unused_address();
    let endpoint = format!("http://me:hunter2@{nobody}");
    let token = format!("http://{nobody}/?X-Amz-Signature=hunter2");
    let far = "http://me:hunter2@store.example".to_owned();
    let keys = [("AWS_ACCESS_KEY_ID", "AK"), ("AWS_SECRET_ACCESS_KEY", "hunter2")];
    let commands: [&[&str]; 6] = [
        &["publish", "TARGET", "export", "--seal", "seal.json", "--events"],
        &["publish", "--dry-run", "TARGET", "export", "--seal", "seal.json", "--format", "json"],
        &["target", "status", "TARGET"],
        &["rollback", "TARGET"],
        &["target", "gc", "TARGET"],
        &["target", "unlock", "TARGET"],
    ];
    for command in commands {
        let on = |target: &'static str| -> Vec<&str> {
            command.iter().map(|arg| if *arg == "TARGET" { target } else { arg }).collect()
        };
        for target in [
            "s3://me:hunter2@bucket/x",
            "s3://:hunter2@bucket",
            "gs://me:hunter2@bucket",
            "az://me:hunter2@bucket?sig=hunter2",
            "ftp://me:hunter2@bucket",
            "https://me:hun/ter@hunter2@bucket",
        ] {
            let (code, text) = site.run(&on(target), &keys);
            assert_eq!(code, 2, "{text}");
        }
        for endpoint in [&endpoint, &token, &far] {
            for target in ["s3://bucket", "gs://bucket", "az://bucket"] {
                let args = [on(target), vec!["--endpoint", endpoint.as_str()]].concat();
                let (code, text) = site.run(&args, &keys);
                assert!(code == 2 && text.contains("is not a store's endpoint"), "{code} {text}");
            }
            for variable in ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"] {
                let variables = [&keys[..], &[(variable, endpoint.as_str())]].concat();
                assert_eq!(site.run(&on("s3://bucket"), &variables).0, 2);
            }
        }
    }
}

#[test]
fn signatures_and_proxies_are_redacted() {
    let mut site = Site::new();
    let nobody = unused_address();
    let endpoint = format!("http://{nobody}");
    let status = |target| ["target", "status", target, "--endpoint", &endpoint, "--timeout", "1"];
    let shared = [
        ("AZURE_STORAGE_ACCOUNT_NAME", "me"),
        ("AZURE_STORAGE_SAS_TOKEN", "sv=2024-01-01&ss=b&sig=hunter2%2Bx"),
    ];
    site.run(&status("az://bucket"), &shared);
    let keys =
        [("AWS_ACCESS_KEY_ID", "AK"), ("AWS_SECRET_ACCESS_KEY", "hunter2"), ("AWS_SESSION_TOKEN", "hunter2")];
    site.run(&status("s3://bucket"), &keys);
    // With a missing proxy and with a working one.
    let proxy = format!("http://me:hunter2@{nobody}");
    let verify = ["verify", "http://site.example", "--seal", "seal.json"];
    let (code, text) = site.run(&verify, &[("HTTP_PROXY", &proxy), ("http_proxy", &proxy)]);
    assert!(code == 11 && text.contains("nothing was compared"), "{text}");
    let far = [
        "target",
        "status",
        "s3://bucket",
        "--endpoint",
        "http://store.example",
        "--allow-http",
        "--timeout",
        "1",
    ];
    site.run(&far, &[&keys[..], &[("HTTP_PROXY", &proxy), ("http_proxy", &proxy)]].concat());
    let proxy = format!("http://me:hunter2@127.0.0.1:{}", site.serve("export"));
    let (code, text) = site.run(&verify, &[("HTTP_PROXY", &proxy), ("http_proxy", &proxy)]);
    assert!(code == 0 && text.contains("verified  http://site.example"), "{text}");
}

#[test]
fn passwords_of_live_sites_are_redacted() {
    let mut site = Site::new();
    let right = format!("http://me:hunter2@127.0.0.1:{}", site.serve("export"));
    fs::create_dir(site.path("other")).unwrap();
    fs::write(site.path("other/index.html"), "other").unwrap();
    let wrong = format!("http://me:hunter2@127.0.0.1:{}", site.serve("other"));
    let target = format!("file://{}", site.path("public").display());
    for format in ["human", "json"] {
        for (url, code) in
            [(&right, 0), (&wrong, 8), (&format!("http://me:hunter2@{}", unused_address()), 11)]
        {
            let (found, text) = site.run(&["verify", url, "--seal", "seal.json", "--format", format], &[]);
            assert_eq!(found, code, "{text}");
            assert!(text.contains("http://***@127.0.0.1:"), "{text}");
        }
    }
    let publish = |url: &str, more: &[&str]| {
        let args =
            [&["publish", &target, "export", "--seal", "seal.json", "--verify", url][..], more].concat();
        site.run(&args, &[])
    };
    assert_eq!(publish(&wrong, &["--events"]).0, 8);
    let (code, text) = publish(&right, &["--format", "json"]);
    assert_eq!(code, 0, "{text}");
    for command in [
        &["target", "status", &target, "--format", "json"][..],
        &["target", "status", &target],
        &["target", "gc", &target],
        &["target", "unlock", &target],
    ] {
        site.run(command, &[]);
    }
    let odd = "https://me:hunter2@site.example/?token=hunter2";
    assert_eq!(site.run(&["verify", odd, "--seal", "seal.json"], &[]).0, 2);
    for args in [
        &["verify", "a", odd][..],
        &["verify", odd, "--bogus"],
        &["target", "status", "a", "--jobs", odd],
        &["check", odd],
    ] {
        assert_eq!(site.run(args, &[]).0, 2);
    }
}

#[test]
fn sends_a_password_as_basic_authentication() {
    let site = Site::new();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let url = format!("http://me:hunter%322@{}", listener.local_addr().unwrap());
    let heads = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = [0; 4096];
        let read = stream.read(&mut head).unwrap();
        stream.write_all(b"HTTP/1.1 404 X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        String::from_utf8_lossy(&head[..read]).to_lowercase()
    });
    assert_eq!(site.run(&["verify", &url, "--seal", "seal.json", "--timeout", "2"], &[]).0, 8);
    // `me:hunter22` in Base64.
    assert!(heads.join().unwrap().contains("authorization: basic bwu6ahvudgvymji="));
}
