//! Reads a configuration in JavaScript or TypeScript, and never runs it.
//!
//! Values in its default export are known if they are literals. Values that are spread, conditional or computed are
//! not.

use std::collections::BTreeMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    ArrayExpression, BindingPattern, CallExpression, Declaration, Expression, FunctionBody,
    ImportDeclarationSpecifier, ObjectExpression, ObjectPropertyKind, Program, Statement,
    VariableDeclaration, VariableDeclarationKind,
};
use oxc_parser::Parser;
use oxc_span::SourceType;

use super::nesting::{too_deep, with_large_stack};

/// Maximum depth of nested names and objects.
const MAX_DEPTH: usize = 8;

/// The value of one key of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigValue {
    /// A string.
    Text(String),
    /// A boolean.
    Flag(bool),
    /// The result of calling a function of this module.
    ModuleCall(String),
    /// Anything else: the value is only known at run time.
    Computed,
}

/// Values by keys such as `build.outDir`.
type Values = BTreeMap<String, ConfigValue>;

/// Returns the values in a configuration's default export (or `config`, or `module.exports`), by keys such as
/// `build.outDir`. The file extension determines whether it is TypeScript. Empty if it cannot be parsed.
pub fn read_config(text: &str, extension: &str) -> BTreeMap<String, ConfigValue> {
    if too_deep(text).is_some() {
        return Values::new();
    }
    let kind = SourceType::from_extension(extension).unwrap_or_default();
    let read = || {
        let memory = Allocator::default();
        let parsed = Parser::new(&memory, text, kind).parse();
        if parsed.panicked { Values::new() } else { ConfigScript { program: &parsed.program }.settings() }
    };
    // The parser recurses as deeply as the script is nested.
    with_large_stack(read).unwrap_or_default()
}

struct ConfigScript<'p, 'a> {
    program: &'p Program<'a>,
}

impl<'p, 'a> ConfigScript<'p, 'a> {
    fn settings(&self) -> Values {
        let mut settings = Values::new();
        let named = if self.exports("config") { self.constant("config") } else { None };
        for exported in [named, self.exported()].into_iter().flatten() {
            if let Some(object) = self.object(exported, 0) {
                self.add(object, "", 0, &mut settings);
            }
        }
        settings
    }

