//! Where the credentials of an S3 store come from: AWS's own library looks for them, and what fails is said in plain
//! words.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use aws_config::ecs::EcsCredentialsProvider;
use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::imds::credentials::ImdsCredentialsProvider;
use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::web_identity_token::WebIdentityTokenCredentialsProvider;
use aws_config::{BehaviorVersion, Region};
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use object_store::CredentialProvider;
use object_store::aws::AwsCredential;
use tokio::sync::Mutex;

use crate::aws::connector::CredentialsClient;
use crate::aws::profile::{AwsProfile, ProfileWay};
use crate::failure::{Exit, Failure};

/// Credentials that end within this time are fetched anew: a publish should not run into their end.
const EARLY: Duration = Duration::from_mins(5);

/// Credentials that never last longer than [`EARLY`] are fetched anew only this often, and so are those that could
/// not be had.
const PAUSE: Duration = Duration::from_secs(30);

/// The longest that is told of what AWS, or a program, says.
const LONGEST: usize = 300;

/// Gives credentials, and fetches them anew before they end.
#[derive(Debug)]
pub struct Credentials {
    profile: Option<AwsProfile>,
    region: String,
    client: CredentialsClient,
    kept: Mutex<Option<Kept>>,
}

/// What was fetched last.
#[derive(Debug)]
struct Kept {
    found: Result<Expiring, Failure>,
    fetched: Instant,
}

/// Credentials with their end; none where they never end.
#[derive(Clone, Debug)]
struct Expiring {
    credential: Arc<AwsCredential>,
    end: Option<SystemTime>,
}

/// A place where credentials may be found, in the order of AWS's own programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CredentialPlace {
    Environment,
    Profile,
    WebIdentity,
    Container,
    Machine,
}

impl Credentials {
    /// What gives the credentials of a profile, or else of what the environment and the machine offer. Services that
    /// are asked for them are those of a region.
    ///
    /// # Errors
    /// [`Exit::Credentials`] when the profile asks for what nobody could give here.
    pub fn new(
        profile: Option<AwsProfile>,
        region: &str,
        client: CredentialsClient,
    ) -> Result<Credentials, Failure> {
        if let Some(name) = profile.as_ref().and_then(AwsProfile::asks_for_code) {
            let message = format!("the AWS profile `{name}` takes a role with a one-time code");
            return Err(Failure::new(Exit::Credentials, message).help(export(name)));
        }
        Ok(Credentials { profile, region: region.to_owned(), client, kept: Mutex::new(None) })
    }

    /// Where to look. It is put together for each fetch, since the library reads files once only, and a sign-in that
    /// was renewed meanwhile stands in them.
    fn sources(&self) -> Vec<(CredentialPlace, SharedCredentialsProvider)> {
        let config = ProviderConfig::without_region()
            .with_behavior_version(Some(BehaviorVersion::latest()))
            .with_http_client(self.client.clone())
            .with_region(Some(Region::new(self.region.clone())));
        let mut profile = ProfileFileCredentialsProvider::builder().configure(&config);
        let mut sources = Vec::new();
        if let Some(wanted) = &self.profile
            && wanted.is_asked_for
        {
            profile = profile.profile_name(wanted.name());
        } else {
            let environment = EnvironmentVariableCredentialsProvider::new();
            sources.push((CredentialPlace::Environment, SharedCredentialsProvider::new(environment)));
        }
        let token = WebIdentityTokenCredentialsProvider::builder().configure(&config).build();
        let container = EcsCredentialsProvider::builder().configure(&config).build();
        let machine = ImdsCredentialsProvider::builder().configure(&config).build();
        sources.extend([
            (CredentialPlace::Profile, SharedCredentialsProvider::new(profile.build())),
            (CredentialPlace::WebIdentity, SharedCredentialsProvider::new(token)),
            (CredentialPlace::Container, SharedCredentialsProvider::new(container)),
            (CredentialPlace::Machine, SharedCredentialsProvider::new(machine)),
        ]);
        sources
    }

    async fn fetch(&self) -> Result<Expiring, Failure> {
        for (place, provider) in self.sources() {
            let found = match provider.provide_credentials().await {
                Ok(found) => found,
                Err(CredentialsError::CredentialsNotLoaded(_)) => continue,
                Err(error) => return Err(self.failure(place, &told(&error))),
            };
            if found.expiry().is_some_and(|end| end <= SystemTime::now()) {
                return Err(self.failure(place, "they have expired"));
            }
            let credential = Arc::new(AwsCredential {
                key_id: found.access_key_id().to_owned(),
                secret_key: found.secret_access_key().to_owned(),
                token: found.session_token().map(str::to_owned),
            });
            return Ok(Expiring { credential, end: found.expiry() });
        }
        Err(Failure::new(Exit::Credentials, "there are no AWS credentials").help(
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a --profile; neither the environment, \
             ~/.aws, nor this machine's own role has any",
        ))
    }

