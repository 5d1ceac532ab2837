//! Opens a bucket of S3, Google Cloud or Azure.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, S3ConditionalPut};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use url::Url;

use crate::aws::endpoint::{choose_cryptography, is_plain_http};
use crate::aws::{credentials, profile};
use crate::failure::{Exit, Failure};
use crate::target::listing::ListingConnector;
use crate::target::store::{Opened, TargetOptions};
use crate::target::transport::Transport;

/// Makes ready to talk to the bucket of `scheme://bucket/prefix`.
///
/// # Errors
/// [`Exit::Usage`] when the URL cannot be used, [`Exit::Credentials`] when a profile is missing.
pub(super) fn open(url: &str, options: &TargetOptions, transport: &Transport) -> Result<Opened, Failure> {
    choose_cryptography();
    let (bucket, prefix) = bucket(url)?;
    let opened = match url.split(':').next() {
        Some("s3") => s3(&bucket, options, transport)?,
        Some("gs") => gs(&bucket, options, transport)?,
        _ => az(&bucket, options, transport)?,
    };
    Ok(Opened { store: below(opened.store, &prefix)?, ..opened })
}

/// The bucket and prefix of `scheme://bucket/prefix`.
pub(super) fn bucket(url: &str) -> Result<(String, String), Failure> {
    let parsed = Url::parse(url).map_err(|error| Failure::new(Exit::Usage, format!("`{url}`: {error}")))?;
    let bucket = parsed.host_str().unwrap_or_default().to_owned();
    if bucket.is_empty() || parsed.query().is_some() || !parsed.username().is_empty() {
        return Err(Failure::new(Exit::Usage, format!("`{url}` is not a target"))
            .help("a bucket is written s3://BUCKET or s3://BUCKET/PREFIX"));
    }
    let prefix = percent_encoding::percent_decode_str(parsed.path().trim_matches('/')).decode_utf8_lossy();
    Ok((bucket, prefix.into_owned()))
}

fn below(store: Arc<dyn ObjectStore>, prefix: &str) -> Result<Arc<dyn ObjectStore>, Failure> {
    if prefix.is_empty() {
        return Ok(store);
    }
    let prefix = Path::parse(prefix).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    Ok(Arc::new(PrefixStore::new(store, prefix)))
}

/// A variable of the environment, where it is set to something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn s3(bucket: &str, options: &TargetOptions, transport: &Transport) -> Result<Opened, Failure> {
    let from_env = [
        "AWS_ACCESS_KEY_ID",
        "AWS_WEB_IDENTITY_TOKEN_FILE",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    ];
    let from_env = from_env.into_iter().any(|name| variable(name).is_some());
    let named = options.profile.clone().or_else(|| variable("AWS_PROFILE"));
    let profile = match (&options.profile, from_env) {
        (None, true) => None,
        _ => profile::load(named.as_deref())?,
    };
    let setting = |name: &str| profile.as_ref().and_then(|profile| profile.get(name).cloned());
    let region = options
        .region
        .clone()
        .or_else(|| variable("AWS_REGION"))
        .or_else(|| variable("AWS_DEFAULT_REGION"))
        .or_else(|| setting("region"))
        .unwrap_or_else(|| "us-east-1".to_owned());
    let endpoint = options
        .endpoint
        .clone()
        .or_else(|| variable("AWS_ENDPOINT_URL_S3"))
        .or_else(|| variable("AWS_ENDPOINT_URL"))
        .or_else(|| setting("endpoint_url"));
    let plain = is_plain(endpoint.as_deref(), options)?;
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .with_region(&region)
        .with_virtual_hosted_style_request(options.virtual_host)
        .with_conditional_put(S3ConditionalPut::ETagMatch)
        .with_client_options(client(options, plain))
        .with_allow_http(plain)
        .with_http_connector(ListingConnector(transport.clone()))
        .with_retry(retry());
    if let Some(profile) = &profile {
        let name = named.as_deref().unwrap_or(profile::DEFAULT);
        if let Some(provider) = credentials::provider(name, profile, &region)? {
            builder = builder.with_credentials(provider);
        }
    }
    if let Some(endpoint) = &endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
    }
    let store = builder.build().map_err(|error| Failure::unusable(&error))?;
    let credentials = Some(Arc::clone(store.credentials()));
    let endpoint = endpoint.unwrap_or_else(|| format!("aws {region}"));
    Ok(Opened { store: Arc::new(store), endpoint, credentials })
}

fn gs(bucket: &str, options: &TargetOptions, transport: &Transport) -> Result<Opened, Failure> {
    let plain = is_plain(options.endpoint.as_deref(), options)?;
    let mut builder = GoogleCloudStorageBuilder::from_env()
        .with_bucket_name(bucket)
        .with_client_options(client(options, plain))
        .with_http_connector(ListingConnector(transport.clone()))
        .with_retry(retry());
    if let Some(endpoint) = &options.endpoint {
        builder = builder.with_base_url(endpoint.trim_end_matches('/'));
    }
    let store = builder.build().map_err(|error| Failure::unusable(&error))?;
    let endpoint = options.endpoint.clone().unwrap_or_else(|| "gs".to_owned());
    Ok(Opened { store: Arc::new(store), endpoint, credentials: None })
}

fn az(container: &str, options: &TargetOptions, transport: &Transport) -> Result<Opened, Failure> {
    let plain = is_plain(options.endpoint.as_deref(), options)?;
    let mut builder = MicrosoftAzureBuilder::from_env()
        .with_container_name(container)
        .with_client_options(client(options, plain))
        .with_allow_http(plain)
        .with_http_connector(ListingConnector(transport.clone()))
        .with_retry(retry());
    if let Some(endpoint) = &options.endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/').to_owned());
    }
    let store = builder.build().map_err(|error| Failure::unusable(&error))?;
    let endpoint = options.endpoint.clone().unwrap_or_else(|| "az".to_owned());
    Ok(Opened { store: Arc::new(store), endpoint, credentials: None })
}

/// Whether a store is spoken to without TLS.
fn is_plain(endpoint: Option<&str>, options: &TargetOptions) -> Result<bool, Failure> {
    endpoint.map_or(Ok(false), |endpoint| is_plain_http(endpoint, options.allow_http))
}

fn client(options: &TargetOptions, plain: bool) -> ClientOptions {
    ClientOptions::new()
        .with_timeout(options.timeout)
        .with_connect_timeout(options.timeout.min(Duration::from_secs(5)))
        .with_allow_http(plain || options.allow_http)
        .with_pool_max_idle_per_host(options.jobs.max(1))
}

fn retry() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(5),
            base: 2.0,
        },
        max_retries: 5,
        retry_timeout: Duration::from_secs(60),
    }
}
