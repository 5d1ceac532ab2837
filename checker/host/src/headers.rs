//! Names and values of headers that hosts send, and the folder that they must not serve.

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
