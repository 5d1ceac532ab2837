//! The commands. Each file has the arguments of one command with their help, and runs it. Arguments that several
//! commands share are in `export_args`, `target_args`, `release_args` and `report_args`.

pub mod check;
pub mod completions;
pub mod diff;
pub mod edge;
pub mod explain;
pub mod gc;
pub mod init;
pub mod inventory;
pub mod man;
pub mod mv;
pub mod plan;
pub mod publish;
pub mod redirects;
pub mod render;
pub mod repair;
pub mod rollback;
pub mod rules;
pub mod schema;
pub mod serve;
pub mod status;
pub mod unlock;
pub mod verify;
pub mod watch;
