//! Requests what a verification expects, a number of URLs at the same time.

use futures_util::{Stream, StreamExt};
use url::Url;

use super::expectation::Expectation;
use super::site::MAX_REQUESTS;
use crate::visitor::{NoAnswer, SiteAnswer, Visitor};

/// Requests several URLs at the same time, and returns the answers as they arrive.
pub(super) fn request_all<'q>(
    expectations: Vec<Expectation<'q>>,
    visitor: &dyn Visitor,
) -> impl Stream<Item = (Expectation<'q>, Result<SiteAnswer, NoAnswer>)> + Unpin {
    let requests = expectations.into_iter().map(async |expectation| {
        let answer = expectation.request(visitor).await;
        (expectation, answer)
    });
    Box::pin(futures_util::stream::iter(requests).buffer_unordered(MAX_REQUESTS))
}

impl Expectation<'_> {
    async fn request(&self, visitor: &dyn Visitor) -> Result<SiteAnswer, NoAnswer> {
        let url = Url::parse(&self.url).map_err(|error| NoAnswer {
            reason: format!("this is no URL: {error}"),
            was_sent: true,
            is_private: false,
        })?;
        if self.is_head { visitor.head(&url).await } else { visitor.get(&url, self.limit()).await }
    }
}
