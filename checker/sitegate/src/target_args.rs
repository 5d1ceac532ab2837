//! Arguments that name the target of a release and how to reach it. Fetches the files of a release on it into a
//! temporary folder.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path};
use std::time::Duration;

use clap::Args;
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::release_files::{ReleaseFile, read_release};
use sitegate_publish::target::{PublishTarget, TargetOptions};
use sitegate_review::ContentHash;
use tempfile::TempDir;
use url::Url;

use crate::error::Error;
use crate::{online, runtime, terminal};

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

/// The files of a release.
pub struct ReleaseFolder {
    /// The folder with the files. Those that are not needed have their size, but not their content.
    pub folder: TempDir,
    /// The contents of all files, by path.
    pub contents: HashMap<String, ContentHash>,
}

/// Fetches the live release of a target, or the one that the fragment of the URL names. `is_needed` selects the files whose
/// content is read, by path and size.
///
/// # Errors
/// If there is no such release, or it cannot be read or stored.
pub fn fetch_release(
    url: &Url,
    store: &TargetOptions,
    is_needed: impl Fn(&str, u64) -> bool,
) -> Result<ReleaseFolder, Error> {
    let mut target_url = url.clone();
    target_url.set_fragment(None);
    let folder = tempfile::tempdir().map_err(Error::system("cannot create a temporary folder"))?;
    let mut contents = HashMap::new();
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(FailureKind::Usage, format!("cannot store the files of the release: {error}"))
    };
    runtime::run(async {
        let target = open(target_url.as_str(), store).await?;
        let save = |file: ReleaseFile| {
            let ReleaseFile { path, size, sha256, content } = file;
            store_file(folder.path(), &path, size, content.as_deref()).map_err(|error| failed(&error))?;
            contents.extend(ContentHash::from_hex(&sha256).map(|hash| (path, hash)));
            Ok(())
        };
        read_release(&target, url.fragment(), is_needed, save).await?;
        Ok::<(), Failure>(())
    })?;
    Ok(ReleaseFolder { folder, contents })
}

/// Stores a file of a release; without its content, an empty file of its size.
fn store_file(folder: &Path, path: &str, size: u64, content: Option<&[u8]>) -> io::Result<()> {
    let path = Path::new(path);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{}: invalid path", path.display())));
    }
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap_or(folder))?;
    let mut file = File::create(file)?;
    match content {
        Some(content) => file.write_all(content),
        None => file.set_len(size),
    }
}
