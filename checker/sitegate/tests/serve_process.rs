//! Starts `sitegate serve`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A process of `sitegate serve --port 0`, which ends when it is dropped.
pub struct ServeProcess {
    pub child: Child,
    pub port: u16,
}

impl ServeProcess {
    /// Starts a command, and waits until it prints its address.
    pub fn start(mut command: Command) -> ServeProcess {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line}"));
        ServeProcess { child, port: address.split('/').next().unwrap().parse().unwrap() }
    }

    /// Returns its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

impl Drop for ServeProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
