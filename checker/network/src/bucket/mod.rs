//! Buckets as stores of releases: S3, Google Cloud Storage and Azure, over `object_store`.

mod aws;
mod bucket_store;
mod listing;
mod store_failure;
mod transport;
mod upload;

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AwsCredentialProvider, S3ConditionalPut, S3CopyIfNotExists};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::list::PaginatedListStore;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use sitegate_address::percent;
use tokio::sync::Semaphore;
use url::Url;

use crate::bucket::aws::credentials::{Credentials, CredentialsClient, load_profile};
use crate::bucket::aws::is_plain_http;
use crate::bucket::bucket_store::{Bucket, MEMORY_KIB};
use crate::bucket::listing::{ListingConnector, Listings};
use crate::bucket::store_failure::unusable;
use crate::bucket::transport::{RedirectConnector, Transport};
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::machine::ThisMachine;
use sitegate_publish::store::{Fence, KeyRules, StoreCapabilities};
use sitegate_publish::target::{MAX_JOBS, PublishTarget, TargetOptions};

/// A store, and what is known about it.
struct OpenedBucket {
    store: Arc<dyn ObjectStore>,
    listings: Listings,
    endpoint: String,
    credentials: Option<AwsCredentialProvider>,
}

/// Opens the bucket of `scheme://bucket/prefix` at S3 (`s3`), Google Cloud Storage (`gs`) or Azure (`az`).
///
/// # Errors
/// [`FailureKind::Usage`] when the URL cannot be used, [`FailureKind::Credentials`] when a profile is missing.
pub async fn open_bucket(url: &str, options: &TargetOptions) -> Result<PublishTarget, Failure> {
    crate::client::choose_cryptography();
    let fence = Arc::new(Fence::new(Arc::new(ThisMachine::default())));
    let transport = Transport::new(Arc::clone(&fence));
    let (bucket, prefix) = bucket(url)?;
    let whole = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    let (opened, key_rules) = match url.split(':').next() {
        Some("s3") => (s3(&bucket, options, &transport).await?, KeyRules::S3(whole.clone())),
        Some("gs") => (gs(&bucket, options, &transport)?, KeyRules::Google(whole.clone())),
        Some("az") => (az(&bucket, options, &transport)?, KeyRules::Azure(whole.clone())),
        _ => return Err(PublishTarget::unknown(url)),
    };
    let is_s3 = opened.credentials.is_some();
    let store = Bucket {
        store: below(opened.store, &prefix)?,
        listings: Listings { prefix: whole, ..opened.listings },
        has_generations: matches!(key_rules, KeyRules::Google(_)),
        capabilities: StoreCapabilities {
            endpoint: opened.endpoint,
            folder: None,
            key_rules,
            serves_visitors: true,
            has_flat_keys: true,
            has_website_redirects: is_s3,
            invalidates: is_s3,
            lists_contents: true,
            lists_at_once: true,
            stages: false,
            batch: 1,
            enforces_lease: false,
            conditions: None,
        },
        fence,
        clock: transport.clock,
        credentials: opened.credentials,
        memory: Semaphore::new(MEMORY_KIB),
    };
    Ok(PublishTarget::new(url, Arc::new(store)).with_jobs(options.jobs))
}

/// Parses the bucket and prefix of `scheme://bucket/prefix`.
fn bucket(url: &str) -> Result<(String, String), Failure> {
    let parsed =
        Url::parse(url).map_err(|error| Failure::new(FailureKind::Usage, format!("`{url}`: {error}")))?;
    let bucket = parsed.host_str().unwrap_or_default().to_owned();
    if has_dot_segment(url) {
        return Err(Failure::new(FailureKind::Usage, format!("`{url}` has a segment `.` or `..`"))
            .help("a bucket has no parent folders: write the prefix itself"));
    }
    if bucket.is_empty()
        || parsed.port().is_some()
        || parsed.query().is_some()
        || parsed.fragment().is_some()
        || !parsed.username().is_empty()
        || parsed.password().is_some()
    {
        return Err(Failure::new(FailureKind::Usage, format!("`{url}` is not a target"))
            .help("write a bucket as s3://BUCKET or s3://BUCKET/PREFIX"));
    }
    let prefix = percent::decode_lossy(parsed.path().trim_matches('/'));
    Ok((bucket, prefix.into_owned()))
}

