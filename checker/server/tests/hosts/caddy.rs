//! Runs a real Caddy with the Caddyfile that `host-config` prints; skipped if it is not installed.

use std::fs;
use std::path::Path;

use sitegate_check::Contract;
use sitegate_host::{Host, TrailingSlash};
use sitegate_server::host_config;

use crate::server::{Server, extended, free_port, with_gone};
use crate::sites::{SLASHES, contract, write};

/// Starts Caddy for a site below `folder`.
fn start(folder: &Path, contract: &Contract) -> Option<Server> {
    let root = folder.join("site");
    write(&root);
    let port = free_port();
    let text = host_config::caddy(contract, &root).unwrap();
    let text = text.replace("\n:80 {\n", &format!("\nhttp://localhost:{port} {{\n    bind 127.0.0.1\n"));
    let file = folder.join("Caddyfile");
    fs::write(&file, format!("{{\n    admin off\n    auto_https off\n}}\n{text}")).unwrap();
    let args = ["run", "--config", file.to_str().unwrap(), "--adapter", "caddyfile"];
    Server::start(&["caddy"], &args, port)
}

#[test]
fn caddy_agrees_with_the_check() {
    for (slash, clean) in SLASHES.into_iter().flat_map(|slash| [(slash, None), (slash, Some(true))]) {
        let folder = tempfile::tempdir().unwrap();
        let mut contract = contract(Some(Host::Caddy), slash);
        contract.site.clean_urls = clean;
        let Some(server) = start(folder.path(), &contract) else { return };
        // Caddy knows a path that a pattern matched only decoded: it drops a `%` of a name when it strips the slash.
        let is_refused = |path: &str| slash == TrailingSlash::Never && path.contains("%25");
        server.agrees_with_the_check(&contract, is_refused);
    }
}

#[test]
fn caddy_sends_headers_and_redirects() {
    let folder = tempfile::tempdir().unwrap();
    let contract = extended(contract(Some(Host::Caddy), SLASHES[0]));
    let Some(server) = start(folder.path(), &contract) else { return };
    server.follows_the_contract(&contract);
}

#[test]
fn caddy_answers_410_for_gone_addresses() {
    for clean in [None, Some(true)] {
        let folder = tempfile::tempdir().unwrap();
        let mut contract = with_gone(contract(Some(Host::Caddy), SLASHES[0]));
        contract.site.clean_urls = clean;
        let Some(server) = start(folder.path(), &contract) else { return };
        server.answers_410_for_gone_addresses();
    }
}
