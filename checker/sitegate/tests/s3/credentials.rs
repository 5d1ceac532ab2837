//! The ways in which an AWS profile gets its credentials, and that no secret ever shows.

use std::process::Output;

use crate::bucket::{ROLE, SIGN_IN, TEMPORARY};
use crate::server::{KEY, SECRET, Server, Settings};
use crate::site::{Site, is_version, said};

/// A site whose machine has only profiles.
struct Machine {
    site: Site,
    server: Server,
}

impl Machine {
    fn new(config: &str) -> Machine {
        let (site, server) = (Site::new(), Server::in_memory(Settings::default()));
        let machine = Machine { site, server };
        machine.write("config", config);
        machine
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.site.path(".aws").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    fn publish(&self, profile: &str) -> Output {
        let mut command = self.site.on(&self.server, "publish", &["--profile", profile, "--events"]);
        if profile != "surroundings" {
            command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
        }
        // A token of the environment belongs to other keys than those of the profile.
        command.env("AWS_SESSION_TOKEN", "another");
        command.env("AWS_ENDPOINT_URL_STS", self.server.url()).env("AWS_ENDPOINT_URL_SSO", self.server.url());
        let output = command.output().unwrap();
        let stored = self.server.objects().into_values().flat_map(|stored| stored.body).collect();
        let all = said(&output) + &String::from_utf8(stored).unwrap();
        for secret in [SECRET, TEMPORARY[1], TEMPORARY[2], SIGN_IN] {
            assert!(!all.contains(secret), "{secret} shows: {all}");
        }
        output
    }

    fn goes(&self, profile: &str) {
        let output = self.publish(profile);
        assert_eq!(output.status.code(), Some(0), "{profile}: {}", said(&output));
        is_version(&self.server.objects(), "one").unwrap();
    }

    fn refused(&self, profile: &str, words: &[&str]) {
        let output = self.publish(profile);
        assert_eq!(output.status.code(), Some(3), "{profile}: {}", said(&output));
        for word in words {
            assert!(said(&output).contains(word), "{profile}: `{word}` is not in {}", said(&output));
        }
        assert!(self.server.objects().is_empty());
    }
}

fn printed(end: &str) -> String {
    let [key, secret, token] = TEMPORARY;
    format!(
        r#"{{"Version": 1, "AccessKeyId": "{key}", "SecretAccessKey": "{secret}", "SessionToken": "{token}"{end}}}"#
    )
}

#[cfg(unix)]
#[test]
fn a_program_prints_them_and_is_asked_once() {
    let machine = Machine::new(
        "[profile ends]\ncredential_process = cat .aws/ends.json && echo x >> count\n\
         [profile stays]\ncredential_process = cat .aws/stays.json\n",
    );
    machine.write("ends.json", &printed(r#", "Expiration": "2099-01-01T00:00:00+01:00""#));
    machine.write("stays.json", &printed(""));
    machine.goes("ends");
    assert_eq!(std::fs::read_to_string(machine.site.path("count")).unwrap(), "x\n");
    machine.goes("stays");
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_is_told_of_and_its_words_are_not() {
    let machine = Machine::new(
        "[profile fails]\ncredential_process = exit 7\n\
         [profile garbled]\ncredential_process = echo SKTEMP\n\
         [profile late]\ncredential_process = cat .aws/late.json\n\
         [profile new]\ncredential_process = cat .aws/new.json\n",
    );
    machine.write("late.json", &printed(r#", "Expiration": "2024-09-11T14:30:00Z""#));
    machine.write("new.json", &printed("").replace("1,", "2,"));
    machine.refused("fails", &["credential_process: exit status: 7", "by hand"]);
    machine.refused("garbled", &["no JSON with AccessKeyId"]);
    machine.refused("late", &["have expired"]);
    machine.refused("new", &["version 2"]);
}

#[test]
fn a_role_is_taken_with_the_keys_of_another_profile() {
    let role = format!("role_arn = {ROLE}\n");
    let machine = Machine::new(&format!(
        "[profile role]\n{role}source_profile = base\nexternal_id = us & them\n\
         [profile own]\n{role}source_profile = own\nexternal_id = us & them\n\
         [profile surroundings]\n{role}credential_source = Environment\nexternal_id = us & them\n\
         [profile stranger]\n{role}source_profile = base\n\
         [profile code]\n{role}source_profile = base\nmfa_serial = x\n\
         [profile round]\n{role}source_profile = about\n[profile about]\n{role}source_profile = round\n\
         [profile alone]\n{role}[profile lost]\n{role}source_profile = nobody\n"
    ));
    let keys = format!("aws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n");
    machine.write("credentials", &format!("[base]\n{keys}[own]\n{keys}"));
    machine.refused("stranger", &["cannot take the role", "AccessDenied"]);
    machine.refused("code", &["one-time code", "aws configure export-credentials --profile code"]);
    machine.refused("round", &["`round` takes a role from itself"]);
    machine.refused("alone", &["no source_profile"]);
    machine.refused("lost", &["no AWS profile `nobody`"]);
    machine.goes("role");
    machine.goes("own");
    machine.goes("surroundings");
}

#[test]
fn a_sign_in_is_exchanged_for_them() {
    let machine = Machine::new(
        "[sso-session work]\nsso_start_url = https://work.awsapps.com/start\nsso_region = eu-west-1\n\
         [profile new]\nsso_session = work\nsso_account_id = 123456789012\nsso_role_name = Publisher\n\
         [profile old]\nsso_start_url = https://work.awsapps.com/start#/\nsso_region = eu-west-1\n\
         sso_account_id = 123456789012\nsso_role_name = Publisher\n\
         [profile other]\nsso_session = work\nsso_account_id = 1\nsso_role_name = Publisher\n\
         [profile half]\nsso_session = work\nsso_account_id = 1\n",
    );
    let token = |end: &str, token: &str| {
        format!(
            r#"{{"startUrl": "https://work.awsapps.com/start", "accessToken": "{token}", "expiresAt": "{end}"}}"#
        )
    };
    machine.refused("new", &["there is no sign-in", "aws sso login --profile new"]);
    machine.write("sso/cache/a.json", &token("2024-09-11T14:30:00Z", SIGN_IN));
    machine.refused("new", &["there is no sign-in"]);
    machine.write("sso/cache/a.json", &token("2099-01-01T00:00:00Z", "revoked"));
    machine.refused("new", &["the sign-in has ended", "aws sso login --profile new"]);
    machine.write("sso/cache/a.json", &token("2099-01-01T00:00:00Z", SIGN_IN));
    machine.write("sso/cache/client.json", r#"{"clientId": "x", "expiresAt": "2099-01-01T00:00:00Z"}"#);
    machine.refused("other", &["role Publisher is refused: 403"]);
    machine.refused("half", &["without sso_role_name"]);
    machine.goes("new");
    machine.goes("old");
}