/// Whether a segment of a target's path is a dot segment, as written or encoded. URL parsers resolve those.
fn has_dot_segment(url: &str) -> bool {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    percent::decode_lossy(path).split(['/', '\\']).skip(1).any(|segment| matches!(segment, "." | ".."))
}

fn below(store: Arc<dyn ObjectStore>, prefix: &str) -> Result<Arc<dyn ObjectStore>, Failure> {
    if prefix.is_empty() {
        return Ok(store);
    }
    let prefix = Path::parse(prefix).map_err(|error| Failure::new(FailureKind::Usage, error.to_string()))?;
    Ok(Arc::new(PrefixStore::new(store, prefix)))
}

/// Returns an environment variable, unless it is empty.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

async fn s3(bucket: &str, options: &TargetOptions, transport: &Transport) -> Result<OpenedBucket, Failure> {
    let profile = load_profile(options.profile.as_deref()).await?;
    let setting = |name: &str| profile.as_ref().and_then(|profile| profile.get(name)).map(str::to_owned);
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
    let credentials = Credentials::new(profile, &region, CredentialsClient::new(options.allow_http))?;
    let credentials: AwsCredentialProvider = Arc::new(credentials);
    let connector = RedirectConnector {
        transport: transport.clone(),
        credentials: Arc::clone(&credentials),
        region: region.clone(),
    };
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .with_region(&region)
        .with_virtual_hosted_style_request(options.virtual_host)
        .with_conditional_put(S3ConditionalPut::ETagMatch)
        .with_copy_if_not_exists(S3CopyIfNotExists::Header("if-none-match".to_owned(), "*".to_owned()))
        .with_client_options(client(options, plain))
        .with_allow_http(plain)
        .with_credentials(Arc::clone(&credentials))
        .with_http_connector(ListingConnector(connector))
        .with_retry(retry());
    if let Some(endpoint) = &endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
    }
    let store = builder.build().map_err(|error| unusable(&error))?;
    let endpoint = endpoint.unwrap_or_else(|| format!("aws {region}"));
    // Directory buckets (S3 Express) have no offsets.
    let has_offsets = !bucket.ends_with("--x-s3");
    Ok(opened(store, has_offsets, endpoint, Some(credentials)))
}

fn gs(bucket: &str, options: &TargetOptions, transport: &Transport) -> Result<OpenedBucket, Failure> {
    let plain = is_plain(options.endpoint.as_deref(), options)?;
    let mut builder = GoogleCloudStorageBuilder::from_env()
        .with_bucket_name(bucket)
        .with_client_options(client(options, plain))
        .with_http_connector(ListingConnector(transport.clone()))
        .with_retry(retry());
    if let Some(endpoint) = &options.endpoint {
        builder = builder.with_base_url(endpoint.trim_end_matches('/'));
    }
    let store = builder.build().map_err(|error| unusable(&error))?;
    let endpoint = options.endpoint.clone().unwrap_or_else(|| "gs".to_owned());
    Ok(opened(store, true, endpoint, None))
}

fn az(container: &str, options: &TargetOptions, transport: &Transport) -> Result<OpenedBucket, Failure> {
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
    let store = builder.build().map_err(|error| unusable(&error))?;
    let endpoint = options.endpoint.clone().unwrap_or_else(|| "az".to_owned());
    Ok(opened(store, true, endpoint, None))
}

fn opened<S: ObjectStore + PaginatedListStore>(
    store: S,
    has_offsets: bool,
    endpoint: String,
    credentials: Option<AwsCredentialProvider>,
) -> OpenedBucket {
    let store = Arc::new(store);
    let listings = Listings {
        store: Arc::clone(&store) as Arc<dyn PaginatedListStore>,
        prefix: String::new(),
        has_offsets,
    };
    OpenedBucket { store, listings, endpoint, credentials }
}

/// Whether a store uses plain http.
fn is_plain(endpoint: Option<&str>, options: &TargetOptions) -> Result<bool, Failure> {
    endpoint.map_or(Ok(false), |endpoint| is_plain_http(endpoint, options.allow_http))
}

fn client(options: &TargetOptions, plain: bool) -> ClientOptions {
    ClientOptions::new()
        .with_timeout(options.timeout)
        .with_connect_timeout(options.timeout.min(Duration::from_secs(5)))
        .with_allow_http(plain || options.allow_http)
        .with_pool_max_idle_per_host(options.jobs.unwrap_or(MAX_JOBS).max(1))
}

fn retry() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(5),
            base: 2.0,
        },
        max_retries: 5,
        retry_timeout: Duration::from_mins(1),
    }
}
