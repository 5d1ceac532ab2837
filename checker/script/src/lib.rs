#![doc = include_str!("../README.md")]

mod address;
mod amd;
mod bundlers;
mod config;
mod data;
mod facts;
mod json_scripts;
mod literals;
mod load;
mod nesting;
mod read;
mod reader;
mod syntax;

pub use amd::{AmdConfig, AmdDependency, AmdFiles, AmdReplacement, AmdScript, DependencyOf};
pub use bundlers::loads_of_bundles;
pub use bundlers::next::{folder as next_folder, paths as next_paths};
pub use config::{ConfigValue, read_config};
pub use facts::{BundledScript, Script, ScriptError, WorkerScope};
pub use json_scripts::{ImportMap, Mapping, Speculated, parse_import_map, parse_speculation_rules};
pub use literals::{LiteralPlace, LiteralSyntax, ScriptPart, read_literals};
pub use load::{Goal, Grade, LoadKind, RelativeTo, ScriptLoad};
pub use nesting::STACK_SIZE;
pub use read::{Memory, ascii, may_load, read_script, read_undecoded};
