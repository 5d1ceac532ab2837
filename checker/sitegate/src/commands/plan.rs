//! `sitegate plan`: shows what `sitegate publish` would do.

use crate::release_args::ReleaseArgs;
use crate::terminal::Outcome;

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    release: ReleaseArgs,
}

pub fn run(args: &Args) -> Outcome {
    args.release.run(None)
}
