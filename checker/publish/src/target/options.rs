//! Options for opening a target.

use std::path::{Path, PathBuf};
#[cfg(feature = "network")]
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "network")]
use object_store::ObjectStore;
#[cfg(feature = "network")]
use object_store::aws::AwsCredentialProvider;
use sitegate_address::percent;

use crate::failure::{Failure, FailureKind};
#[cfg(feature = "network")]
use crate::target::paging::Listings;

/// Minimum bytes per second to expect for large contents.
pub(crate) const MIN_BYTES_PER_SECOND: u64 = 256 << 10;

/// Default minimum number of concurrent requests.
pub(crate) const MIN_JOBS: usize = 16;

/// Default maximum number of concurrent requests.
#[cfg(feature = "network")]
pub(crate) const MAX_JOBS: usize = 128;

/// Returns the number of concurrent requests for a store with this latency: one per millisecond, which makes a
/// thousand per second.
#[cfg(feature = "network")]
pub(super) fn jobs_for(latency: Duration) -> usize {
    usize::try_from(latency.as_millis()).unwrap_or(MAX_JOBS).clamp(MIN_JOBS, MAX_JOBS)
}

/// Options for opening a target.
#[derive(Clone, Debug)]
pub struct TargetOptions {
    /// The store's URL, if it is not the provider's own.
    pub endpoint: Option<String>,
    /// The store's region.
    pub region: Option<String>,
    /// The AWS profile to take credentials from.
    pub profile: Option<String>,
    /// Whether the bucket is part of the host name instead of the path.
    pub virtual_host: bool,
    /// Whether plain http is allowed for hosts other than this machine.
    pub allow_http: bool,
    /// Timeout per request.
    pub timeout: Duration,
    /// Number of concurrent requests. The default depends on the store's latency.
    pub jobs: Option<usize>,
}

impl Default for TargetOptions {
    fn default() -> Self {
        TargetOptions {
            endpoint: None,
            region: None,
            profile: None,
            virtual_host: false,
            allow_http: false,
            timeout: Duration::from_secs(30),
            jobs: None,
        }
    }
}

/// An opened bucket.
#[cfg(feature = "network")]
pub(crate) struct OpenedBucket {
    /// The store, or the part of it below the target's prefix.
    pub store: Arc<dyn ObjectStore>,
    /// Its listings.
    pub listings: Listings,
    /// Its endpoint. Knowledge about one store does not apply to another.
    pub endpoint: String,
    /// The credentials provider of an S3 store.
    pub credentials: Option<AwsCredentialProvider>,
}

/// Parses the folder of a `file:` URL.
pub(super) fn folder(url: &str) -> Result<PathBuf, Failure> {
    let rest = url.strip_prefix("file:").unwrap_or_default();
    // The host may be `localhost` (RFC 8089, 2).
    let rest = match rest.strip_prefix("//") {
        Some(named) => match named.split_at_checked("localhost".len()) {
            Some((host, path)) if host.eq_ignore_ascii_case("localhost") && path.starts_with('/') => path,
            _ => named,
        },
        None => rest,
    };
    let rest = if cfg!(windows) { from_drive(rest) } else { rest };
    if url.starts_with("file://") && !rest.is_empty() && !Path::new(rest).has_root() && !rest.contains(':') {
        let host = rest.split('/').next().unwrap_or_default();
        let path = std::path::absolute(rest).unwrap_or_else(|_| PathBuf::from("/FOLDER"));
        return Err(Failure::new(FailureKind::Usage, format!("`{url}`: `{host}` would be a host"))
            .help(format!("write a folder as file://{}", path.display())));
    }
    let path = percent::decode(rest)
        .ok_or_else(|| Failure::new(FailureKind::Usage, format!("`{url}` is not UTF-8")))?;
    if path.is_empty() {
        return Err(Failure::new(FailureKind::Usage, format!("`{url}` has no path"))
            .help("write a folder as file:///FOLDER, such as file://$PWD/public"));
    }
    std::path::absolute(Path::new(&*path))
        .map_err(|error| Failure::new(FailureKind::Usage, format!("{url}: {error}")))
}

/// Removes the slash before a Windows drive: in a URL, the path begins with one (RFC 8089, E.2).
fn from_drive(path: &str) -> &str {
    match path.strip_prefix('/') {
        Some(drive)
            if drive.starts_with(|c: char| c.is_ascii_alphabetic()) && drive[1..].starts_with(':') =>
        {
            drive
        }
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn removes_the_slash_before_a_windows_drive() {
        assert_eq!(super::from_drive("/C:/Users/x"), "C:/Users/x");
        for path in ["C:/x", "/srv/x", "//server/share", "/", "/é:/x", "x"] {
            assert_eq!(super::from_drive(path), path);
        }
    }

    #[cfg(feature = "network")]
    #[test]
    fn distant_stores_get_more_concurrent_requests() {
        let jobs = |millis| super::jobs_for(std::time::Duration::from_millis(millis));
        assert_eq!([0, 5, 16, 40, 90, 500, u64::MAX].map(jobs), [16, 16, 16, 40, 90, 128, 128]);
    }
}
