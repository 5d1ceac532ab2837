//! Runs the program as a process, with trouble such as signals and faults.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::s3::server::{Fault, Rule, Server, When};
use crate::s3::site::all_output;

/// Maximum duration of a run, with any trouble.
const MAX_RUN_TIME: Duration = Duration::from_secs(150);

/// Trouble for a run.
#[derive(Clone, Debug)]
pub enum Trouble {
    None,
    /// Faults of the store.
    Faults(Vec<Rule>),
    /// A signal after a time.
    Signal(&'static str, Duration),
    /// A wrapper program, such as a debugger, that starts the run.
    Within(Vec<String>),
}

impl Trouble {
    /// Whether it is a single transient network fault, which the run must survive.
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

/// The result of a run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The exit code, or `None` if a signal ended the run.
    pub code: Option<i32>,
    /// Standard output and standard error.
    pub output: String,
    pub stdout: Vec<u8>,
}

impl RunResult {
    fn new(output: &Output) -> RunResult {
        RunResult { code: output.status.code(), output: all_output(output), stdout: output.stdout.clone() }
    }
}

/// A running process.
pub struct RunningProcess {
    pub pid: u32,
    ended: mpsc::Receiver<Output>,
}

impl RunningProcess {
    /// Starts the program, with the faults of the server.
    pub fn start(command: Command, trouble: &Trouble, server: Option<&Server>) -> RunningProcess {
        let command = program_under_test(command);
        let mut command = match trouble {
            Trouble::Within(outer) => wrapped_command(&command, outer),
            _ => command,
        };
        if let Some(server) = server {
            server.faults(if let Trouble::Faults(rules) = trouble { rules } else { &[] });
        }
        // In its own process group, because a stopped process in a group without a terminal would end the group.
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

    /// Waits until the run ends.
    ///
    /// # Errors
    /// If it does not end in time, or panics.
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

/// Sends a signal to a process.
pub fn send(signal: &str, pid: u32) {
    let _ = Command::new("kill").args([signal, &pid.to_string()]).stderr(Stdio::null()).status();
}

/// Wraps a command in another program.
fn wrapped_command(command: &Command, outer: &[String]) -> Command {
    let mut whole = copy_without_arguments(command, &outer[0]);
    whole.args(&outer[1..]).arg(command.get_program()).args(command.get_args());
    whole
}

/// Replaces the program with `SITEGATE_CAMPAIGN_PROGRAM`, if it is set.
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

/// Copies the environment and the folder of a command, without its arguments.
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
