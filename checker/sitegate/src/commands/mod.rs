//! The commands, one a file: its arguments with their help, and what it does with them. What several
//! commands share lies below them, in `export`, `store`, `release` and `terminal`.

pub mod check;
pub mod completions;
pub mod edge;
pub mod explain;
pub mod gc;
pub mod init;
pub mod man;
pub mod plan;
pub mod publish;
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
