//! Headers and names shared by hosts, edge configurations and publishing.

use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::csp;

use crate::error::ServerError;

/// The prefix of the target state.
pub const STATE: &str = sitegate_base::file_name::STATE_FOLDER;

/// Cache-Control of files with a content hash in their name.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Cache-Control of all other files: cached, but revalidated each time.
pub const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// The headers that an object store can send. All others must be set at the edge.
pub const STORED: [&str; 5] =
    ["cache-control", "content-disposition", "content-encoding", "content-language", "content-type"];

/// The header of an object that S3's website endpoints answer with a redirect.
pub const WEBSITE_REDIRECT: &str = "x-amz-website-redirect-location";

/// Maximum size of a policy in bytes in a configuration of nginx, which limits each parameter to its buffer of 4 KiB.
pub const MAX_NGINX_POLICY: usize = 4094;

/// Maximum size of a policy in bytes in a response headers policy of CloudFront.
pub const MAX_CLOUDFRONT_POLICY: usize = 1783;

/// Maximum size of a policy in bytes in a `_headers` file of Cloudflare Pages, whose lines have at most 2,000 characters.
pub const MAX_CLOUDFLARE_POLICY: usize = 1970;

/// Maximum size of a policy in bytes on Vercel, whose header values have at most 4,096 characters.
pub const MAX_VERCEL_POLICY: usize = 4096;

/// Maximum size of a policy in bytes on all remaining hosts. Many servers and proxies read at most 8 KiB of a header.
pub const MAX_POLICY: usize = 8000;

/// Rejects a policy with hashes that is longer than a host accepts.
///
/// # Errors
/// When a policy is too long; the message names the size and the way out.
pub fn refuse_long_policy(contract: &Contract, host: &str, limit: usize) -> Result<(), ServerError> {
    for (_, value) in contract.headers.iter().filter_map(|rule| rule.header(csp::HEADER)) {
        if value.len() > limit {
            return Err(ServerError::Unsupported(format!(
                "Content-Security-Policy: with its hashes it has {} bytes, and {host} accepts at most {limit}; move \
                 inline code to files, or give pages their own entries of [[headers]]",
                value.len()
            )));
        }
    }
    Ok(())
}
