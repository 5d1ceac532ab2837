//! Defines the types of script elements, and the state that is shared between script elements of a page.

use std::collections::HashSet;

use sitegate_script::Goal;

/// The type of a script element (HTML, "prepare the script element").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScriptType {
    Run(Goal),
    ImportMap,
    SpeculationRules,
    JsonLd,
    /// The configuration of Material for `MkDocs`.
    MaterialConfig,
    Data,
}

impl ScriptType {
    /// Returns the type of a script element by its `type` attribute.
    pub fn of(written: Option<&str>) -> ScriptType {
        let Some(value) = written else { return ScriptType::Run(Goal::Script) };
        let value = value.trim().to_ascii_lowercase();
        match value.as_str() {
            "module" => ScriptType::Run(Goal::Module),
            "importmap" => ScriptType::ImportMap,
            "speculationrules" => ScriptType::SpeculationRules,
            "application/ld+json" => ScriptType::JsonLd,
            // The JavaScript MIME types (WHATWG MIME Sniffing, 4.6).
            ""
            | "text/javascript"
            | "application/javascript"
            | "application/x-javascript"
            | "text/ecmascript"
            | "application/ecmascript"
            | "text/jscript"
            | "text/livescript"
            | "text/x-javascript"
            | "text/x-ecmascript"
            | "application/x-ecmascript" => ScriptType::Run(Goal::Script),
            _ => ScriptType::Data,
        }
    }
}

/// The chunks that a page of Next.js refers to.
#[derive(Default)]
pub(super) struct NamedChunks {
    /// Number of references that were added.
    pub(super) references: usize,
    /// The folder of Next.js' own files.
    pub(super) folder: Option<String>,
    pub(super) addresses: HashSet<String>,
}
