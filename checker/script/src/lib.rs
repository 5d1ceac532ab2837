#![doc = include_str!("../README.md")]

mod address;
mod amd;
mod bundlers;
mod config;
mod data;
mod facts;
mod import_map;
mod literals;
mod load;
mod nesting;
mod prefilter;
mod read;
mod reader;
mod speculation;
mod syntax;

pub use amd::{AmdConfig, AmdDependency, AmdFiles, AmdReplacement, AmdScript, DependencyOf};
pub use bundlers::loads_of_bundles;
pub use bundlers::next::{folder as next_folder, paths as next_paths};
pub use config::{ConfigValue, read_config};
pub use facts::{BundledScript, Script, ScriptError, WorkerScope};
pub use import_map::{ImportMap, Mapping, parse_import_map};
pub use literals::{LiteralPlace, LiteralSyntax, ScriptPart, read_literals};
pub use load::{Goal, Grade, LoadKind, RelativeTo, ScriptLoad};
pub use nesting::STACK_SIZE;
pub use prefilter::may_load;
pub use read::{Memory, ascii, read_script, read_undecoded};
pub use speculation::{Speculated, parse_speculation_rules};