    /// What it means that a place holds credentials, and that they cannot be had.
    fn failure(&self, place: CredentialPlace, why: &str) -> Failure {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let (what, help) = match place {
            CredentialPlace::Environment => {
                ("the credentials of the environment".to_owned(), "set AWS_ACCESS_KEY_ID anew".to_owned())
            }
            CredentialPlace::Profile => self.profile_failure(),
            CredentialPlace::WebIdentity => (
                format!(
                    "AWS_WEB_IDENTITY_TOKEN_FILE: cannot take the role {} with the token in {}",
                    variable("AWS_ROLE_ARN"),
                    variable("AWS_WEB_IDENTITY_TOKEN_FILE"),
                ),
                "the role must trust whoever issued the token, and the token must be fresh".to_owned(),
            ),
            CredentialPlace::Container => (
                "AWS_CONTAINER_CREDENTIALS: the container's credentials".to_owned(),
                "the task or pod needs a role, and its agent must answer".to_owned(),
            ),
            CredentialPlace::Machine => (
                "the role of this machine".to_owned(),
                "give the instance a role; AWS_EC2_METADATA_DISABLED=true keeps this program from asking for it"
                    .to_owned(),
            ),
        };
        Failure::new(Exit::Credentials, format!("{what}: {why}")).help(help)
    }

    /// The same of the profile, by the way in which it gets its credentials.
    fn profile_failure(&self) -> (String, String) {
        let Some(profile) = &self.profile else {
            return (
                "the AWS profiles".to_owned(),
                "correct ~/.aws/config and ~/.aws/credentials".to_owned(),
            );
        };
        let (name, beginning) = (profile.name(), format!("the AWS profile `{}`", profile.name()));
        match profile.way() {
            ProfileWay::Process => (
                format!("{beginning} runs a credential_process"),
                "run the command of the AWS profile by hand to see what it says".to_owned(),
            ),
            ProfileWay::WebIdentity(role) => (
                format!("{beginning} cannot take the role {role} with its web_identity_token_file"),
                "the role must trust whoever issued the token, and the token must be fresh".to_owned(),
            ),
            ProfileWay::Role(role) => (
                format!("{beginning} cannot take the role {role}"),
                "its source must be in order, and the role must trust it, with its external id".to_owned(),
            ),
            ProfileWay::SignIn(start) => (
                format!("{beginning} signs in at {start}"),
                format!("run `aws sso login --profile {name}` first"),
            ),
            ProfileWay::Keys => (beginning, export(name)),
        }
    }
}

/// What to do where this program cannot follow a profile.
fn export(profile: &str) -> String {
    format!("run `eval \"$(aws configure export-credentials --profile {profile} --format env)\"` first")
}

/// What the library says in all the layers of an error, on one line, without what says nothing.
fn told(error: &CredentialsError) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut next: Option<&dyn Error> = error.source();
    while let Some(layer) = next {
        next = layer.source();
        let text = layer.to_string();
        let empty = layer.is::<CredentialsError>()
            || matches!(text.as_str(), "service error" | "dispatch failure" | "unhandled error" | "Error")
            || text.starts_with("Error {");
        if !empty && !parts.iter().any(|part| part.contains(&text)) {
            parts.push(text.strip_prefix("unhandled error ").map_or(text.clone(), str::to_owned));
        }
    }
    let text: String = parts.join(": ").split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().filter(|character| !character.is_control()).take(LONGEST).collect()
}

impl Kept {
    /// Whether this is what is given, without asking again.
    fn is_fresh(&self) -> bool {
        let lasts = match &self.found {
            Ok(found) => found.end.is_none_or(|end| end > SystemTime::now() + EARLY),
            Err(_) => false,
        };
        lasts || self.fetched.elapsed() < PAUSE
    }

    /// Whether it can still be used, where nothing newer is to be had.
    fn is_usable(&self) -> bool {
        self.found.as_ref().is_ok_and(|found| found.end.is_none_or(|end| end > SystemTime::now()))
    }
}

#[async_trait]
impl CredentialProvider for Credentials {
    type Credential = AwsCredential;

    async fn get_credential(&self) -> object_store::Result<Arc<AwsCredential>> {
        let mut kept = self.kept.lock().await;
        if !kept.as_ref().is_some_and(Kept::is_fresh) {
            let found = self.fetch().await;
            match &mut *kept {
                Some(old) if found.is_err() && old.is_usable() => old.fetched = Instant::now(),
                _ => *kept = Some(Kept { found, fetched: Instant::now() }),
            }
        }
        match kept.as_ref().map(|kept| kept.found.clone()) {
            Some(Ok(found)) => Ok(found.credential),
            Some(Err(failure)) => Err(object_store::Error::Generic { store: "AWS", source: failure.into() }),
            None => Err(object_store::Error::NotImplemented {
                operation: "credentials".to_owned(),
                implementer: "AWS".to_owned(),
            }),
        }
    }
}
