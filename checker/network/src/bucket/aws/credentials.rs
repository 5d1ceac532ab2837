//! Finds the credentials for an S3 store with AWS's own library, and explains failures.

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

use crate::bucket::aws::credentials_client::CredentialsClient;
use crate::bucket::aws::profile::{AwsProfile, CredentialMethod};
use sitegate_publish::failure::{Failure, FailureKind};

/// Credentials that expire within this time are renewed, so that they do not expire during a publish.
const RENEW_BEFORE: Duration = Duration::from_mins(5);

/// Minimum time between two fetches, for short-lived credentials and after failures.
const MIN_FETCH_INTERVAL: Duration = Duration::from_secs(30);

/// Maximum length of an error text from AWS or a credential process, in characters.
const MAX_ERROR_LENGTH: usize = 300;

/// Provides credentials, and renews them before they expire.
#[derive(Debug)]
pub(crate) struct Credentials {
    profile: Option<AwsProfile>,
    region: String,
    client: CredentialsClient,
    cached: Mutex<Option<CachedCredentials>>,
}

/// The result of the last fetch.
#[derive(Debug)]
struct CachedCredentials {
    found: Result<Expiring, Failure>,
    fetched: Instant,
}

/// Credentials with their expiry; none if they do not expire.
#[derive(Clone, Debug)]
struct Expiring {
    credential: Arc<AwsCredential>,
    end: Option<SystemTime>,
}

/// A source of credentials, in the order of AWS's own programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CredentialSource {
    Environment,
    Profile,
    WebIdentity,
    Container,
    Machine,
}

impl Credentials {
    /// Creates a provider for a profile, or else for the environment and the machine. Credential services are
    /// those of `region`.
    ///
    /// # Errors
    /// [`FailureKind::Credentials`] when the profile requires a one-time code.
    pub(crate) fn new(
        profile: Option<AwsProfile>,
        region: &str,
        client: CredentialsClient,
    ) -> Result<Credentials, Failure> {
        if let Some(name) = profile.as_ref().and_then(AwsProfile::requires_code) {
            let message = format!("the AWS profile `{name}` takes a role with a one-time code");
            return Err(Failure::new(FailureKind::Credentials, message).help(export_help(name)));
        }
        Ok(Credentials { profile, region: region.to_owned(), client, cached: Mutex::new(None) })
    }

    /// Returns the sources to try. They are built for each fetch: the library reads files only once, and a
    /// sign-in may have been renewed since.
    fn sources(&self) -> Vec<(CredentialSource, SharedCredentialsProvider)> {
        let config = ProviderConfig::without_region()
            .with_behavior_version(Some(BehaviorVersion::latest()))
            .with_http_client(self.client.clone())
            .with_region(Some(Region::new(self.region.clone())));
        let mut profile = ProfileFileCredentialsProvider::builder().configure(&config);
        let mut sources = Vec::new();
        if let Some(wanted) = &self.profile
            && wanted.is_explicit
        {
            profile = profile.profile_name(wanted.name());
        } else {
            let environment = EnvironmentVariableCredentialsProvider::new();
            sources.push((CredentialSource::Environment, SharedCredentialsProvider::new(environment)));
        }
        let token = WebIdentityTokenCredentialsProvider::builder().configure(&config).build();
        let container = EcsCredentialsProvider::builder().configure(&config).build();
        let machine = ImdsCredentialsProvider::builder().configure(&config).build();
        sources.extend([
            (CredentialSource::Profile, SharedCredentialsProvider::new(profile.build())),
            (CredentialSource::WebIdentity, SharedCredentialsProvider::new(token)),
            (CredentialSource::Container, SharedCredentialsProvider::new(container)),
            (CredentialSource::Machine, SharedCredentialsProvider::new(machine)),
        ]);
        sources
    }

    async fn fetch(&self) -> Result<Expiring, Failure> {
        for (source, provider) in self.sources() {
            let found = match provider.provide_credentials().await {
                Ok(found) => found,
                Err(CredentialsError::CredentialsNotLoaded(_)) => continue,
                Err(error) => return Err(self.failure(source, &error_text(&error))),
            };
            if found.expiry().is_some_and(|end| end <= SystemTime::now()) {
                return Err(self.failure(source, "they have expired"));
            }
            let credential = Arc::new(AwsCredential {
                key_id: found.access_key_id().to_owned(),
                secret_key: found.secret_access_key().to_owned(),
                token: found.session_token().map(str::to_owned),
            });
            return Ok(Expiring { credential, end: found.expiry() });
        }
        Err(Failure::new(FailureKind::Credentials, "no AWS credentials found").help(
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a --profile; there are none in the environment, \
             in ~/.aws or in a role of this machine",
        ))
    }

