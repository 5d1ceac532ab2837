//! What the commands after the check do with their arguments: seal, serve, publish.

use std::path::Path;
use std::time::Duration;

use sitegate::config::Config;
use sitegate::diagnostic::{Report, Verdict};
use sitegate::publish::seal::Seal;
use sitegate::serve::{self, Preview};

use crate::cli::ServeArgs;
use crate::commands::{Outcome, load};

/// Writes the seal of a check that passed.
pub fn seal(report: &Report, config: &Config, file: Option<&Path>) -> Result<(), Box<dyn std::error::Error>> {
    match file {
        Some(file) if report.verdict() == Verdict::Passed => Ok(report.seal(config)?.write(file)?),
        _ => Ok(()),
    }
}

/// Refuses a seal's path that cannot be used, and clears an older seal away, before a check begins.
pub fn prepare_seal(file: Option<&Path>, root: &Path) -> Result<(), Box<dyn std::error::Error>> {
    Ok(file.map_or(Ok(()), |file| Seal::prepare(file, root))?)
}

pub fn serve(args: &ServeArgs) -> Outcome {
    let (config, root) = load(&args.export)?;
    let limit = args.limit.map(Duration::from_secs);
    Preview::new(&root, config)?
        .run(args.port, limit, |url| serve::announce(&mut anstream::stdout(), url, &root))?;
    Ok(0)
}
