//! Compares `answer` with real hosts over generated paths: the CloudFront function in Node, nginx with the
//! configuration that `host-config` prints, the preview, and the rules of S3's website endpoint.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)]
#![allow(clippy::disallowed_methods)] // tests start hosts, and are their clients

mod cloudfront;
mod config_files;
mod preview;
mod s3_website;
mod server;
mod sites;
mod web_servers;
