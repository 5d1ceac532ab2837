//! Where an AWS profile's credentials come from: keys that stand in it, a program, a role, a sign-in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use object_store::CredentialProvider;
use object_store::aws::{AmazonS3Builder, AwsCredential, AwsCredentialProvider};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::aws::profile::{self, Profile};
use crate::aws::request;
use crate::failure::{Exit, Failure};

/// Credentials that end within this time are fetched anew: a publish should not run into their end.
const EARLY: chrono::TimeDelta = chrono::TimeDelta::minutes(5);

/// Credentials that never last longer than [`EARLY`] are fetched anew only this often.
const PAUSE: Duration = Duration::from_secs(30);

/// How long a role is taken for, in seconds, where the profile does not say: as AWS's own programs do.
const ROLE_SECONDS: &str = "3600";

/// What gives the credentials of a profile; none where the profile holds none.
///
/// # Errors
/// [`Exit::Credentials`] when the profile cannot be followed.
pub fn provider(
    name: &str,
    profile: &Profile,
    region: &str,
) -> Result<Option<AwsCredentialProvider>, Failure> {
    let way = Way::of(name, profile, region, &mut Vec::new())?;
    Ok(way.map(|way| Arc::new(Credentials { way, kept: Mutex::new(None) }) as AwsCredentialProvider))
}

/// How credentials are got.
#[derive(Debug)]
enum Way {
    /// They stand in the profile, or the environment or the machine gives them.
    Given(AwsCredentialProvider),
    /// A program prints them.
    Process(String),
    /// A role is taken with other credentials.
    Role(AssumedRole),
    /// A sign-in in the browser, done before by `aws sso login`, is exchanged for them.
    SignIn(SignIn),
}

#[derive(Debug)]
struct AssumedRole {
    /// The parameters of the request.
    form: BTreeMap<&'static str, String>,
    region: String,
    source: Box<Way>,
}

#[derive(Debug)]
struct SignIn {
    profile: String,
    start_url: String,
    region: String,
    account: String,
    role: String,
}

/// Credentials with their end; none where they never end.
type Expiring = (Arc<AwsCredential>, Option<DateTime<Utc>>);

impl Way {
    /// The way that a profile describes, in the order of AWS's own programs. `seen` are the profiles that led
    /// here.
    fn of(
        name: &str,
        profile: &Profile,
        region: &str,
        seen: &mut Vec<String>,
    ) -> Result<Option<Way>, Failure> {
        let get = |key: &str| profile.get(key).cloned().filter(|value| !value.is_empty());
        let region = get("region").unwrap_or_else(|| region.to_owned());
        // A profile may name itself as the source of a role: then its own keys are meant.
        let looked_at = seen.iter().any(|seen| seen == name);
        if let Some(role) = get("role_arn").filter(|_| !looked_at) {
            seen.push(name.to_owned());
            return role_of(name, profile, &region, role, seen).map(Some);
        }
        if let Some(start_url) = sign_in_setting(profile, "sso_start_url") {
            let need = |key: &str| {
                sign_in_setting(profile, key)
                    .ok_or_else(|| refused(name, &format!("has a sign-in without {key}")).help(export(name)))
            };
            return Ok(Some(Way::SignIn(SignIn {
                profile: name.to_owned(),
                start_url,
                region: need("sso_region")?,
                account: need("sso_account_id")?,
                role: need("sso_role_name")?,
            })));
        }
        if let (Some(key_id), Some(secret_key)) = (get("aws_access_key_id"), get("aws_secret_access_key")) {
            let keys = AwsCredential { key_id, secret_key, token: get("aws_session_token") };
            return Ok(Some(Way::Given(Arc::new(object_store::StaticCredentialProvider::new(keys)))));
        }
        if looked_at {
            return Err(refused(name, "takes a role from itself and has no keys").help(export(name)));
        }
        Ok(get("credential_process").map(Way::Process))
    }

    async fn fetch(&self) -> Result<Expiring, Failure> {
        match self {
            Way::Given(provider) => {
                let given = provider.get_credential().await;
                Ok((given.map_err(|error| Failure::store(&error, "cannot get credentials"))?, None))
            }
            Way::Process(command) => process(command.clone()).await,
            Way::Role(role) => Box::pin(role.take()).await,
            Way::SignIn(sign_in) => sign_in.exchange().await,
        }
    }
}

