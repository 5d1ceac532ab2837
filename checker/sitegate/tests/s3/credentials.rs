//! Tests the sources of AWS credentials, the ways in which a profile gets them, and that no secret is printed.

use std::process::{Command, Output};

use super::credential_services::{CONTAINER, RENEWAL, ROLE, SECOND, SIGN_IN, TEMPORARY, WEB_TOKEN};
use super::server::{KEY, Objects, SECRET, Server, Settings};
use super::site::{Site, is_version};
use crate::outcome::{all_output, assert_exit};

/// A site on a machine with AWS profiles.
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

    /// Returns a publish command without credentials, with the test server for all AWS services.
    fn command(&self) -> Command {
        let mut command = self.site.on(&self.server, "publish", &["--events"]);
        command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
        // A token in the environment belongs to other keys than those of the profile.
        command.env("AWS_SESSION_TOKEN", "another");
        let here = self.server.url();
        for service in ["STS", "SSO", "SSO_OIDC"] {
            command.env(format!("AWS_ENDPOINT_URL_{service}"), &here);
        }
        command.env("AWS_EC2_METADATA_SERVICE_ENDPOINT", here);
        command
    }

    fn run(&self, command: &mut Command) -> Output {
        let output = command.output().unwrap();
        let stored: Vec<u8> = self.server.objects().into_values().flat_map(|stored| stored.body).collect();
        let all = all_output(&output) + &String::from_utf8_lossy(&stored);
        let temporary = [TEMPORARY[1], TEMPORARY[2], SIGN_IN, WEB_TOKEN, CONTAINER];
        for secret in [&[SECRET][..], &temporary, &RENEWAL].concat() {
            assert!(!all.contains(secret), "{secret} shows: {all}");
        }
        output
    }

    fn publish(&self, profile: &str) -> Output {
        let mut command = self.command();
        if profile == "surroundings" {
            command.env("AWS_ACCESS_KEY_ID", KEY).env("AWS_SECRET_ACCESS_KEY", SECRET);
            command.env_remove("AWS_SESSION_TOKEN");
        }
        self.run(command.args(["--profile", profile]))
    }

    #[track_caller]
    fn assert_published(&self, output: &Output) {
        assert_exit(output, 0, &[]);
        is_version(&self.server.objects(), "one").unwrap();
        self.server.set_objects(Objects::new());
    }

    #[track_caller]
    fn assert_publishes_with(&self, profiles: &[&str]) {
        for profile in profiles {
            self.assert_published(&self.publish(profile));
        }
    }

    #[track_caller]
    fn assert_failed(&self, output: &Output, words: &[&str]) {
        assert_exit(output, 3, words);
        assert!(self.server.objects().is_empty());
    }

    #[track_caller]
    fn assert_fails_with(&self, profiles: &[(&str, &[&str])]) {
        for (profile, words) in profiles {
            self.assert_failed(&self.publish(profile), words);
        }
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
fn reads_credentials_from_a_program_once() {
    let machine = Machine::new(
        "[profile ends]\ncredential_process = cat .aws/ends.json && echo x >> count\n\
         [profile stays]\ncredential_process = cat .aws/stays.json\n",
    );
    machine.write("ends.json", &printed(r#", "Expiration": "2099-01-01T00:00:00+01:00""#));
    machine.write("stays.json", &printed(""));
    machine.assert_publishes_with(&["ends"]);
    assert_eq!(std::fs::read_to_string(machine.site.path("count")).unwrap(), "x\n");
    machine.assert_publishes_with(&["stays"]);
}

#[cfg(unix)]
#[test]
fn reports_a_failed_program_without_its_output() {
    let machine = Machine::new(
        "[profile fails]\ncredential_process = exit 7\n\
         [profile garbled]\ncredential_process = echo SKTEMP\n\
         [profile late]\ncredential_process = cat .aws/late.json\n\
         [profile new]\ncredential_process = cat .aws/new.json\n",
    );
    machine.write("late.json", &printed(r#", "Expiration": "2024-09-11T14:30:00Z""#));
    machine.write("new.json", &printed("").replace("1,", "2,"));
    machine.assert_fails_with(&[
        ("fails", &["`fails` runs a credential_process", "exit status: 7", "by hand"]),
        ("garbled", &["runs a credential_process", "could not parse"]),
        ("late", &["have expired"]),
        ("new", &["unknown version number: 2"]),
    ]);
}

#[test]
fn assumes_a_role_with_the_keys_of_another_profile() {
    let role = format!("role_arn = {ROLE}\n");
    let machine = Machine::new(&format!(
        "[profile role]\n{role}source_profile = base\nexternal_id = us & them\n\
         [profile own]\n{role}source_profile = own\nexternal_id = us & them\n\
         [profile surroundings]\n{role}credential_source = Environment\nexternal_id = us & them\n\
         [profile stranger]\n{role}source_profile = base\n\
         [profile code]\n{role}source_profile = base\nmfa_serial = x\n\
         [profile above]\nrole_arn = {SECOND}\nsource_profile = code\n\
         [profile chain]\nrole_arn = {SECOND}\nsource_profile = role\n\
         [profile short]\nrole_arn = {SECOND}\nsource_profile = base\n\
         [profile round]\n{role}source_profile = about\n[profile about]\n{role}source_profile = round\n\
         [profile alone]\n{role}[profile lost]\n{role}source_profile = missing\n"
    ));
    let keys = format!("aws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n");
    machine.write("credentials", &format!("[base]\n{keys}[own]\n{keys}"));
    machine.assert_fails_with(&[
        ("stranger", &["cannot take the role", "AccessDenied"]),
        ("code", &["one-time code", "aws configure export-credentials --profile code"]),
        ("above", &["`code` takes a role with a one-time code"]),
        ("round", &["`round` cannot take the role", "infinite loop"]),
        ("alone", &["`source_profile` or `credential_source`"]),
        ("lost", &["profile `missing` was not defined"]),
        ("nobody", &["there is no AWS profile `nobody`"]),
        ("short", &["cannot take the role", "role/second", "AccessDenied"]),
    ]);
    machine.assert_publishes_with(&["base", "role", "own", "surroundings", "chain"]);
}

#[test]
fn exchanges_a_sign_in_for_credentials() {
    let machine = Machine::new(
        "[sso-session work]\nsso_start_url = https://work.awsapps.com/start\nsso_region = eu-west-1\n\
         [profile new]\nsso_session = work\nsso_account_id = 123456789012\nsso_role_name = Publisher\n\
         [profile old]\nsso_start_url = https://work.awsapps.com/start#/\nsso_region = eu-west-1\n\
         sso_account_id = 123456789012\nsso_role_name = Publisher\n\
         [profile other]\nsso_session = work\nsso_account_id = 1\nsso_role_name = Publisher\n\
         [profile half]\nsso_session = work\nsso_account_id = 1\n",
    );
    // AWS tools cache a sign-in under the SHA-1 of its session name, or else of its URL.
    let [session, address] =
        ["e274eeff768c6396088ec6eb091f4bf4d47ab1e0", "1058f3ad20c1a479881c378de3fc4bc4d8623f7b"]
            .map(|name| format!("sso/cache/{name}.json"));
    let token = |end: &str, token: &str| {
        format!(
            r#"{{"startUrl": "https://work.awsapps.com/start", "accessToken": "{token}", "expiresAt": "{end}"}}"#
        )
    };
    let login = "aws sso login --profile new";
    machine.assert_fails_with(&[("new", &["signs in at https://work.awsapps.com/start", login])]);
    machine.write(&session, &token("2024-09-11T14:30:00Z", SIGN_IN));
    machine.assert_fails_with(&[("new", &["expired", login])]);
    machine.write(&session, &token("2099-01-01T00:00:00Z", "revoked"));
    machine.assert_fails_with(&[("new", &["UnauthorizedException", login])]);
    machine.write(&session, &token("2099-01-01T00:00:00Z", SIGN_IN));
    machine.assert_publishes_with(&["new"]);
    machine.assert_fails_with(&[
        ("other", &["signs in at", "ForbiddenException"]),
        ("half", &["sso_role_name"]),
        ("old", &["aws sso login --profile old"]),
    ]);
    machine.write(&address, &token("2099-01-01T00:00:00Z", SIGN_IN));
    machine.assert_publishes_with(&["old"]);
}

#[test]
fn renews_and_caches_an_expired_sign_in() {
    let machine = Machine::new(
        "[sso-session work]\nsso_start_url = https://work.awsapps.com/start\nsso_region = eu-west-1\n\
         sso_registration_scopes = sso:account:access\n\
         [profile new]\nsso_session = work\nsso_account_id = 123456789012\nsso_role_name = Publisher\n",
    );
    let file = "sso/cache/e274eeff768c6396088ec6eb091f4bf4d47ab1e0.json";
    let [renewal, client] = RENEWAL;
    let sign_in = |renewal: &str| {
        format!(
            r#"{{"startUrl": "https://work.awsapps.com/start", "region": "eu-west-1", "accessToken": "old",
             "expiresAt": "2024-09-11T14:30:00Z", "clientId": "sitegate", "clientSecret": "{client}",
             "registrationExpiresAt": "2099-01-01T00:00:00Z", "refreshToken": "{renewal}"}}"#
        )
    };
    machine.write(file, &sign_in("revoked"));
    machine.assert_fails_with(&[("new", &["aws sso login --profile new"])]);
    machine.write(file, &sign_in(renewal));
    machine.assert_publishes_with(&["new"]);
    let kept = std::fs::read_to_string(machine.site.path(".aws").join(file)).unwrap();
    assert!(kept.contains(SIGN_IN) && !kept.contains("2024-09-11"), "{kept}");
}

#[test]
fn assumes_a_role_with_a_web_identity_token() {
    let machine = Machine::new(&format!(
        "[profile job]\nrole_arn = {ROLE}\nweb_identity_token_file = .aws/token\n\
         [profile wrong]\nrole_arn = {ROLE}\nweb_identity_token_file = .aws/config\n\
         [profile lost]\nrole_arn = {ROLE}\nweb_identity_token_file = .aws/nothing\n\
         [profile chain]\nrole_arn = {SECOND}\nsource_profile = job\n"
    ));
    machine.write("token", WEB_TOKEN);
    machine.assert_publishes_with(&["job", "chain"]);
    let reason = "web_identity_token_file";
    machine.assert_fails_with(&[
        ("wrong", &["`wrong` cannot take the role", reason, "InvalidIdentityToken"]),
        ("lost", &["`lost` cannot take the role", reason]),
    ]);
    let job = |token: &str| {
        let mut command = machine.command();
        command.env("AWS_ROLE_ARN", ROLE).env("AWS_WEB_IDENTITY_TOKEN_FILE", token);
        machine.run(&mut command)
    };
    machine.assert_published(&job(".aws/token"));
    machine.assert_failed(&job(".aws/config"), &["AWS_WEB_IDENTITY_TOKEN_FILE", "token in .aws/config"]);
}

#[test]
fn reads_credentials_from_a_container_and_a_machine() {
    let machine = Machine::new(&format!(
        "[profile role]\nrole_arn = {ROLE}\ncredential_source = EcsContainer\nexternal_id = us & them\n"
    ));
    let agent = format!("{}/container", machine.server.url());
    let container = |token: &str| {
        let mut command = machine.command();
        command.env("AWS_CONTAINER_CREDENTIALS_FULL_URI", &agent);
        command.env("AWS_CONTAINER_AUTHORIZATION_TOKEN", token);
        command
    };
    machine.assert_published(&machine.run(&mut container(CONTAINER)));
    machine.assert_published(&machine.run(container(CONTAINER).args(["--profile", "role"])));
    machine.assert_failed(&machine.run(&mut container("wrong")), &["container's credentials"]);
    machine.assert_published(&machine.run(&mut machine.command()));
}

#[test]
fn skips_machine_metadata_if_disabled() {
    let machine = Machine::new("");
    let output = machine.run(machine.command().env("AWS_EC2_METADATA_DISABLED", "true"));
    machine.assert_failed(&output, &["no AWS credentials found", "AWS_ACCESS_KEY_ID", "--profile"]);
    assert_eq!(machine.server.log(), Vec::<String>::new(), "sends no request");
}

#[test]
fn never_sends_credentials_unencrypted() {
    let machine = Machine::new(&format!(
        "[profile role]\nrole_arn = {ROLE}\nsource_profile = base\nexternal_id = us & them\n"
    ));
    let keys = format!("aws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n");
    machine.write("credentials", &format!("[base]\n{keys}"));
    let mut command = machine.command();
    command.env("AWS_ENDPOINT_URL_STS", "http://sts.example.com").args(["--profile", "role"]);
    let output = machine.run(&mut command);
    machine.assert_failed(&output, &["http://sts.example.com", "is not encrypted"]);
}
