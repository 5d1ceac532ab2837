//! What bundlers write instead of imports. Each file here recognises one way of writing, has its own cases, and says in
//! its head which versions it was seen with.
//!
//! A recogniser sees the syntax tree of one script, node by node, and leaves a load or a [`super::BundlePiece`]. What only several
//! scripts of a bundle say together is put together from their pieces, by [`loads_of_bundles`].

mod elements;
mod gatsby;
mod hashed;
pub(crate) mod next;
mod nuxt;
mod parcel;
mod precache;
mod systemjs;
mod vite;
pub(crate) mod webpack;

use oxc_ast::AstKind;

use super::address::AddressReader;
use super::facts::{Bundled, Script};
use super::load::ScriptLoad;

pub(crate) use hashed::is_address as is_hashed_address;

/// The recognisers with a state, while they look at one script.
#[derive(Default)]
pub(crate) struct Recognisers<'a> {
    hashed: hashed::HashedNames,
    parcel: parcel::Parcel,
    systemjs: systemjs::SystemJs,
    vite: vite::Vite,
    webpack: webpack::Webpack<'a>,
}

impl<'a> Recognisers<'a> {
    /// Shows them one node, from the outside in.
    pub fn node(&mut self, node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
        match node {
            // Most of a tree is names and what holds expressions together: none but these look at them.
            AstKind::IdentifierReference(_) => return self.parcel.node(node, addresses),
            AstKind::StaticMemberExpression(_) => {
                self.parcel.node(node, addresses);
                return self.webpack.node(node);
            }
            AstKind::IdentifierName(_)
            | AstKind::BindingIdentifier(_)
            | AstKind::NumericLiteral(_)
            | AstKind::BooleanLiteral(_)
            | AstKind::NullLiteral(_)
            | AstKind::ThisExpression(_)
            | AstKind::UnaryExpression(_)
            | AstKind::LogicalExpression(_)
            | AstKind::ConditionalExpression(_)
            | AstKind::SequenceExpression(_)
            | AstKind::ComputedMemberExpression(_)
            | AstKind::ExpressionStatement(_)
            | AstKind::ReturnStatement(_)
            | AstKind::IfStatement(_)
            | AstKind::VariableDeclaration(_)
            | AstKind::FunctionBody(_)
            | AstKind::FormalParameters(_)
            | AstKind::FormalParameter(_) => return,
            _ => {}
        }
        elements::read_node(node, script);
        gatsby::read_node(node, script);
        self.hashed.node(node);
        next::read_node(node, addresses, script);
        nuxt::read_node(node, script);
        self.parcel.node(node, addresses);
        precache::read_node(node, script);
        self.systemjs.node(node, addresses, script);
        self.vite.node(node, script);
        self.webpack.node(node);
    }

    /// Lets them say what they can only say of the whole script.
    pub fn finish(self, script: &mut Script) {
        self.parcel.finish(script);
        self.hashed.finish(script);
        self.vite.finish(script);
        self.webpack.finish(script);
    }
}

/// What scripts load, as others of their bundles say: each with the place of the script in the list. `is_all` says that no
/// more scripts will come, unless by what is told now.
pub fn loads_of_bundles(scripts: &[Bundled], is_all: bool) -> Vec<(usize, ScriptLoad)> {
    let mut loads = vite::loads(scripts);
    loads.extend(next::loads(scripts));
    loads.extend(webpack::loads(scripts, is_all));
    loads
}
