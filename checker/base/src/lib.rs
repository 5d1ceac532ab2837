//! Text, names and files: helpers for all crates of `sitegate`, independent of sites.

pub mod artifact;
pub mod atomic_file;
pub mod chunks;
pub mod field_lines;
pub mod file_name;
pub mod hex;
pub mod host_name;
pub mod html_writer;
pub mod json;
pub mod json_writer;
pub mod language_tag;
pub mod lock;
pub mod markdown;
pub mod nearest;
pub mod plural;
pub mod public_suffix;
pub mod sanitize;
pub mod shell_word;
pub mod system_error;
pub mod url_secrets;
