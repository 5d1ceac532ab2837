//! Gatsby's data of a page, which its scripts fetch before the page comes to life. Seen with Gatsby 5.16.
//!
//! Each page says `window.pagePath="/about/"`, and needs `page-data/about/page-data.json`; the home page's is
//! `page-data/index/page-data.json`. All need `page-data/app-data.json`.

use oxc_ast::AstKind;
use oxc_ast::ast::AssignmentTarget;

use crate::facts::Script;
use crate::load::{Against, Grade, LoadKind, ScriptLoad};
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
            against: Against::Anywhere,
            grade: Grade::Needed,
            goal: None,
            span: span.start..span.end,
        });
    }
}
