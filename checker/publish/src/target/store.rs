//! What opening a store takes, and what it gives.

use std::path::{Path, PathBuf};
#[cfg(feature = "network")]
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "network")]
use object_store::ObjectStore;
#[cfg(feature = "network")]
use object_store::aws::AwsCredentialProvider;

use crate::failure::{Exit, Failure};

/// Bytes a second that a slow line is granted for large contents.
pub(crate) const SLOWEST: u64 = 256 << 10;

/// How many requests run at once at least, where nothing else is asked for.
pub(crate) const FEWEST_JOBS: usize = 16;

/// How many requests run at once at most, where nothing else is asked for.
#[cfg(feature = "network")]
pub(crate) const MOST_JOBS: usize = 128;

/// How many requests are to run at once so that a store that answers after this time answers a thousand of them in a
/// second: each millisecond of the way takes one.
#[cfg(feature = "network")]
pub(super) fn jobs_for(latency: Duration) -> usize {
    usize::try_from(latency.as_millis()).unwrap_or(MOST_JOBS).clamp(FEWEST_JOBS, MOST_JOBS)
}

/// How a target is reached.
#[derive(Clone, Debug)]
pub struct TargetOptions {
    /// The store's address, where it is not the provider's own.
    pub endpoint: Option<String>,
    /// The store's region.
    pub region: Option<String>,
    /// The AWS profile to take credentials from.
    pub profile: Option<String>,
    /// Whether the bucket is part of the host name rather than of the path.
    pub virtual_host: bool,
    /// Whether http is allowed to hosts other than this machine.
    pub allow_http: bool,
    /// How long a request may take.
    pub timeout: Duration,
    /// How many requests run at once; none for as many as the way to the store is long.
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
pub(crate) struct Opened {
    /// The store, or the part of it below the target's prefix.
    pub store: Arc<dyn ObjectStore>,
    /// Its address: what is known of one store does not hold for another.
    pub endpoint: String,
    /// What gives the credentials of an S3 store.
    pub credentials: Option<AwsCredentialProvider>,
}

/// The folder of a `file:` URL.
pub(super) fn folder(url: &str) -> Result<PathBuf, Failure> {
    let rest = url.strip_prefix("file:").unwrap_or_default();
    // The host may be named where it is this one (RFC 8089, 2).
    let rest = match rest.strip_prefix("//") {
        Some(named) => match named.split_at_checked("localhost".len()) {
            Some((host, path)) if host.eq_ignore_ascii_case("localhost") && path.starts_with('/') => path,
            _ => named,
        },
        None => rest,
    };
    let rest = if cfg!(windows) { from_drive(rest) } else { rest };
    let decoded = percent_encoding::percent_decode_str(rest).decode_utf8();
    let path = decoded.map_err(|_| Failure::new(Exit::Usage, format!("`{url}` is not UTF-8")))?;
    if path.is_empty() {
        return Err(Failure::new(Exit::Usage, format!("`{url}` names no folder"))
            .help("a local target is file:///FOLDER, such as file://$PWD/public"));
    }
    std::path::absolute(Path::new(&*path))
        .map_err(|error| Failure::new(Exit::Usage, format!("{url}: {error}")))
}

/// A path as Windows has it, from its drive: in a URL it begins with a slash (RFC 8089, E.2).
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
    fn a_drive_of_windows_begins_its_path() {
        assert_eq!(super::from_drive("/C:/Users/x"), "C:/Users/x");
        for path in ["C:/x", "/srv/x", "//server/share", "/", "/é:/x", "x"] {
            assert_eq!(super::from_drive(path), path);
        }
    }

    #[cfg(feature = "network")]
    #[test]
    fn a_store_that_is_far_away_is_asked_more_at_once() {
        let jobs = |millis| super::jobs_for(std::time::Duration::from_millis(millis));
        assert_eq!([0, 5, 16, 40, 90, 500, u64::MAX].map(jobs), [16, 16, 16, 40, 90, 128, 128]);
    }
}
