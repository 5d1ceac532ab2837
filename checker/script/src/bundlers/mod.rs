//! Recognizes the loads that bundlers write instead of imports. Each file recognizes one format, and lists the
//! versions that it was verified with.
//!
//! A recognizer reads the syntax tree of one script, node by node, and adds a load or a
//! [`BundleFact`](super::facts::BundleFact). [`loads_of_bundles`] combines the facts of several scripts of a bundle.

mod amd;
mod elements;
mod farm;
mod frameworks;
mod hashed;
pub(crate) mod next;
mod parcel;
mod precache;
mod search;
mod stencil;
mod systemjs;
mod viewers;
mod vite;
pub(crate) mod webpack;

use oxc_ast::AstKind;

use super::address::AddressReader;
use super::facts::{BundledScript, Script};
use super::load::ScriptLoad;

pub(crate) use hashed::is_hashed_url;
pub(crate) use stencil::is_runtime_import;
pub(crate) use viewers::is_viewer;

/// The recognizers with a state, for one script.
#[derive(Default)]
pub(crate) struct Recognizers<'a> {
    amd: amd::Amd<'a>,
    created_elements: elements::CreatedElements<'a>,
    farm: farm::Farm,
    hashed: hashed::HashedNames,
    parcel: parcel::Parcel,
    precache: precache::Precache<'a>,
    search_tables: search::SearchTables,
    systemjs: systemjs::SystemJs,
    vite: vite::Vite,
    webpack: webpack::Webpack<'a>,
}

impl<'a> Recognizers<'a> {
    /// Reads one node; outer nodes come first.
    pub fn read_node(&mut self, node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
        match node {
            // Most nodes are names and containers of expressions, which only these recognizers read.
            AstKind::IdentifierReference(_) => return self.parcel.read_node(node, addresses),
            AstKind::StaticMemberExpression(_) => {
                self.parcel.read_node(node, addresses);
                return self.webpack.read_node(node);
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
        self.amd.read_node(node);
        self.created_elements.read_node(node, script);
        elements::read_node(node, script);
        self.farm.read_node(node);
        frameworks::read_node(node, addresses, script);
        self.hashed.read_node(node);
        next::read_node(node, addresses, script);
        self.parcel.read_node(node, addresses);
        self.precache.read_node(node, script);
        search::read_node(node, addresses, script);
        self.search_tables.read_node(node);
        stencil::read_node(node, addresses, script);
        self.systemjs.read_node(node, addresses, script);
        viewers::read_node(node, addresses, script);
        self.vite.read_node(node, script);
        self.webpack.read_node(node);
    }

    /// Adds the loads that depend on the whole script.
    pub fn add_loads(self, script: &mut Script) {
        self.amd.add_facts(script);
        self.farm.add_loads(script);
        self.parcel.add_loads(script);
        self.hashed.add_loads(script);
        self.precache.add_loads(script);
        self.search_tables.add_loads(script);
        self.vite.add_fact(script);
        self.webpack.add_facts(script);
    }
}

/// Returns the loads that other scripts of a bundle state, each with the index of its script. `is_all` means that
/// there will be no more scripts, except by these loads.
pub fn loads_of_bundles(scripts: &[BundledScript], is_all: bool) -> Vec<(usize, ScriptLoad)> {
    let mut loads = vite::loads(scripts);
    loads.extend(next::loads(scripts));
    loads.extend(search::loads(scripts, is_all));
    loads.extend(stencil::loads(scripts));
    loads.extend(webpack::loads(scripts, is_all));
    loads
}
