//! Generates host configurations from a contract.

mod clean_urls;
mod cloudfront;
mod nginx;
mod policy;
mod s3_website;

pub use cloudfront::cloudfront;
pub use nginx::nginx;
pub use s3_website::s3_website;
