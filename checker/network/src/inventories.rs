//! Requests inventories, and keeps the last one of each URL for checks without requests.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::FutureExt;
use http::Method;
use sha2::{Digest, Sha256};
use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_base::hex::hex;
use sitegate_base::lock::lock;
use sitegate_check::{FetchedInventories, FetchedInventory};
use tokio::time::{Instant, timeout};
use url::Url;

use crate::client::{GuardedClient, runtime};
use crate::crawler::MAX_REDIRECTS;
use crate::error::{NetworkError, RequestFailure, format_status};
use crate::fetched::{BodyWanted, FetchedAnswer, FetchedBody, fetch};
use crate::scheduler::{Reply, RequestOutcome, Scheduler};
use crate::settings::Settings;

/// The first line of a cached inventory; the time of its request follows, in seconds since 1970.
const MARK: &str = "sitegate cached inventory ";

/// The kind of file of a cached inventory.
const OUTPUT_KIND: OutputKind =
    OutputKind { refusal: "is not a cached inventory", replaces: |text| text.starts_with(MARK) };

/// The last inventory of each URL, in a folder.
#[derive(Debug)]
pub struct InventoryCache {
    folder: Option<PathBuf>,
}

impl InventoryCache {
    /// Creates a cache in a folder; without one, nothing is kept.
    pub fn at(folder: Option<PathBuf>) -> InventoryCache {
        InventoryCache { folder }
    }

    /// Returns the inventories of these URLs that are kept.
    pub fn read(&self, urls: &BTreeSet<Url>) -> FetchedInventories {
        let kept = urls.iter().filter_map(|url| Some((url.clone(), self.read_one(url)?)));
        FetchedInventories { by_url: kept.collect(), written: None }
    }

    fn file(&self, url: &Url) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(hex(&Sha256::digest(url.as_str()))))
    }

    fn read_one(&self, url: &Url) -> Option<FetchedInventory> {
        let bytes = fs::read(self.file(url)?).ok()?;
        let end = memchr::memchr(b'\n', &bytes)?;
        let seconds = std::str::from_utf8(&bytes[..end]).ok()?.strip_prefix(MARK)?.parse().ok()?;
        let age = SystemTime::now().duration_since(UNIX_EPOCH + Duration::from_secs(seconds));
        Some(FetchedInventory::Bytes(bytes[end + 1..].to_vec(), age.unwrap_or_default()))
    }

    /// Keeps an inventory. Failing to do so only costs a later request.
    pub fn keep(&self, url: &Url, bytes: &[u8]) {
        let (Some(file), Some(folder)) = (self.file(url), &self.folder) else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let kept = fs::create_dir_all(folder).and_then(|()| {
            atomic_file::write(&file, OUTPUT_KIND, |mut out| {
                writeln!(out, "{MARK}{now}")?;
                out.write_all(bytes)
            })
        });
        if let Err(error) = kept {
            tracing::warn!("{}: cannot keep an inventory: {error}", file.display());
        }
    }
}

/// One request: the URL that the contract names, the one to request, the redirects so far, and the time of all requests
/// so far, with redirects and retries.
#[derive(Clone, Debug)]
struct Job {
    named: Url,
    url: Url,
    hops: usize,
    spent: Arc<Mutex<Duration>>,
}

impl Job {
    /// Requests the URL, in the time that is left of that for a whole answer.
    async fn request(self, client: GuardedClient, settings: Arc<Settings>) -> RequestOutcome<FetchedAnswer> {
        let wanted = |status: http::StatusCode, _: &_| {
            if status.is_success() { BodyWanted::Whole } else { BodyWanted::Nothing }
        };
        let (begin, left) = (Instant::now(), settings.whole.saturating_sub(*self.spent()));
        let answer = timeout(left, fetch(&client, Method::GET, &self.url, &settings, wanted)).await;
        *self.spent() += begin.elapsed();
        match answer {
            Ok(Ok(answer)) => {
                let (status, headers) = (answer.status, answer.headers.clone());
                RequestOutcome::from_status(status, &headers, answer)
            }
            Ok(Err(failure)) => RequestOutcome::Failed(failure),
            Err(_) => RequestOutcome::Failed(RequestFailure::unfinished(settings.whole)),
        }
    }

    fn spent(&self) -> MutexGuard<'_, Duration> {
        lock(&self.spent)
    }
}

/// Requests inventories. If one cannot be requested, the kept one takes its place.
///
/// # Errors
/// [`NetworkError::Client`] or [`NetworkError::Thread`].
pub fn fetch_inventories(
    urls: &BTreeSet<Url>,
    settings: Settings,
    cache: &InventoryCache,
) -> Result<FetchedInventories, NetworkError> {
    let settings = Arc::new(settings);
    let client = GuardedClient::new(&settings)?;
    let runtime = runtime(1)?;
    let mut fetched = FetchedInventories::default();
    let mut scheduler: Scheduler<'_, Job, FetchedAnswer> = Scheduler::new(Arc::clone(&settings));
    for url in urls {
        scheduler.push(url, Job { named: url.clone(), url: url.clone(), hops: 0, spent: Arc::default() });
    }
    let requests = async {
        loop {
            let send = |job: &Job, _| job.clone().request(client.clone(), Arc::clone(&settings)).boxed();
            let Some((job, reply)) = scheduler.next(send).await else { return };
            let answer = match reply {
                Reply::Answer(answer) => answer,
                Reply::Failed(failure) | Reply::GivenUp(failure) => {
                    fetched.by_url.insert(
                        job.named,
                        FetchedInventory::Failed(format!("cannot be requested: {failure}")),
                    );
                    continue;
                }
            };
            if job.hops < MAX_REDIRECTS
                && let Some(url) = answer.redirect_target(&job.url)
            {
                scheduler.push(&url.clone(), Job { url, hops: job.hops + 1, ..job });
                continue;
            }
            let inventory = match answer.body {
                FetchedBody::Whole(bytes) if answer.status.is_success() => {
                    cache.keep(&job.named, &bytes);
                    FetchedInventory::Bytes(bytes, Duration::ZERO)
                }
                FetchedBody::TooLarge => FetchedInventory::Failed("is too large".to_owned()),
                _ => {
                    FetchedInventory::Failed(format!("cannot be requested: {}", format_status(answer.status)))
                }
            };
            fetched.by_url.insert(job.named, inventory);
        }
    };
    let is_late = runtime.block_on(async { timeout(settings.max_time, requests).await.is_err() });
    for url in urls {
        let known = fetched.by_url.entry(url.clone());
        let answer = known.or_insert_with(|| {
            let reason = if is_late { "no answer in time" } else { "no answer" };
            FetchedInventory::Failed(format!("cannot be requested: {reason}"))
        });
        if matches!(answer, FetchedInventory::Failed(_))
            && let Some(kept) = cache.read_one(url)
        {
            *answer = kept;
        }
    }
    Ok(fetched)
}
