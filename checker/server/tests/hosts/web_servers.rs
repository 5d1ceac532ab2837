//! Runs real servers with the configuration that `host-config` prints. Those that are not installed are skipped.

use std::fs;
use std::path::Path;

use sitegate_check::Contract;
use sitegate_host::{Host, TrailingSlash};
use sitegate_server::host_config;

use crate::server::{Server, extended, free_port, with_gone};
use crate::sites::{SLASHES, contract, write};

/// Starts a server for a site below a folder.
type Start = fn(&Path, &Contract) -> Option<Server>;

/// Starts Apache, with the directives in `.htaccess`.
fn apache(folder: &Path, contract: &Contract) -> Option<Server> {
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

fn caddy(folder: &Path, contract: &Contract) -> Option<Server> {
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

fn nginx(folder: &Path, contract: &Contract) -> Option<Server> {
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

/// Compares the answers for each setting of slashes and clean URLs.
fn assert_agrees(host: Host, start: Start, is_refused: impl Fn(TrailingSlash, &str) -> bool) {
    for (slash, clean) in SLASHES.into_iter().flat_map(|slash| [(slash, None), (slash, Some(true))]) {
        let folder = tempfile::tempdir().unwrap();
        let mut contract = contract(Some(host), slash);
        contract.site.clean_urls = clean;
        let Some(server) = start(folder.path(), &contract) else { return };
        server.agrees_with_the_check(&contract, |path| is_refused(slash, path));
    }
}

#[test]
fn apache_agrees_with_the_check() {
    // Apache refuses an encoded slash with a page of its own, unless the server's configuration allows it.
    assert_agrees(Host::Apache, apache, |_, path| path.contains("%2F"));
}

#[test]
fn caddy_agrees_with_the_check() {
    // Caddy knows a path that a pattern matched only decoded: it drops a `%` of a name when it strips the slash.
    assert_agrees(Host::Caddy, caddy, |slash, path| slash == TrailingSlash::Never && path.contains("%25"));
}

#[test]
fn nginx_agrees_with_the_check() {
    assert_agrees(Host::Nginx, nginx, |_, _| false);
}

const SERVERS: [(Host, Start); 3] = [(Host::Apache, apache), (Host::Caddy, caddy), (Host::Nginx, nginx)];

#[test]
fn servers_send_headers_and_redirects() {
    for (host, start) in SERVERS {
        let folder = tempfile::tempdir().unwrap();
        let contract = extended(contract(Some(host), SLASHES[0]));
        let Some(server) = start(folder.path(), &contract) else { continue };
        server.follows_the_contract(&contract);
    }
}

#[test]
fn servers_answer_410_for_gone_addresses() {
    for (host, start) in SERVERS {
        for clean in [None, Some(true)] {
            let folder = tempfile::tempdir().unwrap();
            let mut contract = with_gone(contract(Some(host), SLASHES[0]));
            contract.site.clean_urls = clean;
            let Some(server) = start(folder.path(), &contract) else { break };
            server.answers_410_for_gone_addresses();
        }
    }
}
