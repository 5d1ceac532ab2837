//! AWS services besides the bucket: credentials and CloudFront.

pub(crate) mod credentials;
pub(crate) mod credentials_client;
pub(crate) mod profile;
pub(crate) mod signed_request;
