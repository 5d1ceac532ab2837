//! Runs a real Apache with the directives that `host-config` prints, in `.htaccess`; skipped if it is not installed.

use std::fs;
use std::path::Path;

use sitegate_check::Contract;
use sitegate_host::Host;
use sitegate_server::host_config;

use crate::server::{Server, extended, free_port, with_gone};
use crate::sites::{SLASHES, contract, write};

/// Starts Apache for a site below `folder`.
fn start(folder: &Path, contract: &Contract) -> Option<Server> {
    let root = folder.join("site");
    write(&root);
    fs::write(root.join(".htaccess"), host_config::apache(contract).unwrap()).unwrap();
    let port = free_port();
    let modules = Path::new("/usr/lib/apache2/modules");
    let load: Vec<String> =
        ["mpm_event", "authz_core", "dir", "mime", "alias", "rewrite", "headers", "deflate", "filter"]
            .iter()
            .map(|name| format!("LoadModule {name}_module {}/mod_{name}.so\n", modules.display()))
            .collect();
    let load = load.concat();
    let (here, site) = (folder.display(), root.display());
    let config = format!(
        "{load}ServerRoot {here}\nServerName localhost\nListen 127.0.0.1:{port}\nPidFile {here}/pid\n\
         ErrorLog {here}/error.log\nDefaultRuntimeDir {here}\nTypesConfig {here}/mime.types\n\
         DocumentRoot \"{site}\"\n<Directory \"{site}\">\nAllowOverride All\nRequire all granted\n</Directory>\n"
    );
    fs::write(folder.join("mime.types"), "text/html html\ntext/css css\n").unwrap();
    let file = folder.join("apache.conf");
    fs::write(&file, config).unwrap();
    // `-X` is for tests: one process, in the foreground.
    let args = ["-X", "-f", file.to_str().unwrap()];
    Server::start(&["apache2", "/usr/sbin/apache2", "httpd"], &args, port)
}

/// Apache refuses an encoded slash with a page of its own, unless the server's configuration allows it.
fn is_refused(path: &str) -> bool {
    path.contains("%2F")
}

#[test]
fn apache_agrees_with_the_check() {
    for (slash, clean) in SLASHES.into_iter().flat_map(|slash| [(slash, None), (slash, Some(true))]) {
        let folder = tempfile::tempdir().unwrap();
        let mut contract = contract(Some(Host::Apache), slash);
        contract.site.clean_urls = clean;
        let Some(server) = start(folder.path(), &contract) else { return };
        server.agrees_with_the_check(&contract, is_refused);
    }
}

#[test]
fn apache_sends_headers_and_redirects() {
    let folder = tempfile::tempdir().unwrap();
    let contract = extended(contract(Some(Host::Apache), SLASHES[0]));
    let Some(server) = start(folder.path(), &contract) else { return };
    server.follows_the_contract(&contract);
}

#[test]
fn apache_answers_410_for_gone_addresses() {
    for clean in [None, Some(true)] {
        let folder = tempfile::tempdir().unwrap();
        let mut contract = with_gone(contract(Some(Host::Apache), SLASHES[0]));
        contract.site.clean_urls = clean;
        let Some(server) = start(folder.path(), &contract) else { return };
        server.answers_410_for_gone_addresses();
    }
}
