//! AWS services besides the bucket: credentials and CloudFront.

pub mod cloudfront;
pub(crate) mod connector;
pub(crate) mod credentials;
pub(crate) mod endpoint;
pub(crate) mod profile;
pub(crate) mod signed_request;
