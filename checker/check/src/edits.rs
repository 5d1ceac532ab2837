//! Names the edits of sources, which findings and moves contain.

pub(crate) use sitegate_sources::edits::{Edit, is_utf16};