    /// Explains why a source has credentials that cannot be used.
    fn failure(&self, source: CredentialSource, why: &str) -> Failure {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let (what, help) = match source {
            CredentialSource::Environment => {
                ("the credentials of the environment".to_owned(), "set AWS_ACCESS_KEY_ID again".to_owned())
            }
            CredentialSource::Profile => self.profile_failure(),
            CredentialSource::WebIdentity => (
                format!(
                    "AWS_WEB_IDENTITY_TOKEN_FILE: cannot take the role {} with the token in {}",
                    variable("AWS_ROLE_ARN"),
                    variable("AWS_WEB_IDENTITY_TOKEN_FILE"),
                ),
                "the role must trust the issuer of the token, and the token must not have expired".to_owned(),
            ),
            CredentialSource::Container => (
                "AWS_CONTAINER_CREDENTIALS: the container's credentials".to_owned(),
                "the task or pod needs a role, and its agent must answer".to_owned(),
            ),
            CredentialSource::Machine => (
                "the role of this machine".to_owned(),
                "give the instance a role, or set AWS_EC2_METADATA_DISABLED=true to skip it".to_owned(),
            ),
        };
        Failure::new(FailureKind::Credentials, format!("{what}: {why}")).help(help)
    }

    /// Explains why the profile's credentials cannot be used.
    fn profile_failure(&self) -> (String, String) {
        let Some(profile) = &self.profile else {
            return (
                "the AWS profiles".to_owned(),
                "correct ~/.aws/config and ~/.aws/credentials".to_owned(),
            );
        };
        let (name, beginning) = (profile.name(), format!("the AWS profile `{}`", profile.name()));
        match profile.credential_method() {
            CredentialMethod::Process => (
                format!("{beginning} runs a credential_process"),
                "run the command of the AWS profile by hand to see what it says".to_owned(),
            ),
            CredentialMethod::WebIdentity(role) => (
                format!("{beginning} cannot take the role {role} with its web_identity_token_file"),
                "the role must trust the issuer of the token, and the token must not have expired".to_owned(),
            ),
            CredentialMethod::Role(role) => (
                format!("{beginning} cannot take the role {role}"),
                "its source profile must have credentials, and the role must trust it and its external ID"
                    .to_owned(),
            ),
            CredentialMethod::SignIn(start) => (
                format!("{beginning} signs in at {start}"),
                format!("run `aws sso login --profile {name}` first"),
            ),
            CredentialMethod::Keys => (beginning, export_help(name)),
        }
    }
}

/// Returns a command that exports the credentials of a profile that this program cannot use directly.
fn export_help(profile: &str) -> String {
    format!("run `eval \"$(aws configure export-credentials --profile {profile} --format env)\"` first")
}

/// Joins the messages of all layers of an error on one line, without empty phrases.
fn error_text(error: &CredentialsError) -> String {
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
    text.chars().filter(|character| !character.is_control()).take(MAX_ERROR_LENGTH).collect()
}

impl CachedCredentials {
    /// Whether it can be used without another fetch.
    fn is_fresh(&self) -> bool {
        let lasts = match &self.found {
            Ok(found) => found.end.is_none_or(|end| end > SystemTime::now() + RENEW_BEFORE),
            Err(_) => false,
        };
        lasts || self.fetched.elapsed() < MIN_FETCH_INTERVAL
    }

    /// Whether it can still be used if a fetch fails.
    fn is_usable(&self) -> bool {
        self.found.as_ref().is_ok_and(|found| found.end.is_none_or(|end| end > SystemTime::now()))
    }
}

#[async_trait]
impl CredentialProvider for Credentials {
    type Credential = AwsCredential;

    async fn get_credential(&self) -> object_store::Result<Arc<AwsCredential>> {
        let mut cached = self.cached.lock().await;
        if !cached.as_ref().is_some_and(CachedCredentials::is_fresh) {
            let found = self.fetch().await;
            match &mut *cached {
                Some(old) if found.is_err() && old.is_usable() => old.fetched = Instant::now(),
                _ => *cached = Some(CachedCredentials { found, fetched: Instant::now() }),
            }
        }
        match cached.as_ref().map(|cached| cached.found.clone()) {
            Some(Ok(found)) => Ok(found.credential),
            Some(Err(failure)) => Err(object_store::Error::Generic { store: "AWS", source: failure.into() }),
            None => Err(object_store::Error::NotImplemented {
                operation: "credentials".to_owned(),
                implementer: "AWS".to_owned(),
            }),
        }
    }
}
