//! Buckets as stores of releases: S3, Google Cloud Storage and Azure, over `object_store`.

mod aws;
mod bucket_store;
mod listing;
mod open_bucket;
mod store_failure;
mod transport;
mod upload;
mod website_redirect;

pub use open_bucket::open_bucket;
