//! `sitegate check --external`, as its users run it, against servers on this machine.

mod place;
mod proxies;
mod summary;
#[allow(dead_code)] // The network's own tests need more of it.
#[path = "../../../network/tests/world/tls.rs"]
mod tls;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use place::{DocumentId, Server, rules, text};
use sitegate_network::KNOWN_HOSTS;

#[test]
fn what_other_hosts_say_is_found_at_its_line() {
    let server = Server::start();
    let place = DocumentId::new(&server, &["/fine", "/gone", "/old", "/wall", "/fine#one", "/fine#two"], "");
    let output = place.check(&["--external", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let expected = [
        (3, "broken-external-link"),
        (4, "moved-external-link"),
        (5, "unverified-external-link"),
        (7, "broken-external-anchor"),
    ];
    assert_eq!(rules(&output), expected.map(|(line, rule)| (line, rule.to_owned())));
}

#[test]
fn a_wall_and_a_move_fail_nothing() {
    let server = Server::start();
    let output = DocumentId::new(&server, &["/old", "/wall", "/fine#two"], "").check(&["--external"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains(&format!("link to `http://{}/new`", server.address)));
}

#[test]
fn nobody_is_asked_unless_that_is_wanted() {
    let server = Server::start();
    let place = DocumentId::new(&server, &["/gone"], "");
    assert_eq!(place.check(&[]).status.code(), Some(0));
    let output = place.check(&["--external", "--dry-run"]);
    let told = text(&output.stdout);
    assert!(told.contains(&format!("{}\u{20} 6 at a time, 50 ms apart", server.address)), "{told}");
    assert!(told.ends_with("1 address on 1 host would be asked for, which takes 50 ms at least\n"), "{told}");
    assert_eq!(server.asked(), [""; 0]);
    assert!(!place.answers().exists());
}

#[test]
fn what_is_not_public_is_not_asked_unless_allowed() {
    let server = Server::start();
    let place = DocumentId::new(&server, &["/gone"], "");
    let contract = place.folder.path().join("sitegate.toml");
    let strict = fs::read_to_string(&contract).unwrap().replace("\"127.0.0.0/8\"", "");
    fs::write(&contract, strict).unwrap();
    let output = place.check(&["--external"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("127.0.0.1 is not a public address"), "{}", text(&output.stdout));
    assert_eq!(server.asked(), [""; 0]);
}

#[test]
fn answers_are_kept_and_asked_for_again_when_that_is_wanted() {
    let server = Server::start();
    let place = DocumentId::new(&server, &["/fine", "/gone"], "");
    place.check(&["--external"]);
    let (asked, kept) = (server.asked(), fs::read_to_string(place.answers()).unwrap());
    assert_eq!(asked, ["GET /gone", "HEAD /fine", "HEAD /gone"]);
    assert_eq!(kept.lines().count(), 3);
    let output = place.check(&["--external", "--format", "json"]);
    assert_eq!(server.asked(), asked);
    assert_eq!(rules(&output), [(3, "broken-external-link".to_owned())]);
    place.check(&["--external", "--no-cache"]);
    assert_eq!(server.asked().len(), 2 * asked.len());
}

#[test]
fn exceptions_and_what_is_skipped_hold_for_other_hosts_too() {
    let server = Server::start();
    let ignored = "[[ignore]]\nrule = \"broken-external-link\"\nreason = \"it comes back on Monday\"\n";
    let place = DocumentId::new(&server, &["/gone"], ignored);
    assert_eq!(place.check(&["--external"]).status.code(), Some(0));
    // Where nobody is asked, such an exception is not called idle.
    assert!(!text(&place.check(&[]).stdout).contains("excuses nothing"));
    let place = DocumentId::new(&server, &["/wall"], &format!("skip = [\"http://{}/w*\"]\n", server.address));
    let before = server.asked().len();
    assert!(text(&place.check(&["--external"]).stdout).contains("passed"));
    assert_eq!(server.asked().len(), before);
}

#[test]
fn secrets_come_from_the_environment_and_go_to_their_host_alone() {
    let (server, other) = (Server::start(), Server::start());
    let hosts = |value: &str| {
        format!("[external.hosts.\"http://{}\"]\nheaders = {{ Authorization = {value} }}\n", server.address)
    };
    let place = DocumentId::new(&server, &["/fine"], &hosts("{ env = \"SAMPLE_TOKEN\" }"));
    let page = place.folder.path().join("site/index.html");
    let both =
        fs::read_to_string(&page).unwrap() + &format!("<p><a href=\"http://{}/fine\">y</a>", other.address);
    fs::write(&page, both).unwrap();
    let output = place.command(&["--external"]).env("SAMPLE_TOKEN", "Bearer sample").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(server.asked(), ["HEAD /fine (authorization: Bearer sample)"]);
    assert_eq!(other.asked(), ["HEAD /fine"]);
    assert!(!fs::read_to_string(place.answers()).unwrap().contains("sample"));
    let output = DocumentId::new(&server, &["/fine"], &hosts("\"Bearer sample\"")).check(&["--external"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("is a secret: do not write it in a file"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn what_the_contract_says_wrongly_is_told_with_its_line() {
    let server = Server::start();
    for (wrong, message) in [
        ("skip = [\"www.example.org\"]", "must start with a scheme"),
        ("timeout = -1.0", "a number of seconds"),
        ("concurrency = 0", "at least 1"),
        ("intervals = 1", "unknown key `intervals`"),
        ("certificates = \"none.pem\"", "none.pem: "),
        ("certificates = \"sitegate.toml\"", "holds no certificate"),
        ("[external.host]\naccept = [42]", "a status, such as 403"),
        ("[external.host]\nheaders = { \"a b\" = \"c\" }", "not a valid header name"),
        ("[external.host]\ninterval = 1e9", "a number of seconds"),
    ] {
        let output = DocumentId::new(&server, &["/fine"], wrong).check(&["--external"]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(text(&output.stderr).contains(message), "{wrong}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("sitegate.toml:"), "{wrong}: {}", text(&output.stderr));
    }
    let place = DocumentId::new(&server, &["/fine"], "");
    let contract = place.folder.path().join("sitegate.toml");
    let odd = fs::read_to_string(&contract).unwrap().replace("127.0.0.0/8", "here");
    fs::write(&contract, odd).unwrap();
    let told = text(&place.check(&["--external"]).stderr);
    assert!(told.contains("sitegate.toml:7:20: `here` is not a network"), "{told}");
}

#[test]
fn the_table_of_known_hosts_is_what_the_program_knows() {
    const BEGIN: &str = "<!-- hosts: made by `UPDATE=1 cargo test` -->\n";
    const END: &str = "<!-- end of hosts -->\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/external.md");
    let _only = crate::docs::REWRITING.lock();
    let page = fs::read_to_string(&file).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (shown, after) = rest.split_once(END).unwrap();
    let mut table = "| host | what it does | written down |\n|---|---|---|\n".to_owned();
    for known in KNOWN_HOSTS {
        writeln!(table, "| {} | {} | {} |", known.domains.join(", "), known.reason, known.written).unwrap();
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(shown, table, "`UPDATE=1 cargo test` writes it anew");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_tells_what_is_known_so_far() {
    let server = Server::start();
    let place = DocumentId::new(&server, &["/gone", "/hang"], "");
    let child = place.command(&["--external"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !server.asked().iter().any(|line| line == "GET /gone") {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    assert!(told.contains("it answers 404 Not Found"), "{told}");
    assert!(told.contains("the check was stopped before it answered"), "{told}");
    assert!(told.contains("1 broken, 1 unverified; stopped after "), "{told}");
    assert!(told.contains("not everything could be checked"), "{told}");
}