/// The way of a profile with a `role_arn`.
fn role_of(
    name: &str,
    profile: &Profile,
    region: &str,
    role: String,
    seen: &mut Vec<String>,
) -> Result<Way, Failure> {
    if profile.contains_key("mfa_serial") {
        return Err(refused(name, "takes a role with a one-time code").help(export(name)));
    }
    let source = match (profile.get("source_profile"), profile.get("credential_source")) {
        (Some(source), _) => {
            let settings = profile::load(Some(source))?.unwrap_or_default();
            Way::of(source, &settings, region, seen)?.ok_or_else(|| {
                refused(source, "holds no credentials").help("a role needs credentials to be taken with")
            })?
        }
        (None, Some(_)) => surroundings()?,
        (None, None) => {
            return Err(refused(name, "has a role_arn and no source_profile").help(export(name)));
        }
    };
    let get = |key: &str, default: &str| profile.get(key).cloned().unwrap_or_else(|| default.to_owned());
    let mut form = BTreeMap::from([
        ("Action", "AssumeRole".to_owned()),
        ("Version", "2011-06-15".to_owned()),
        ("RoleArn", role),
        ("RoleSessionName", get("role_session_name", "sitegate")),
        ("DurationSeconds", get("duration_seconds", ROLE_SECONDS)),
    ]);
    form.extend(profile.get("external_id").map(|id| ("ExternalId", id.clone())));
    Ok(Way::Role(AssumedRole { form, region: region.to_owned(), source: Box::new(source) }))
}

/// A setting of a sign-in, in the profile or in the `[sso-session]` that it names.
fn sign_in_setting(profile: &Profile, key: &str) -> Option<String> {
    let own = profile.get(key).cloned();
    own.or_else(|| profile::session(profile.get("sso_session")?)?.get(key).cloned())
}

/// What the environment or the machine gives: object_store knows where to look.
fn surroundings() -> Result<Way, Failure> {
    // The store is made only for its credentials; its bucket is never asked for.
    let store = AmazonS3Builder::from_env().with_bucket_name("none").build();
    let store = store.map_err(|error| Failure::store(&error, "cannot get credentials"))?;
    Ok(Way::Given(Arc::clone(store.credentials())))
}

fn refused(profile: &str, why: &str) -> Failure {
    Failure::new(Exit::Credentials, format!("the AWS profile `{profile}` {why}"))
}

/// What to do where this program cannot follow a profile.
fn export(profile: &str) -> String {
    format!("run `eval \"$(aws configure export-credentials --profile {profile} --format env)\"` first")
}

/// Gives credentials, and fetches them anew before they end.
#[derive(Debug)]
struct Credentials {
    way: Way,
    kept: Mutex<Option<(Expiring, Instant)>>,
}

#[async_trait]
impl CredentialProvider for Credentials {
    type Credential = AwsCredential;

    async fn get_credential(&self) -> object_store::Result<Arc<AwsCredential>> {
        // What the environment and the machine give is kept and renewed where it comes from.
        if let Way::Given(provider) = &self.way {
            return provider.get_credential().await;
        }
        let mut kept = self.kept.lock().await;
        if let Some(((credential, end), fetched)) = &*kept
            && (end.is_none_or(|end| end - Utc::now() > EARLY) || fetched.elapsed() < PAUSE)
        {
            return Ok(Arc::clone(credential));
        }
        let found = self.way.fetch().await;
        let found =
            found.map_err(|failure| object_store::Error::Generic { store: "AWS", source: failure.into() })?;
        let credential = Arc::clone(&found.0);
        *kept = Some((found, Instant::now()));
        Ok(credential)
    }
}

/// What a `credential_process` prints.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Printed {
    version: u32,
    access_key_id: String,
    secret_access_key: String,
    session_token: Option<String>,
    expiration: Option<DateTime<Utc>>,
}

/// Runs a program that prints credentials. What it says to standard error is for the user.
async fn process(command: String) -> Result<Expiring, Failure> {
    let fail = |why: &str| {
        Failure::new(Exit::Credentials, format!("credential_process: {why}"))
            .help("run the command of the AWS profile by hand to see what it says")
    };
    let run = tokio::task::spawn_blocking(move || {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        Command::new(shell).args([flag, &command]).stderr(Stdio::inherit()).output()
    });
    let output = match run.await {
        Ok(Ok(output)) => output,
        Ok(Err(error)) => return Err(fail(&error.to_string())),
        Err(error) => return Err(fail(&error.to_string())),
    };
    if !output.status.success() {
        return Err(fail(&output.status.to_string()));
    }
    // The parser's own message could quote a secret.
    let printed: Printed = serde_json::from_slice(&output.stdout)
        .map_err(|_| fail("it printed no JSON with AccessKeyId and SecretAccessKey"))?;
    if printed.version != 1 {
        return Err(fail(&format!("it printed version {}, and 1 is known", printed.version)));
    }
    if printed.expiration.is_some_and(|end| end <= Utc::now()) {
        return Err(fail("it printed credentials that have expired"));
    }
    let credential = AwsCredential {
        key_id: printed.access_key_id,
        secret_key: printed.secret_access_key,
        token: printed.session_token,
    };
    Ok((Arc::new(credential), printed.expiration))
}

