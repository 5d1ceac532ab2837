//! Headers and names that hosts, edges and publishing agree on.

/// Everything that sitegate keeps in a target lies below this prefix.
pub const STATE: &str = sitegate_check::file_name::MEMORY;

/// Cache-Control of files whose name changes with their content.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Cache-Control of everything else: kept, but asked about each time.
pub const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// The headers that an object store can answer with; all others are the edge's work.
pub const STORED: [&str; 5] =
    ["cache-control", "content-disposition", "content-encoding", "content-language", "content-type"];
