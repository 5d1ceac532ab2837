//! Runs a real nginx with the configuration that `host-config` prints; skipped if it is not installed.

use std::fs;
use std::path::Path;

use sitegate_check::Contract;
use sitegate_host::Host;
use sitegate_server::host_config;

use crate::server::{Server, extended, free_port, with_gone};
use crate::sites::{SLASHES, contract, write};

/// Starts nginx for a site below `folder`.
fn start(folder: &Path, contract: &Contract) -> Option<Server> {
    let root = folder.join("site");
    write(&root);
    let port = free_port();
    let block = host_config::nginx(contract, &root).unwrap();
    let block = block.replace("listen 80;", &format!("listen 127.0.0.1:{port};"));
    let here = folder.display();
    let config = format!(
        "daemon off; master_process off; pid {here}/pid; error_log {here}/error.log;\nevents {{}}\nhttp {{\n\
         access_log off; client_body_temp_path {here}/t1; proxy_temp_path {here}/t2;\n\
         fastcgi_temp_path {here}/t3; uwsgi_temp_path {here}/t4; scgi_temp_path {here}/t5;\n{block}\n}}\n"
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, config).unwrap();
    fs::write(folder.join("mime.types"), "types {\n    text/html html;\n    text/css css;\n}\n").unwrap();
    Server::start(&["nginx", "/usr/sbin/nginx"], &["-c", file.to_str().unwrap()], port)
}

#[test]
fn nginx_agrees_with_the_check() {
    for (slash, clean) in SLASHES.into_iter().flat_map(|slash| [(slash, None), (slash, Some(true))]) {
        let folder = tempfile::tempdir().unwrap();
        let mut contract = contract(Some(Host::Nginx), slash);
        contract.site.clean_urls = clean;
        let Some(server) = start(folder.path(), &contract) else { return };
        server.agrees_with_the_check(&contract, |_| false);
    }
}

#[test]
fn nginx_sends_headers_and_redirects() {
    let folder = tempfile::tempdir().unwrap();
    let contract = extended(contract(Some(Host::Nginx), SLASHES[0]));
    let Some(server) = start(folder.path(), &contract) else { return };
    server.follows_the_contract(&contract);
}

#[test]
fn nginx_answers_410_for_gone_addresses() {
    for clean in [None, Some(true)] {
        let folder = tempfile::tempdir().unwrap();
        let mut contract = with_gone(contract(Some(Host::Nginx), SLASHES[0]));
        contract.site.clean_urls = clean;
        let Some(server) = start(folder.path(), &contract) else { return };
        server.answers_410_for_gone_addresses();
    }
}
