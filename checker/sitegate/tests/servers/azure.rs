//! Tests publishing to Azurite, Azure's emulator of its blob storage.
//!
//! Ignored by default, because it needs the emulator. lab/servers/azure runs it.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Output};

use object_store::azure::{
    AzureAccessKey, AzureAuthorizer, AzureCredential, MicrosoftAzure, MicrosoftAzureBuilder,
};
use object_store::client::HttpRequestBody;
use object_store::path::Path;
use object_store::{Attribute, ObjectStoreExt};
use serde_json::Value;

use crate::folders::{sitegate, write};
use crate::outcome::assert_exit;

const ADDRESS: &str = "127.0.0.1:10000";
const ACCOUNT: &str = "devstoreaccount1";
/// The default key of the emulator.
const KEY: &str = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// A container for one test.
struct Container {
    name: String,
    store: MicrosoftAzure,
    runtime: tokio::runtime::Runtime,
}

fn endpoint() -> String {
    format!("http://{ADDRESS}/{ACCOUNT}")
}

impl Container {
    fn new(name: &str) -> Container {
        let name = format!("{name}-{}", std::process::id());
        let url = format!("{}/{name}?restype=container", endpoint());
        let mut request = http::Request::put(&url).body(HttpRequestBody::empty()).unwrap();
        let key = AzureCredential::AccessKey(AzureAccessKey::try_new(KEY).unwrap());
        AzureAuthorizer::new(&key, ACCOUNT).try_authorize(&mut request).unwrap();
        let mut text = format!("PUT /{ACCOUNT}/{name}?restype=container HTTP/1.1\r\nhost: {ADDRESS}\r\n");
        for (name, value) in request.headers() {
            text.push_str(&format!("{name}: {}\r\n", value.to_str().unwrap()));
        }
        text.push_str("content-length: 0\r\nconnection: close\r\n\r\n");
        let mut stream = TcpStream::connect(ADDRESS)
            .unwrap_or_else(|error| panic!("{error}: lab/servers/azure starts the emulator"));
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        // Another test may have created it already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let store = MicrosoftAzureBuilder::new()
            .with_account(ACCOUNT)
            .with_access_key(KEY)
            .with_endpoint(endpoint())
            .with_allow_http(true)
            .with_container_name(&name)
            .build();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Container { name, store: store.unwrap(), runtime }
    }

    fn command(&self, site: &Site, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        let words = if args[0] == "target" { 2 } else { 1 };
        command.args(&args[..words]).arg(format!("az://{}/site", self.name)).args(&args[words..]);
        command.args(["--endpoint", &endpoint()]).current_dir(site.folder.path());
        command.env("AZURE_STORAGE_ACCOUNT_NAME", ACCOUNT).env("AZURE_STORAGE_ACCOUNT_KEY", KEY);
        command
    }

    fn publish(&self, site: &Site, more: &[&str]) -> Output {
        let args = [&["publish", "export", "--seal", "seal.json", "--format", "json"], more].concat();
        self.command(site, &args).output().unwrap()
    }

    fn publish_ok(&self, site: &Site, more: &[&str]) -> Value {
        let output = self.publish(site, more);
        assert_exit(&output, 0, &[]);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Returns an object's text, media type and cache header.
    fn read(&self, key: &str) -> [String; 3] {
        self.runtime.block_on(async {
            let found = self.store.get(&Path::from(format!("site/{key}"))).await.unwrap();
            let header = |name| found.attributes.get(&name).map_or("", |value| value.as_ref()).to_owned();
            let (media, cache) = (header(Attribute::ContentType), header(Attribute::CacheControl));
            [String::from_utf8(found.bytes().await.unwrap().to_vec()).unwrap(), media, cache]
        })
    }

    fn change(&self, key: &str, text: &'static str) {
        let path = Path::from(format!("site/{key}"));
        self.runtime.block_on(self.store.put(&path, text.into())).unwrap();
    }

    fn is_version(&self, version: &str) -> bool {
        ["index.html", "terms", "terms/index.html"].iter().all(|key| self.read(key)[0] == page(version))
    }
}

struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    fn new(version: &str) -> Site {
        let site = Site { folder: tempfile::tempdir().unwrap() };
        site.version(version);
        site
    }

    fn version(&self, version: &str) {
        let export = self.folder.path().join("export");
        let _ = fs::remove_dir_all(&export);
        for file in ["index.html", "terms/index.html"] {
            write(&export, file, &page(version));
        }
        write(&export, &format!("assets/app-{version}.js"), version);
        let output = sitegate(self.folder.path(), &["check", "export", "--seal", "seal.json"]);
        assert_exit(&output, 0, &[]);
    }
}

fn page(version: &str) -> String {
    format!("<!doctype html><title>Page</title><script src=\"/assets/app-{version}.js\"></script>")
}

#[test]
fn publishes_and_rolls_back() {
    let (container, site) = (Container::new("walk"), Site::new("one11111"));
    container.publish_ok(&site, &[]);
    let html = "text/html; charset=utf-8".to_owned();
    let cache = "public, max-age=0, must-revalidate".to_owned();
    assert_eq!(container.read("terms"), [page("one11111"), html, cache]);
    assert_eq!(container.publish_ok(&site, &[])["outcome"], "unchanged");
    site.version("two22222");
    assert_eq!(container.publish_ok(&site, &[])["summary"]["changed"], 3);
    assert!(container.is_version("two22222"));
    assert_exit(&container.command(&site, &["rollback"]).output().unwrap(), 0, &[]);
    assert!(container.is_version("one11111"));
    let output = container.command(&site, &["target", "status", "--format", "json"]).output().unwrap();
    let status: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((status["releases"].as_array().unwrap().len(), &status["locks"]), (3, &true.into()));
    container.publish_ok(&site, &[]);
    let output = container.command(&site, &["target", "gc", "--keep-releases", "1"]).output().unwrap();
    assert_exit(&output, 0, &["removed 2 releases"]);
    assert!(container.is_version("two22222"));
}

#[test]
fn guard_stops_replacing_objects_changed_by_hand() {
    let (container, site) = (Container::new("drift"), Site::new("one11111"));
    container.publish_ok(&site, &[]);
    container.change("terms", "edited by hand");
    assert_exit(&container.publish(&site, &[]), 4, &["changed  terms"]);
    container.publish_ok(&site, &["--overwrite-drift"]);
    assert!(container.is_version("one11111"));
}

#[test]
fn only_one_of_eight_concurrent_publishers_wins() {
    let container = Container::new("race");
    container.publish_ok(&Site::new("one11111"), &[]);
    for round in 0..3 {
        let versions: Vec<String> = (0..8).map(|number| format!("v{round}{number}xxxxx")).collect();
        let sites: Vec<Site> = versions.iter().map(|version| Site::new(version)).collect();
        let children: Vec<_> = sites
            .iter()
            .map(|site| {
                let args = ["publish", "export", "--seal", "seal.json", "--overwrite-drift"];
                let mut command = container.command(site, &args);
                command.stdout(std::process::Stdio::null()).spawn().unwrap()
            })
            .collect();
        let codes: Vec<Option<i32>> =
            children.into_iter().map(|mut child| child.wait().unwrap().code()).collect();
        assert!(codes.contains(&Some(0)), "{codes:?}");
        assert!(codes.iter().all(|code| matches!(code, Some(0 | 5))), "{codes:?}");
        assert!(
            versions.iter().any(|version| container.is_version(version)),
            "the live files are not one release"
        );
    }
}
