//! Parses simple selectors: names, ids, classes and attributes of elements and their ancestors. They can be matched
//! while a page is parsed.

use cssparser::{ParseError, Parser, ParserInput, Token};

/// A complex selector (Selectors Level 4, 3.1): an element, preceded by its ancestors, outermost first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ComplexSelector {
    pub compounds: Vec<CompoundSelector>,
}

/// A compound selector: conditions on one element.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CompoundSelector {
    /// The relation to the preceding element.
    pub combinator: Combinator,
    /// The element's name in lower case; `None` matches any.
    pub name: Option<String>,
    pub conditions: Vec<SimpleSelector>,
}

/// The relation of an element to its required ancestor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Combinator {
    /// A descendant: white space.
    #[default]
    Descendant,
    /// A child: `>`.
    Child,
}

/// A condition on an element, or its negation: `:not`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SimpleSelector {
    pub holds: bool,
    pub test: Test,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Test {
    Name(String),
    Id(String),
    Class(String),
    /// The attribute is present, by its name in lower case.
    Attribute(String),
    Value(ValueTest),
}

/// A test of an attribute's value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ValueTest {
    /// The attribute's name in lower case.
    pub name: String,
    pub comparison: Comparison,
    pub value: String,
    /// Whether HTML elements ignore case in this value.
    pub folds_case: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// `=`
    Equals,
    /// `~=`
    HasWord,
    /// `|=`
    IsOrBeginsWithDash,
    /// `^=`
    BeginsWith,
    /// `$=`
    EndsWith,
    /// `*=`
    Contains,
}

/// The attributes whose values HTML compares without case (HTML standard, 4.16.2).
const FOLDED: [&str; 46] = [
    "accept",
    "accept-charset",
    "align",
    "alink",
    "axis",
    "bgcolor",
    "charset",
    "checked",
    "clear",
    "codetype",
    "color",
    "compact",
    "declare",
    "defer",
    "dir",
    "direction",
    "disabled",
    "enctype",
    "face",
    "frame",
    "hreflang",
    "http-equiv",
    "lang",
    "language",
    "link",
    "media",
    "method",
    "multiple",
    "nohref",
    "noresize",
    "noshade",
    "nowrap",
    "readonly",
    "rel",
    "rev",
    "rules",
    "scope",
    "scrolling",
    "selected",
    "shape",
    "target",
    "text",
    "type",
    "valign",
    "valuetype",
    "vlink",
];

/// A part of a selector; an error if the selector is not simple.
type Parsed<'i, T> = Result<T, ParseError<'i, ()>>;

/// The largest accepted [`nesting`]. `lol_html` compiles selectors by recursion, one level for each compound selector.
pub(crate) const MAX_NESTING: usize = 100;

/// Returns how many compound selectors one alternative of a selector combines or nests at most: 3 for
/// `ul > li, main ul a`. Combinators in quotes count too.
pub(crate) fn nesting(selector: &str) -> usize {
    let (mut most, mut combined, mut open, mut follows_combinator) = (1, 1, 0_usize, true);
    for byte in selector.trim().bytes() {
        let is_combinator = matches!(byte, b' ' | b'\t'..=b'\r' | b'>' | b'+' | b'~');
        match byte {
            b'(' => (combined, open) = (combined + 1, open + 1),
            b')' => open = open.saturating_sub(1),
            b',' if open == 0 => combined = 1,
            _ if is_combinator && !follows_combinator => combined += 1,
            _ => {}
        }
        follows_combinator = is_combinator || byte == b',';
        most = most.max(combined);
    }
    most
}

/// Returns the comma-separated alternatives of a valid selector; `None` if one is not simple, such as `:nth-child`.
pub(crate) fn alternatives(selector: &str) -> Option<Vec<ComplexSelector>> {
    Parser::new(&mut ParserInput::new(selector)).parse_comma_separated(complex).ok()
}

fn complex<'i>(input: &mut Parser<'i, '_>) -> Parsed<'i, ComplexSelector> {
    let mut compounds = Vec::new();
    let mut compound = CompoundSelector::default();
    let mut is_begun = false;
    let mut combinator = None;
    while let Ok(token) = input.next_including_whitespace().cloned() {
        match token {
            Token::WhiteSpace(_) => combinator = combinator.or(Some(Combinator::Descendant)),
            Token::Delim('>') => combinator = Some(Combinator::Child),
            token => {
                if let (Some(combinator), true) = (combinator.take(), is_begun) {
                    let next = CompoundSelector { combinator, ..CompoundSelector::default() };
                    compounds.push(std::mem::replace(&mut compound, next));
                }
                is_begun = true;
                simple(&token, input, &mut compound)?;
            }
        }
    }
    compounds.push(compound);
    Ok(ComplexSelector { compounds })
}

