//! Arguments that name the target of a release and how to reach it.

use std::time::Duration;

use clap::Args;
use sitegate_publish::failure::Failure;
use sitegate_publish::target::{PublishTarget, TargetOptions};

use crate::online;
use crate::terminal;

/// Whether to hide the options of buckets: a program built without the network has none.
const NO_BUCKETS: bool = !online::IS_BUILT;

/// The target of a release and how to reach it.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// `s3://`, `gs://` or `az://` with BUCKET/PREFIX, or `file:///FOLDER`
    #[arg(value_name = "TARGET")]
    pub url: String,
    #[command(flatten)]
    store: StoreArgs,
}

/// How to reach the store of a target.
#[derive(Debug, Args)]
pub struct StoreArgs {
    /// URL of the store [default: the provider's]
    #[arg(long, value_name = "URL", help_heading = "Store", hide = NO_BUCKETS)]
    endpoint: Option<String>,
    /// Region [default: from the environment or profile]
    ///
    /// If neither names a region, it is us-east-1.
    #[arg(long, value_name = "NAME", help_heading = "Store", hide = NO_BUCKETS)]
    region: Option<String>,
    /// Profile in ~/.aws to read credentials from
    ///
    /// The default is the credentials in the environment, or else the profile that `AWS_PROFILE` names.
    #[arg(long, value_name = "NAME", help_heading = "Store", hide = NO_BUCKETS)]
    profile: Option<String>,
    /// Put the bucket in the host name, not in the path
    #[arg(long, help_heading = "Store", hide = NO_BUCKETS)]
    virtual_host: bool,
    /// Allow unencrypted http to other machines
    #[arg(long, help_heading = "Store", hide = NO_BUCKETS)]
    allow_http: bool,
    /// Maximum seconds for a request
    ///
    /// Large files get more time.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = terminal::seconds(), help_heading = "Store", hide = NO_BUCKETS)]
    timeout: u64,
    /// Number of concurrent requests [default: 16 to 128]
    ///
    /// The default starts at 16, and grows to 128 if the store is far away.
    #[arg(long, value_name = "N", help_heading = "Store")]
    jobs: Option<usize>,
}

impl StoreArgs {
    /// Returns the options for opening a target.
    pub fn options(&self) -> TargetOptions {
        TargetOptions {
            endpoint: self.endpoint.clone(),
            region: self.region.clone(),
            profile: self.profile.clone(),
            virtual_host: self.virtual_host,
            allow_http: self.allow_http,
            timeout: Duration::from_secs(self.timeout.max(1)),
            jobs: self.jobs,
        }
    }
}

impl TargetArgs {
    /// Returns the options for opening the target.
    pub fn options(&self) -> TargetOptions {
        self.store.options()
    }

    /// Opens an existing target.
    pub async fn open(&self) -> Result<PublishTarget, Failure> {
        open(&self.url, &self.options()).await
    }
}

/// Opens the target of a URL.
///
/// # Errors
/// If the URL cannot be used, a profile is missing, or a bucket needs the network that this build lacks.
pub async fn open(url: &str, options: &TargetOptions) -> Result<PublishTarget, Failure> {
    match url.split(':').next() {
        Some("file") => Ok(PublishTarget::open_folder(url)?.with_jobs(options.jobs)),
        Some("s3" | "gs" | "az") => online::open_bucket(url, options).await,
        _ => Err(PublishTarget::unknown(url)),
    }
}
