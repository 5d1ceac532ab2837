//! `sitegate serve`: previews an export on 127.0.0.1.

use std::time::Duration;

use sitegate_check::{Deployment, Tree};
use sitegate_server::preview::{Preview, server};

use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::terminal::{Outcome, seconds, stdout};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    export: ExportArgs,
    /// Port; 0 for any free port
    #[arg(long, value_name = "N", default_value_t = 4173)]
    port: u16,
    /// Accept this Host header, such as a tunnel's name
    ///
    /// This is `NAME` or `NAME:PORT`, in addition to 127.0.0.1, localhost and `[::1]`.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Stop after this many seconds
    #[arg(long = "stop-after", value_name = "SECONDS", value_parser = seconds())]
    limit: Option<u64>,
}

pub fn run(args: &Args) -> Outcome {
    let (mut contract, root) = args.export.load()?;
    // The preview uses the same inferred deployment as the check.
    let tree = Tree::walk(&root).map_err(Error::file(&root))?;
    contract.site = Deployment::infer(&tree, &contract).settings;
    let limit = args.limit.map(Duration::from_secs);
    Preview::new(&root, contract)
        .map_err(Error::Server)?
        .run(args.port, &args.hosts, limit, |url| server::announce(&mut stdout(), url, &root))
        .map_err(Error::Server)?;
    Ok(0)
}
