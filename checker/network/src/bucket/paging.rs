//! Lists a bucket page by page. A store may claim any number of pages and objects, so both are bounded.

use std::collections::HashSet;
use std::sync::Arc;

use object_store::ObjectMeta;
use object_store::list::{PaginatedListOptions, PaginatedListStore};

use crate::bucket::retry::retry;
use crate::bucket::store_failure::store_failure;
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::store::ListingRoom;

/// Number of keys to request per page.
const PAGE: usize = 1_000;

/// Maximum number of pages: far more than [`ListingRoom`] allows full ones.
const MAX_PAGES: usize = 10_000;

/// Memory for an object of a listing besides its key, in bytes.
const ENTRY: usize = 200;

/// The listings of a bucket.
pub(crate) struct Listings {
    /// The store.
    pub store: Arc<dyn PaginatedListStore>,
    /// The prefix of the target's keys: empty, or a path that ends with `/`.
    pub prefix: String,
    /// Whether a listing can begin after a key.
    pub has_offsets: bool,
}

impl Listings {
    /// Passes the objects below `prefix` and after `after` to `add`, until it returns false.
    ///
    /// # Errors
    /// When the store does not answer, or its listing is too large or repeats a page.
    pub(crate) async fn each(
        &self,
        prefix: &str,
        after: Option<&str>,
        room: &ListingRoom,
        mut add: impl FnMut(String, &ObjectMeta) -> bool,
    ) -> Result<(), Failure> {
        let prefix = format!("{}{prefix}", self.prefix);
        let offset = after.filter(|_| self.has_offsets).map(|after| format!("{}{after}", self.prefix));
        let mut tokens = HashSet::new();
        let mut token: Option<String> = None;
        loop {
            let page = retry(|| {
                let (offset, page_token) = (offset.clone(), token.clone());
                let options =
                    PaginatedListOptions { offset, page_token, max_keys: Some(PAGE), ..Default::default() };
                self.store.list_paginated(Some(prefix.as_str()).filter(|prefix| !prefix.is_empty()), options)
            });
            let page = page.await.map_err(|error| store_failure(&error, "cannot list the target"))?;
            for entry in &page.result.objects {
                let Some(key) = entry.location.as_ref().strip_prefix(&self.prefix) else { continue };
                room.take(key.len() + ENTRY)?;
                if after.is_none_or(|after| key > after) && !add(key.to_owned(), entry) {
                    return Ok(());
                }
            }
            let Some(next) = page.page_token else { return Ok(()) };
            room.take(next.len())?;
            if tokens.len() == MAX_PAGES || !tokens.insert(next.clone()) {
                let message = "cannot list the target: the store's listing repeats a page, or does not end";
                return Err(Failure::new(FailureKind::Failed, message)
                    .help("check the endpoint, and proxies before it"));
            }
            token = Some(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use object_store::list::{PaginatedListOptions, PaginatedListResult, PaginatedListStore};
    use object_store::path::Path;
    use object_store::{ListResult, ObjectMeta};

    use super::Listings;
    use sitegate_publish::store::ListingRoom;

    /// A store whose pages never end.
    struct Endless {
        /// Number of keys in a page, and their length.
        keys: (usize, usize),
        /// Number of different page tokens.
        tokens: usize,
        pages: AtomicUsize,
    }

    #[async_trait]
    impl PaginatedListStore for Endless {
        async fn list_paginated(
            &self,
            _: Option<&str>,
            _: PaginatedListOptions,
        ) -> object_store::Result<PaginatedListResult> {
            let page = self.pages.fetch_add(1, Ordering::Relaxed);
            let object = |number| ObjectMeta {
                location: Path::from(format!("site/{page}-{number}-{}", "k".repeat(self.keys.1))),
                last_modified: std::time::UNIX_EPOCH.into(),
                size: 1,
                e_tag: None,
                version: None,
            };
            let objects = (0..self.keys.0).map(object).collect();
            let result =
                ListResult { common_prefixes: Vec::new(), objects, extensions: http::Extensions::new() };
            Ok(PaginatedListResult { result, page_token: Some((page % self.tokens).to_string()) })
        }
    }

    #[tokio::test]
    async fn endless_listings_are_errors() {
        for (keys, tokens, most, message) in [
            ((1, 1), 1, 2, "repeats a page"),
            ((1, 1), 3, 4, "repeats a page"),
            ((0, 0), usize::MAX, 10_001, "does not end"),
            ((1_000, 1_000), usize::MAX, 230, "more than 256 MiB"),
        ] {
            let store = Arc::new(Endless { keys, tokens, pages: AtomicUsize::new(0) });
            let listings = Listings {
                store: Arc::clone(&store) as Arc<_>,
                prefix: "site/".to_owned(),
                has_offsets: true,
            };
            let ended = listings.each("", None, &ListingRoom::default(), |_, _| true).await;
            let message_found = ended.err().map(|failure| failure.message).unwrap_or_default();
            assert!(message_found.contains(message), "{message_found}");
            let pages = store.pages.load(Ordering::Relaxed);
            assert!(pages <= most, "{pages} pages");
        }
    }
}
