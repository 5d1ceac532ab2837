//! Options of every command: the log level and colors.

use std::env;

use clap::{ArgAction, ColorChoice, ValueEnum};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

use crate::terminal;

/// The options of every command.
#[derive(Debug, clap::Args)]
pub struct GlobalArgs {
    // Only short help, as for `--color`: with more, clap would print the long help of the program for `--help`.
    /// Log stages to stderr; -vv adds files and requests
    #[arg(long, short, global = true, action = ArgAction::Count, display_order = 990)]
    verbose: u8,
    /// Use color: auto, always or never [default: auto]
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        display_order = 991,
        value_enum,
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    color: ColorChoice,
}

impl GlobalArgs {
    /// Applies the options to the process.
    pub fn apply(&self) {
        set_color(self.color);
        let level = match self.verbose {
            0 => return,
            1 => LevelFilter::INFO,
            _ => LevelFilter::DEBUG,
        };
        let lines =
            fmt::layer().with_writer(terminal::stderr).with_target(false).with_timer(fmt::time::uptime());
        // Only events of this program's crates: all their names start with `sitegate`.
        tracing_subscriber::registry()
            .with(lines.with_filter(Targets::new().with_target("sitegate", level)))
            .init();
    }
}

/// Applies `--color` of a command line that cannot be parsed or requests help.
pub fn apply_color_of_unparsed() {
    let words: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let after = words.iter().position(|word| word == "--color").and_then(|at| words.get(at + 1));
    let value = words.iter().find_map(|word| word.strip_prefix("--color=")).or(after.map(String::as_str));
    set_color(value.and_then(|value| ColorChoice::from_str(value, false).ok()).unwrap_or_default());
}

fn set_color(choice: ColorChoice) {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    match choice {
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
        // anstream reads the other variables, but not `FORCE_COLOR`.
        ColorChoice::Auto if is_set("FORCE_COLOR") && !is_set("NO_COLOR") => anstream::ColorChoice::Always,
        ColorChoice::Auto => anstream::ColorChoice::Auto,
    }
    .write_global();
}
