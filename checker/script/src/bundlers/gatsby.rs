//! Finds Gatsby's page data, which scripts fetch before the page becomes interactive. Verified with Gatsby 5.16.
//!
//! Each page contains `window.pagePath="/about/"`, and needs `page-data/about/page-data.json`; the home page needs
//! `page-data/index/page-data.json`. All need `page-data/app-data.json`.

use oxc_ast::AstKind;
use oxc_ast::ast::AssignmentTarget;

use crate::facts::Script;
use crate::load::{Grade, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::text;

pub(super) fn read_node(node: AstKind<'_>, script: &mut Script) {
    let AstKind::AssignmentExpression(set) = node else { return };
    let AssignmentTarget::StaticMemberExpression(member) = &set.left else { return };
    if member.property.name != "pagePath" || !member.object.is_specific_id("window") {
        return;
    }
    let Some((span, path)) = text(&set.right) else { return };
    let name = match path.trim_matches('/') {
        "" => "index",
        name => name,
    };
    for address in [format!("page-data/{name}/page-data.json"), "page-data/app-data.json".to_owned()] {
        script.loads.push(ScriptLoad {
            kind: LoadKind::Data,
            address: address.into(),
            relative_to: RelativeTo::Anywhere,
            grade: Grade::Required,
            goal: None,
            span: span.start..span.end,
        });
    }
}
