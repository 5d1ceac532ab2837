//! Tests that inventories are not requested from private addresses that the contract or an answer names.

use std::fs;
use std::process::{Command, Output};

use super::linked_site::{Server, text};
use crate::folders::folder;

/// Runs `check --parts` with a contract.
fn check(contract: &str) -> Output {
    let page = "<!doctype html><html lang=en><meta charset=utf-8><title>t</title><a href=/blog/a/>a</a>";
    let site = folder(&[("site/index.html", page)]);
    let contract = format!(
        "[site]\nroot = \"site\"\norigin = \"https://www.acme.test\"\nbase-path = \"/docs/\"\n{contract}"
    );
    fs::write(site.path().join("sitegate.toml"), contract).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.args(["check", "--parts"]).current_dir(site.path()).env("XDG_CACHE_HOME", site.path());
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
        command.env_remove(name).env_remove(name.to_ascii_lowercase());
    }
    command.output().unwrap()
}

#[test]
fn the_contract_names_no_private_address() {
    let server = Server::start();
    let port = server.address.port();
    for host in
        ["127.0.0.1", "localhost", "2130706433", "0x7f.0.0.1", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0"]
    {
        let inventory = format!("http://{host}:{port}/main/inventory.txt");
        for contract in [
            format!("[[parts]]\nat = \"/blog/\"\ninventory = \"{inventory}\"\n"),
            format!("[permalinks]\nkeep = [\"{inventory}\"]\n"),
        ] {
            let output = check(&contract);
            let printed = text(&output.stdout) + &text(&output.stderr);
            assert!(printed.contains("is not a public address"), "{contract}: {printed}");
        }
    }
    assert_eq!(server.requested(), [""; 0]);
    // The contract may allow it, which a review sees.
    let allowed = format!(
        "[external]\nallow-addresses = [\"127.0.0.1/32\"]\n\
         [[parts]]\nat = \"/blog/\"\ninventory = \"http://127.0.0.1:{port}/main/inventory.txt\"\n"
    );
    check(&allowed);
    assert_eq!(server.requested(), ["GET /main/inventory.txt"]);
}
