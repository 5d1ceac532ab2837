//! Generates host configurations from a contract.

mod apache;
mod caddy;
mod cloudfront;
mod config_file;
mod json_hosts;
mod nginx;
mod patterns;
mod s3_website;
mod wildcard_hosts;

pub use apache::apache;
pub use caddy::caddy;
pub use cloudfront::cloudfront;
pub use config_file::{ConfigFile, resolve_auto};
pub use json_hosts::{firebase, vercel};
pub use nginx::nginx;
pub use s3_website::s3_website;
pub use wildcard_hosts::{cloudflare_pages, netlify};
