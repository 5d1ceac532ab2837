//! `sitegate edge`: prints the host configuration that the contract needs.

use std::path::PathBuf;

use clap::ValueEnum;
use sitegate_hosting::edge;

use crate::export_args::ExportArgs;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Host to configure
    #[arg(value_enum)]
    host: EdgeHost,
    #[command(flatten)]
    export: ExportArgs,
    /// Bucket that serves the site
    #[arg(long, value_name = "NAME", default_value = "BUCKET")]
    bucket: String,
    /// Prefix of the site in the bucket
    #[arg(long, value_name = "PREFIX", default_value = "")]
    prefix: String,
}

/// A host that `edge` can configure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EdgeHost {
    /// Function, response headers policies, error responses and bucket policy, as JSON
    Cloudfront,
    /// Website configuration and policy of a bucket, as JSON
    S3Website,
    /// Server block for the folder of the export
    Nginx,
}

pub fn run(args: &Args) -> Outcome {
    let contract = args.export.contract()?;
    let text = match args.host {
        EdgeHost::Cloudfront => edge::cloudfront(&contract, &args.bucket, &args.prefix),
        EdgeHost::S3Website => edge::s3_website(&contract, &args.bucket, &args.prefix),
        EdgeHost::Nginx => {
            let root = args.export.dir.clone().or_else(|| contract.site.root.clone());
            edge::nginx(&contract, &root.unwrap_or_else(|| PathBuf::from("/srv/site")))
        }
    }?;
    terminal::print(|out| out.write_all(text.as_bytes()))?;
    Ok(0)
}