    /// Returns the default export, or `module.exports`; for a function, the value that it returns.
    fn exported(&self) -> Option<&'p Expression<'a>> {
        self.program.body.iter().find_map(|statement| match statement {
            Statement::ExportDefaultDeclaration(exported) => {
                if let oxc_ast::ast::ExportDefaultDeclarationKind::FunctionDeclaration(function) =
                    &exported.declaration
                {
                    return returned(function.body.as_deref()?);
                }
                exported.declaration.as_expression()
            }
            Statement::ExpressionStatement(statement) => match &statement.expression {
                Expression::AssignmentExpression(assigned)
                    if assigned.left.as_member_expression().is_some_and(|left| {
                        left.static_property_name() == Some("exports")
                            && left.object().is_specific_id("module")
                    }) =>
                {
                    Some(&assigned.right)
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether a constant is exported by name.
    fn exports(&self, name: &str) -> bool {
        self.program.body.iter().any(|statement| match statement {
            Statement::ExportNamedDeclaration(exported) => match &exported.declaration {
                Some(Declaration::VariableDeclaration(declared)) => initial(declared, name).is_some(),
                _ => false,
            },
            _ => false,
        })
    }

    /// Returns the value of a constant of the script.
    fn constant(&self, name: &str) -> Option<&'p Expression<'a>> {
        self.program.body.iter().find_map(|statement| match statement {
            Statement::VariableDeclaration(declared) => initial(declared, name),
            Statement::ExportNamedDeclaration(exported) => match &exported.declaration {
                Some(Declaration::VariableDeclaration(declared)) => initial(declared, name),
                _ => None,
            },
            _ => None,
        })
    }

    /// Returns the module that a name is imported from.
    fn import(&self, name: &str) -> Option<&'p str> {
        self.program.body.iter().find_map(|statement| match statement {
            Statement::ImportDeclaration(import) => {
                let mut names = import.specifiers.iter().flatten();
                let is_named = |specifier: &ImportDeclarationSpecifier<'a>| specifier.local().name == name;
                names.any(is_named).then(|| import.source.value.as_str())
            }
            _ => None,
        })
    }

    /// Resolves an expression to an object: a literal, a constant, `defineConfig(…)`, or the result of a function.
    fn object(&self, expression: &'p Expression<'a>, depth: usize) -> Option<&'p ObjectExpression<'a>> {
        if depth > MAX_DEPTH {
            return None;
        }
        match expression.get_inner_expression() {
            Expression::ObjectExpression(object) => Some(object),
            Expression::Identifier(name) => self.object(self.constant(&name.name)?, depth + 1),
            Expression::CallExpression(call) => {
                let name = call.callee_name()?;
                if !name.starts_with("define") && !name.starts_with("with") {
                    return None;
                }
                self.object(call.arguments.first()?.as_expression()?, depth + 1)
            }
            Expression::ArrowFunctionExpression(function) => {
                let value = function.get_expression().or_else(|| returned(&function.body))?;
                self.object(value, depth + 1)
            }
            Expression::FunctionExpression(function) => {
                self.object(returned(function.body.as_deref()?)?, depth + 1)
            }
            _ => None,
        }
    }

    /// Adds the values in an object below a key.
    fn add(&self, object: &'p ObjectExpression<'a>, prefix: &str, depth: usize, settings: &mut Values) {
        for property in &object.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else {
                // A spread may contain the same keys.
                let below = settings.iter_mut().filter(|(key, _)| key.starts_with(prefix));
                below.for_each(|(_, setting)| *setting = ConfigValue::Computed);
                continue;
            };
            if property.computed {
                continue;
            }
            let Some(name) = property.key.static_name() else { continue };
            let key = format!("{prefix}{name}");
            let setting = self.setting(&property.value, 0);
            let inner = match property.value.get_inner_expression() {
                Expression::CallExpression(call) => argument(call),
                Expression::ObjectExpression(inner) => Some(&**inner),
                _ => None,
            };
            match inner {
                Some(inner) if depth < MAX_DEPTH => self.add(inner, &format!("{key}."), depth + 1, settings),
                _ => {}
            }
            if let Expression::ArrayExpression(plugins) = property.value.get_inner_expression() {
                self.add_plugins(plugins, &key, depth, settings);
            }
            if !matches!(property.value.get_inner_expression(), Expression::ObjectExpression(_)) {
                settings.insert(key, setting);
            }
        }
    }

    /// Adds the options of plugins in a list, below the key and the plugin's module.
    fn add_plugins(&self, plugins: &'p ArrayExpression<'a>, key: &str, depth: usize, settings: &mut Values) {
        for plugin in &plugins.elements {
            let Some(Expression::CallExpression(call)) = plugin.as_expression() else { continue };
            let Some(module) = call.callee_name().and_then(|name| self.import(name)) else { continue };
            if let Some(object) = argument(call)
                && depth < MAX_DEPTH
            {
                self.add(object, &format!("{key}.{module}."), depth + 1, settings);
            }
        }
    }

    /// Evaluates a value, if it is a literal.
    fn setting(&self, value: &'p Expression<'a>, depth: usize) -> ConfigValue {
        match value.get_inner_expression() {
            Expression::StringLiteral(text) => ConfigValue::Text(text.value.to_string()),
            Expression::BooleanLiteral(flag) => ConfigValue::Flag(flag.value),
            Expression::TemplateLiteral(text) => {
                text.single_quasi().map_or(ConfigValue::Computed, |text| ConfigValue::Text(text.to_string()))
            }
            Expression::Identifier(name) if depth < MAX_DEPTH => self
                .constant(&name.name)
                .map_or(ConfigValue::Computed, |constant| self.setting(constant, depth + 1)),
            Expression::CallExpression(call) => {
                let module = call.callee_name().and_then(|name| self.import(name));
                module.map_or(ConfigValue::Computed, |module| ConfigValue::ModuleCall(module.to_owned()))
            }
            _ => ConfigValue::Computed,
        }
    }
}

/// Returns the object that a function is called with.
fn argument<'p, 'a>(call: &'p CallExpression<'a>) -> Option<&'p ObjectExpression<'a>> {
    match call.arguments.first()?.as_expression()?.get_inner_expression() {
        Expression::ObjectExpression(object) => Some(object),
        _ => None,
    }
}

/// Returns the initial value of a constant.
fn initial<'p, 'a>(declaration: &'p VariableDeclaration<'a>, name: &str) -> Option<&'p Expression<'a>> {
    if declaration.kind != VariableDeclarationKind::Const {
        return None;
    }
    let is_named = |pattern: &BindingPattern<'_>| matches!(pattern, BindingPattern::BindingIdentifier(id) if id.name == name);
    declaration.declarations.iter().find(|declared| is_named(&declared.id))?.init.as_ref()
}

/// Returns the result of a function without branches.
fn returned<'p, 'a>(body: &'p FunctionBody<'a>) -> Option<&'p Expression<'a>> {
    let is_branch = |statement: &&Statement<'a>| {
        !matches!(
            statement,
            Statement::ExpressionStatement(_)
                | Statement::VariableDeclaration(_)
                | Statement::FunctionDeclaration(_)
        )
    };
    match body.statements.iter().find(is_branch)? {
        Statement::ReturnStatement(returned) => returned.argument.as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ConfigValue, read_config};

    fn value_of(text: &str, key: &str) -> Option<ConfigValue> {
        read_config(text, "ts").get(key).cloned()
    }

    #[allow(clippy::unnecessary_wraps)] // compared with the result of `value_of`
    fn text(text: &str) -> Option<ConfigValue> {
        Some(ConfigValue::Text(text.to_owned()))
    }

    #[test]
    fn finds_literals_in_all_kinds_of_configurations() {
        for script in [
            "export default { base: '/docs/' }",
            "export default defineConfig({ base: '/docs/' } satisfies UserConfig)",
            "export default defineConfig(({ mode }) => ({ base: '/docs/' }))",
            "export default defineConfig(() => { const x = 1; return { base: `/docs/` } })",
            "import type { Config } from 'x'; const base = '/docs/'; const config: Config = { base }; export default config",
            "module.exports = { base: \"/docs/\" }",
            "module.exports = function (api) { api.use(x); return { base: '/docs/' } }",
            "export default function (api) { return { base: '/docs/' } }",
            "export const config = { base: '/docs/' }; export default function (api) {}",
            "export default withMermaid(defineConfig({ base: '/docs/' }))",
            "export default { ...common, base: '/docs/' }",
        ] {
            assert_eq!(value_of(script, "base"), text("/docs/"), "{script}");
        }
        let nested = "import a from '@x/a'; export default { kit: { adapter: a({ pages: 'out' }), paths: { base: '/b' } } }";
        assert_eq!(value_of(nested, "kit.paths.base"), text("/b"));
        assert_eq!(value_of(nested, "kit.adapter.pages"), text("out"));
        assert_eq!(value_of(nested, "kit.adapter"), Some(ConfigValue::ModuleCall("@x/a".to_owned())));
        let plugin = "import { kit } from '@x/kit/vite'; export default defineConfig({ plugins: [other(), kit({ paths: { base: '/b' } })] })";
        assert_eq!(value_of(plugin, "plugins.@x/kit/vite.paths.base"), text("/b"));
    }

    #[test]
    fn does_not_guess_computed_values() {
        for script in [
            "export default { base: process.env.BASE ?? '/docs/' }",
            "export default { base: '/docs/', ...common }",
            "export default { base: `/${name}/` }",
            "let base = '/docs/'; base = '/x/'; export default { base }",
        ] {
            assert_eq!(value_of(script, "base"), Some(ConfigValue::Computed), "{script}");
        }
        for script in [
            "export default ({ mode }) => { if (mode) return { base: '/a/' }; return { base: '/docs/' } }",
            "export default merge({ base: '/docs/' }, other)",
            "export default { [base]: '/docs/' }",
            "export default {{{",
            "",
        ] {
            assert_eq!(value_of(script, "base"), None, "{script}");
        }
    }

    #[test]
    fn accepts_any_depth() {
        for open in ["[", "!", "(", "{a:", "`${", "a?", "-", "<a>", "a as A<", "a!"] {
            let _ = value_of(&format!("export default {}", open.repeat(20_000)), "base");
        }
        for open in ["A<", "[", "(", "keyof ", "()=>", "A extends B?", "A extends B?C:", "A.", "-", "new()=>"]
        {
            let _ = value_of(&format!("type X = {}", open.repeat(30_000)), "base");
        }
    }
}
