//! Tests a bucket as a website, with a real S3 website endpoint.

use std::io::BufReader;
use std::net::TcpListener;

use super::server::{Server, Settings, read, reply};
use super::site::Site;
use super::upstream::{Upstream, send};
use crate::outcome::assert_exit;

/// Starts a proxy of a website endpoint that adds the bucket to the host name, as DNS would. Returns its address. It ends
/// with the process.
fn website(upstream: &Upstream) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let (host, server) = (format!("{}.web.localhost", upstream.bucket), upstream.address.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let (host, server) = (host.clone(), server.clone());
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let Some(request) = read(&mut reader) else { return };
                let headers = [("host".to_owned(), host)];
                let mut answer = send(&server, &request.method, &request.target, &headers, b"");
                answer.headers.push(("connection".to_owned(), "close".to_owned()));
                reply(&stream, &answer, usize::MAX);
            });
        }
    });
    format!("http://{address}")
}

/// Configures a bucket as a website with the output of `sitegate host-config s3-website`.
fn configure(site: &Site, upstream: &Upstream) {
    let output = site.command(&["host-config", "s3-website", "--bucket", &upstream.bucket]).output().unwrap();
    let edge: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let page = edge["website_configuration"]["ErrorDocument"]["Key"].as_str().unwrap();
    let index = edge["website_configuration"]["IndexDocument"]["Suffix"].as_str().unwrap();
    let xml = format!(
        "<WebsiteConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
         <IndexDocument><Suffix>{index}</Suffix></IndexDocument>\
         <ErrorDocument><Key>{page}</Key></ErrorDocument></WebsiteConfiguration>"
    );
    let none = std::collections::BTreeMap::new();
    let reply = upstream.signed_request("PUT", "", "website=", &none, xml.as_bytes());
    assert!(reply.status < 300, "{}", String::from_utf8_lossy(&reply.body));
    let policy = edge["bucket_policy"].to_string();
    let reply = upstream.signed_request("PUT", "", "policy=", &none, policy.as_bytes());
    assert!(reply.status < 300, "{}", String::from_utf8_lossy(&reply.body));
}

/// With a real server, the website endpoint matches the seal: both path variants of every page without a redirect, the 404
/// page with its status, and the old bytes after a rollback. The server in memory has no website, so the test checks keys.
#[test]
fn website_endpoint_matches_the_seal() {
    let (site, server) = (Site::new(), Server::start(Settings::default()));
    let config = "[site]\ntrailing-slash = \"never\"\n";
    std::fs::write(site.path("sitegate.toml"), config).unwrap();
    site.version("one");
    site.published(&server, &[]);
    let Some(upstream) = server.upstream() else {
        let objects = server.objects();
        for key in ["terms", "terms/index.html", "blog/first", "blog/first/index.html"] {
            assert_eq!(objects[key].headers["content-type"], "text/html; charset=utf-8", "{key}");
        }
        return;
    };
    configure(&site, upstream);
    let url = website(upstream);
    let verify = || {
        assert_exit(&site.command(&["verify", &url, "--seal", "seal.json"]).output().unwrap(), 0, &[]);
    };
    verify();
    let memory = ".sitegate/runs/0000000001.json";
    let path = format!("/{}/{memory}", upstream.bucket);
    let anonymous = [("host".to_owned(), upstream.address.clone())];
    assert_eq!(
        send(&upstream.address, "GET", &path, &anonymous, b"").status,
        403,
        "the world reads the memory"
    );
    assert_eq!(send(url.trim_start_matches("http://"), "GET", &format!("/{memory}"), &[], b"").status, 403);
    let seal = std::fs::read(site.path("seal.json")).unwrap();
    site.version("two");
    site.expect(&server, "publish", &["--verify", &url, "--rollback"], 0, &[]);
    site.expect(&server, "rollback", &[], 0, &[]);
    std::fs::write(site.path("seal.json"), seal).unwrap();
    verify();
}
