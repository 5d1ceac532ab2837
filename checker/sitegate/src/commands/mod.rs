//! The commands. Each file has the arguments of one command with their help, and runs it; small commands with one
//! purpose share a file. Arguments that several commands share are in `export_args`, `target_args` and `report_args`.

pub mod carry;
pub mod check;
pub mod diff;
pub mod explain;
pub mod help;
pub mod host_config;
pub mod init;
pub mod integration;
pub mod inventory;
pub mod mv;
pub mod publish;
pub mod redirects;
pub mod render;
pub mod rollback;
pub mod serve;
pub mod target;
pub mod verify;
pub mod watch;
