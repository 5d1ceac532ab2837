//! Finds the credentials for an S3 store with AWS's own library, and explains failures: in the environment, by the chosen
//! profile of `~/.aws/config` and `~/.aws/credentials`, or at a metadata service. The library sends its requests with
//! our own HTTP client, so that the program has a single TLS library.

use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use aws_config::ecs::EcsCredentialsProvider;
use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::imds::credentials::ImdsCredentialsProvider;
use aws_config::profile::{Profile, ProfileFileCredentialsProvider, ProfileSet};
use aws_config::provider_config::ProviderConfig;
use aws_config::web_identity_token::WebIdentityTokenCredentialsProvider;
use aws_config::{BehaviorVersion, Region};
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use object_store::CredentialProvider;
use object_store::aws::AwsCredential;
use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use sitegate_address::UrlReference;
use sitegate_publish::failure::{Failure, FailureKind};
use tokio::sync::Mutex;

use crate::bucket::aws::{bounded_body, is_plain_http};

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

/// The chosen profile, and all others that it may refer to.
#[derive(Clone, Debug)]
pub(crate) struct AwsProfile {
    set: ProfileSet,
    /// Whether the command line names it. Then it takes precedence over keys in the environment.
    pub is_explicit: bool,
}

/// The way in which a profile gets its credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CredentialMethod {
    /// From the output of a program.
    Process,
    /// By assuming a role with a token file of another identity provider.
    WebIdentity(String),
    /// By assuming a role with other credentials.
    Role(String),
    /// By single sign-on at this URL, after `aws sso login`.
    SignIn(String),
    /// From keys in the profile, or not at all.
    Keys,
}

/// Reads the profiles. Returns none if no profile is named and the files cannot be read: then they are not
/// needed, or their user reports the problem.
///
/// # Errors
/// [`FailureKind::Credentials`] when the files cannot be read, or do not have the named profile.
pub(crate) async fn load_profile(name: Option<&str>) -> Result<Option<AwsProfile>, Failure> {
    let selected = name.map(|name| name.to_owned().into());
    // The default files, environment and locations. The library does not export their types.
    #[allow(clippy::default_trait_access)]
    let read =
        aws_config::profile::load(&Default::default(), &Default::default(), &Default::default(), selected)
            .await;
    match (read, name) {
        (Ok(set), Some(name)) if set.get_profile(name).is_none() => {
            Err(Failure::new(FailureKind::Credentials, format!("there is no AWS profile `{name}`"))
                .help("profiles are defined in ~/.aws/credentials and ~/.aws/config"))
        }
        (Ok(set), name) => Ok(Some(AwsProfile { set, is_explicit: name.is_some() })),
        (Err(_), None) => Ok(None),
        (Err(error), Some(_)) => {
            Err(Failure::new(FailureKind::Credentials, format!("the AWS profiles cannot be read: {error}")))
        }
    }
}

impl AwsProfile {
    /// Returns the profile's name.
    pub(crate) fn name(&self) -> &str {
        self.set.selected_profile()
    }

    /// Returns a setting; none if it is empty.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        setting(self.set.get_profile(self.name())?, key)
    }

    /// Returns the way in which the profile gets its credentials.
    pub(crate) fn credential_method(&self) -> CredentialMethod {
        if let Some(role) = self.get("role_arn") {
            return match self.get("web_identity_token_file") {
                Some(_) => CredentialMethod::WebIdentity(role.to_owned()),
                None => CredentialMethod::Role(role.to_owned()),
            };
        }
        let session = self.get("sso_session").and_then(|name| self.set.sso_session(name));
        let start = session.and_then(|session| session.get("sso_start_url")).or(self.get("sso_start_url"));
        match (start, self.get("credential_process")) {
            (Some(start), _) => CredentialMethod::SignIn(start.to_owned()),
            (None, Some(_)) => CredentialMethod::Process,
            (None, None) => CredentialMethod::Keys,
        }
    }

    /// Returns the profile in the chain that requires a one-time code, which cannot be entered here.
    pub(crate) fn requires_code(&self) -> Option<&str> {
        let mut profile = self.set.get_profile(self.name())?;
        // A chain that is longer than the number of profiles is a cycle.
        for _ in self.set.profiles() {
            setting(profile, "role_arn")?;
            if setting(profile, "mfa_serial").is_some() {
                return Some(profile.name());
            }
            profile = self.set.get_profile(setting(profile, "source_profile")?)?;
        }
        None
    }
}

