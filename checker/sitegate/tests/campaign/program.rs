//! The program as people run it: a process, with what may happen to one.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::s3::server::{Fault, Rule, Server, When};
use crate::s3::site::all_output;

/// No run takes longer, whatever happens to it.
const MAX_RUN_TIME: Duration = Duration::from_secs(150);

/// What happens to a run.
#[derive(Clone, Debug)]
pub enum Trouble {
    None,
    /// Faults of the store.
    Faults(Vec<Rule>),
    /// A signal, after so long.
    Signal(&'static str, Duration),
    /// Another program that starts it, and does something to it.
    Within(Vec<String>),
}

impl Trouble {
    /// Whether it is one fault that passes, of the kind that every network has: it must not be felt.
    pub fn is_transient(&self) -> bool {
        let Trouble::Faults(rules) = self else { return false };
        let [Rule { when: When::At(_), fault, .. }] = rules.as_slice() else { return false };
        match fault {
            Fault::Answer(status, _) => matches!(status, 429 | 503),
            Fault::Slow | Fault::Broken | Fault::Reset | Fault::Lost | Fault::Stall(_) | Fault::Trickle => {
                true
            }
            _ => false,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub output: String,
    pub stdout: Vec<u8>,
}

impl RunResult {
    fn new(output: &Output) -> RunResult {
        RunResult { code: output.status.code(), output: all_output(output), stdout: output.stdout.clone() }
    }
}

/// A run that has begun.
pub struct RunningProcess {
    pub pid: u32,
    ended: mpsc::Receiver<Output>,
}

impl RunningProcess {
    /// Starts the program; the server's faults may strike it.
    pub fn start(command: Command, trouble: &Trouble, server: Option<&Server>) -> RunningProcess {
        let command = program_under_test(command);
        let mut command = match trouble {
            Trouble::Within(outer) => wrapped_command(&command, outer),
            _ => command,
        };
        if let Some(server) = server {
            server.faults(if let Trouble::Faults(rules) = trouble { rules } else { &[] });
        }
        // A group of its own: what is stopped in a group that loses its terminal would have all of the group ended.
        command.process_group(0);
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = child.id();
        if let Some(server) = server {
            server.victim(pid);
        }
        let running = RunningProcess { pid, ended: output_receiver(child) };
        if let Trouble::Signal(signal, after) = trouble {
            std::thread::sleep(*after);
            send(signal, pid);
        }
        running
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// Where it never ends, or panics.
    pub fn end(self) -> Result<RunResult, String> {
        let Ok(output) = self.ended.recv_timeout(MAX_RUN_TIME) else {
            send("-KILL", self.pid);
            return Err(format!("the run was not done after {MAX_RUN_TIME:?}"));
        };
        let result = RunResult::new(&output);
        if result.output.contains("panicked at") || result.code == Some(101) {
            return Err(format!("the run panicked: {}", result.output));
        }
        Ok(result)
    }
}

fn output_receiver(child: Child) -> mpsc::Receiver<Output> {
    let (sender, ended) = mpsc::channel();
    std::thread::spawn(move || {
        if let Ok(output) = child.wait_with_output() {
            let _ = sender.send(output);
        }
    });
    ended
}

/// Sends a signal to a process that was started here.
pub fn send(signal: &str, pid: u32) {
    let _ = Command::new("kill").args([signal, &pid.to_string()]).stderr(Stdio::null()).status();
}

/// The same command, started by another program.
fn wrapped_command(command: &Command, outer: &[String]) -> Command {
    let mut whole = copy_without_arguments(command, &outer[0]);
    whole.args(&outer[1..]).arg(command.get_program()).args(command.get_args());
    whole
}

/// The same command of the program that is under test, where it is not the one that was built with the campaign.
fn program_under_test(command: Command) -> Command {
    match std::env::var("SITEGATE_CAMPAIGN_PROGRAM").ok().filter(|program| !program.is_empty()) {
        Some(program) => {
            let mut other = copy_without_arguments(&command, &program);
            other.args(command.get_args());
            other
        }
        None => command,
    }
}

/// A command with the environment and the folder of another one, and no arguments yet.
fn copy_without_arguments(command: &Command, program: &str) -> Command {
    let mut other = Command::new(program);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => other.env(name, value),
            None => other.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        other.current_dir(folder);
    }
    other
}

/// Whether a program that a round needs is installed.
pub fn is_installed(program: &str, test: &[&str]) -> bool {
    let result = Command::new(program).args(test).stdout(Stdio::null()).stderr(Stdio::null()).status();
    result.is_ok_and(|status| status.success())
}