/// Parses a simple selector that starts with this token, and adds it.
fn simple<'i>(
    token: &Token<'_>,
    input: &mut Parser<'i, '_>,
    compound: &mut CompoundSelector,
) -> Parsed<'i, ()> {
    match token {
        Token::Ident(name) if is_plain(name) => compound.name = Some(name.to_ascii_lowercase()),
        Token::Delim('*') => {}
        Token::Colon => {
            input.expect_function_matching("not")?;
            let tests = input.parse_nested_block(|input| input.parse_comma_separated(negated))?;
            // lol_html handles each part of `:not(a.b)` separately.
            let tests = tests.into_iter().flatten();
            compound.conditions.extend(tests.map(|test| SimpleSelector { holds: false, test }));
        }
        token => compound.conditions.push(SimpleSelector { holds: true, test: test(token, input)? }),
    }
    Ok(())
}

/// Parses the conditions of one selector in `:not`.
fn negated<'i>(input: &mut Parser<'i, '_>) -> Parsed<'i, Vec<Test>> {
    let mut tests = Vec::new();
    while let Ok(token) = input.next().cloned() {
        tests.push(match &token {
            Token::Ident(name) if is_plain(name) => Test::Name(name.to_ascii_lowercase()),
            token => test(token, input)?,
        });
    }
    Ok(tests)
}

/// Parses a test of an id, a class or an attribute.
fn test<'i>(token: &Token<'_>, input: &mut Parser<'i, '_>) -> Parsed<'i, Test> {
    match token {
        Token::IDHash(id) => Ok(Test::Id(id.to_string())),
        Token::Delim('.') => Ok(Test::Class(input.expect_ident()?.to_string())),
        Token::SquareBracketBlock => input.parse_nested_block(attribute),
        _ => Err(input.new_custom_error(())),
    }
}

fn attribute<'i>(input: &mut Parser<'i, '_>) -> Parsed<'i, Test> {
    let name = input.expect_ident()?.to_ascii_lowercase();
    let comparison = match input.next() {
        Err(_) => return Ok(Test::Attribute(name)),
        Ok(Token::Delim('=')) => Comparison::Equals,
        Ok(Token::IncludeMatch) => Comparison::HasWord,
        Ok(Token::DashMatch) => Comparison::IsOrBeginsWithDash,
        Ok(Token::PrefixMatch) => Comparison::BeginsWith,
        Ok(Token::SuffixMatch) => Comparison::EndsWith,
        Ok(Token::SubstringMatch) => Comparison::Contains,
        Ok(_) => return Err(input.new_custom_error(())),
    };
    let value = input.expect_ident_or_string()?.to_string();
    let folds_case = FOLDED.contains(&name.as_str());
    Ok(Test::Value(ValueTest { name, comparison, value, folds_case }))
}

/// Returns whether a name is that of a standard or custom element.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Combinator, Comparison, SimpleSelector, Test, ValueTest, alternatives, nesting};

    #[test]
    fn parses_simple_selectors() {
        let all = alternatives("NAV > a[HREF]:not(.x, #y) , link[rel=\"a b\"]").unwrap();
        let [first, second] = &all[..] else { panic!("{all:?}") };
        let [nav, link] = &first.compounds[..] else { panic!("{first:?}") };
        assert_eq!((nav.name.as_deref(), link.combinator), (Some("nav"), Combinator::Child));
        let conditions_of_link = [
            SimpleSelector { holds: true, test: Test::Attribute("href".to_owned()) },
            SimpleSelector { holds: false, test: Test::Class("x".to_owned()) },
            SimpleSelector { holds: false, test: Test::Id("y".to_owned()) },
        ];
        assert_eq!(link.conditions, conditions_of_link);
        let value = ValueTest {
            name: "rel".to_owned(),
            comparison: Comparison::Equals,
            value: "a b".to_owned(),
            folds_case: true,
        };
        let condition = SimpleSelector { holds: true, test: Test::Value(value) };
        assert_eq!(second.compounds[0].conditions, [condition]);
    }

    #[test]
    fn rejects_selectors_that_are_not_simple() {
        for selector in [
            "li:nth-child(2)",
            "p:first-child",
            ":not(:not(a))",
            "a[x=y i]",
            "*|a",
            "h\u{fc}",
            ":not(*)",
            "a + b",
        ] {
            assert_eq!(alternatives(selector), None, "{selector}");
        }
    }

    #[test]
    fn counts_combined_and_nested_selectors() {
        let examples =
            [("a", 1), ("ul > li, main ul a", 3), ("a>b ~ c", 3), ("a,\n  b c", 2), (":not(:not(a, b))", 3)];
        for (selector, expected) in examples {
            assert_eq!(nesting(selector), expected, "{selector}");
        }
    }
}