fn setting<'p>(profile: &'p Profile, key: &str) -> Option<&'p str> {
    profile.get(key).filter(|value| !value.is_empty())
}

/// Default timeout, if the library sets none.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Connect timeout for services on the network.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Connect timeout for the metadata services of this machine. If there is none, packets to it are dropped.
const DIRECT_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Metadata services of containers and machines, always without TLS. Packets to them never leave the machine.
const METADATA_HOSTS: [&str; 5] =
    ["169.254.169.254", "169.254.170.2", "169.254.170.23", "[fd00:ec2::254]", "[fd00:ec2::23]"];

/// The HTTP client for credentials.
#[derive(Clone, Debug, Default)]
pub(crate) struct CredentialsClient {
    /// Whether plain http is allowed to all hosts.
    allow_http: bool,
    clients: Arc<Clients>,
}

#[derive(Debug, Default)]
struct Clients {
    /// For the network, through the proxies of the environment.
    proxied: OnceLock<Client>,
    /// For requests without TLS, which must not go through a proxy.
    direct: OnceLock<Client>,
}

impl CredentialsClient {
    /// Creates a client that uses http only for this machine, unless it is allowed.
    pub(crate) fn new(allow_http: bool) -> CredentialsClient {
        CredentialsClient { allow_http, ..CredentialsClient::default() }
    }

    #[expect(clippy::disallowed_methods, reason = "the credential services of clouds have private addresses")]
    fn client(&self, direct: bool) -> Result<&Client, ConnectorError> {
        let cached = if direct { &self.clients.direct } else { &self.clients.proxied };
        if let Some(client) = cached.get() {
            return Ok(client);
        }
        crate::client::choose_cryptography();
        // Secrets are in custom headers, which a redirect would send to another host.
        let builder = Client::builder().no_gzip().redirect(Policy::none());
        let builder = if direct {
            builder.no_proxy().connect_timeout(DIRECT_CONNECT_TIMEOUT)
        } else {
            builder.connect_timeout(CONNECT_TIMEOUT)
        };
        let made = builder.build().map_err(|error| ConnectorError::user(error.into()))?;
        Ok(cached.get_or_init(|| made))
    }

    async fn send(&self, request: HttpRequest, timeout: Duration) -> Result<HttpResponse, ConnectorError> {
        let address = request.uri().to_owned();
        let host = reqwest::Url::parse(&address).ok().and_then(|url| url.host_str().map(str::to_owned));
        let direct = host.is_some_and(|host| METADATA_HOSTS.contains(&host.as_str()));
        let plain = direct
            || is_plain_http(host_part(&address), self.allow_http)
                .map_err(|error| ConnectorError::user(error.into()))?;
        let method = Method::from_bytes(request.method().as_bytes())
            .map_err(|error| ConnectorError::user(error.into()))?;
        let mut builder = self.client(plain)?.request(method, &address).timeout(timeout);
        for (name, value) in request.headers() {
            builder = builder.header(name, value);
        }
        let content = request.body().bytes().map(<[u8]>::to_vec).unwrap_or_default();
        let answer = builder.body(content).send().await.map_err(refused)?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = bounded_body(answer).await.map_err(refused)?;
        let status = status.as_u16().try_into().map_err(|_| ConnectorError::other("status".into(), None))?;
        let mut response = HttpResponse::new(status, SdkBody::from(body));
        for (name, value) in &headers {
            if let Ok(value) = value.to_str() {
                let _ = response.headers_mut().try_append(name.as_str().to_owned(), value.to_owned());
            }
        }
        Ok(response)
    }
}

/// Returns a URL without its query.
fn host_part(address: &str) -> &str {
    UrlReference::new(address).path()
}

/// Converts an error of the client. The URL is removed: it may contain a secret.
fn refused(error: reqwest::Error) -> ConnectorError {
    let timed_out = error.is_timeout();
    let error = error.without_url();
    if timed_out { ConnectorError::timeout(error.into()) } else { ConnectorError::io(error.into()) }
}

impl HttpClient for CredentialsClient {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let timeout = settings.read_timeout().unwrap_or(TIMEOUT);
        SharedHttpConnector::new(CredentialsConnector { client: self.clone(), timeout })
    }
}

/// The client with the timeout of one service.
#[derive(Debug)]
struct CredentialsConnector {
    client: CredentialsClient,
    timeout: Duration,
}

impl HttpConnector for CredentialsConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (client, timeout) = (self.client.clone(), self.timeout);
        HttpConnectorFuture::new(async move { client.send(request, timeout).await })
    }
}
