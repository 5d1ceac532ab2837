//! Writes the configuration that a contract asks of a host. No rule and no file of the export plays a part.

mod addresses;
mod cloudfront;
mod nginx;
mod policy;
mod s3_website;

pub use cloudfront::cloudfront;
pub use nginx::nginx;
pub use s3_website::s3_website;
