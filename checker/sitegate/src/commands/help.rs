//! `sitegate help`: lists the commands in groups, or prints the help of one.

use std::fmt::Write;

use anstyle::Style;
use clap::Command;

use crate::terminal::{self, Outcome};

/// The commands that people use, by what they want to do. The other commands are listed by `help --all`.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Check", &["init", "check", "explain"]),
    ("Change", &["mv", "diff", "redirects"]),
    ("Publish", &["serve", "carry", "publish", "verify", "rollback", "target"]),
];

/// The headings of clap.
const HEADING: Style = Style::new().bold().underline();

/// The names of commands and options in clap's lists.
const NAME: Style = Style::new().bold();

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Command to explain, such as `check` or `target gc`
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// List all commands, and the options of every command
    #[arg(long, conflicts_with = "command")]
    all: bool,
}

/// Prints the help of a command as `sitegate COMMAND --help` does, or the nearest names if there is no such command.
pub fn run(args: &Args, program: Command) -> Outcome {
    if args.all {
        let text = with_all_commands(program).render_long_help();
        terminal::print(|out| write!(out, "{}", text.ansi()))?;
        return Ok(0);
    }
    let words = ["sitegate"].into_iter().chain(args.command.iter().map(String::as_str)).chain(["--help"]);
    match with_command_groups(program).try_get_matches_from(words) {
        Ok(_) => Ok(0),
        Err(page) => terminal::print_clap_message(&page),
    }
}

/// Adds the list of the commands that people use to the help of the program.
pub fn with_command_groups(program: Command) -> Command {
    let mut list = String::new();
    for (heading, names) in GROUPS {
        write_group(&program, heading, names, &mut list);
    }
    let more = format!("{NAME}sitegate help --all{NAME:#} lists the other commands.");
    // Without an empty line between them, the first screen has 28 lines.
    with_list(program, &format!("{}\n{more}", list.trim_end()))
}

/// Adds the list of all commands to the help of the program.
fn with_all_commands(program: Command) -> Command {
    let listed = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let others: Vec<&str> =
        program.get_subcommands().map(Command::get_name).filter(|name| !listed(name)).collect();
    let mut list = String::new();
    for (heading, names) in GROUPS.into_iter().chain([("Other commands", &*others)]) {
        write_group(&program, heading, names, &mut list);
    }
    with_list(program, list.trim_end())
}

fn with_list(program: Command, list: &str) -> Command {
    let options = format!("{HEADING}Options:{HEADING:#}\n{{options}}");
    program
        .help_template(format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\n\n{options}"))
}

/// Writes a heading, and a line with the summary of each command.
fn write_group(program: &Command, heading: &str, names: &[&str], list: &mut String) {
    let width = program.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    // Writing to a string cannot fail.
    let _ = writeln!(list, "{HEADING}{heading}:{HEADING:#}");
    let commands = names.iter().filter_map(|name| program.find_subcommand(name));
    for command in commands.filter(|command| !command.is_hide_set()) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(list, "  {NAME}{:width$}{NAME:#}  {about}", command.get_name());
    }
    list.push('\n');
}