impl AssumedRole {
    /// Takes the role: one signed request.
    async fn take(&self) -> Result<Expiring, Failure> {
        let (source, _) = self.source.fetch().await?;
        let role = self.form.get("RoleArn").map_or("", String::as_str);
        let fail = |why: &str| Failure::new(Exit::Credentials, format!("cannot take the role {role}: {why}"));
        let own = format!("https://sts.{}.amazonaws.com", self.region);
        let url = request::endpoint("AWS_ENDPOINT_URL_STS", &own)?;
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.form).finish();
        let form = "application/x-www-form-urlencoded";
        let answer = request::post(&source, ("sts", &self.region), &format!("{url}/"), form, body).await;
        let (status, text) = answer.map_err(|why| fail(&why))?;
        let field = |name: &str| request::element(&text, name).map(str::to_owned);
        if !status.is_success() {
            let code = field("Code").unwrap_or_default();
            return Err(fail(&format!("refused: {} {code}", status.as_u16())));
        }
        let (Some(key_id), Some(secret_key), Some(token), Some(end)) = (
            field("AccessKeyId"),
            field("SecretAccessKey"),
            field("SessionToken"),
            field("Expiration").and_then(|end| end.parse().ok()),
        ) else {
            return Err(fail("the answer holds no credentials"));
        };
        Ok((Arc::new(AwsCredential { key_id, secret_key, token: Some(token) }), Some(end)))
    }
}

/// What `aws sso login` keeps of a sign-in.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignInToken {
    start_url: String,
    access_token: String,
    expires_at: DateTime<Utc>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Exchanged {
    role_credentials: RoleCredentials,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RoleCredentials {
    access_key_id: String,
    secret_access_key: String,
    session_token: String,
    /// In milliseconds since 1970.
    expiration: i64,
}

impl SignIn {
    /// The token of a sign-in that has not ended.
    fn token(&self) -> Option<String> {
        let folder: PathBuf = std::env::home_dir()?.join(".aws/sso/cache");
        let files = std::fs::read_dir(folder).ok()?.filter_map(|file| std::fs::read(file.ok()?.path()).ok());
        let tokens = files.filter_map(|text| serde_json::from_slice::<SignInToken>(&text).ok());
        let plain = |url: &str| url.trim_end_matches(['#', '/']).to_owned();
        let ours = tokens.filter(|token| plain(&token.start_url) == plain(&self.start_url));
        let last = ours.max_by_key(|token| token.expires_at).filter(|token| token.expires_at > Utc::now());
        last.map(|token| token.access_token)
    }

    async fn exchange(&self) -> Result<Expiring, Failure> {
        let sign_in = format!("run `aws sso login --profile {}` first", self.profile);
        let fail = |why: &str| refused(&self.profile, &format!("signs in at {}: {why}", self.start_url));
        let token = self.token().ok_or_else(|| fail("there is no sign-in").help(&sign_in))?;
        let own = format!("https://portal.sso.{}.amazonaws.com", self.region);
        let url = request::endpoint("AWS_ENDPOINT_URL_SSO", &own)?;
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("role_name", &self.role), ("account_id", &self.account)])
            .finish();
        let request = request::client().map_err(|why| fail(&why))?;
        let request = request.get(format!("{url}/federation/credentials?{query}"));
        let sent = request.header("x-amz-sso_bearer_token", token).send().await;
        let answer = sent.map_err(|error| fail(&error.without_url().to_string()))?;
        match answer.status().as_u16() {
            200 => {}
            401 => return Err(fail("the sign-in has ended").help(&sign_in)),
            status => return Err(fail(&format!("role {} is refused: {status}", self.role))),
        }
        let text = answer.bytes().await.map_err(|error| fail(&error.without_url().to_string()))?;
        let found: Exchanged =
            serde_json::from_slice(&text).map_err(|_| fail("the answer holds no credentials"))?;
        let found = found.role_credentials;
        let credential = AwsCredential {
            key_id: found.access_key_id,
            secret_key: found.secret_access_key,
            token: Some(found.session_token),
        };
        Ok((Arc::new(credential), DateTime::from_timestamp_millis(found.expiration)))
    }
}
