//! Finds the page in which Storybook shows a story. Verified with Storybook 9.1.
//!
//! The manager composes its URL: `(PREVIEW_URL || "iframe.html") + "?id=…"`.

use oxc_ast::AstKind;

use crate::address::AddressReader;
use crate::facts::Script;
use crate::load::{Grade, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::text_of_node;

/// The page, next to the manager's.
const PAGE: &str = "iframe.html";

pub(super) fn read_node<'a>(node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
    let Some((span, _)) = text_of_node(node).filter(|(_, text)| *text == PAGE) else { return };
    if !addresses.contains("PREVIEW_URL") || script.loads.iter().any(|load| &*load.address == PAGE) {
        return;
    }
    script.loads.push(ScriptLoad {
        kind: LoadKind::Asset,
        address: PAGE.into(),
        relative_to: RelativeTo::Document,
        grade: Grade::Required,
        goal: None,
        span: span.start..span.end,
    });
}
