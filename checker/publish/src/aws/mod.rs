//! Services of AWS beside the bucket: credentials, and CloudFront. What a release holds never enters here.

pub mod cloudfront;
pub(crate) mod connector;
pub(crate) mod credentials;
pub(crate) mod endpoint;
pub(crate) mod profile;
pub(crate) mod request;
