//! Detects scripts that are only data, such as a search index: `Search.setIndex({…})`, `index = […]`. They load
//! nothing, so they need no syntax tree, although they often are the largest files of a site.

use memchr::memmem;

use super::bundlers::{is_hashed_url, is_viewer};

/// Maximum depth of nested brackets; deeper scripts are left to the parser.
const MAX_DEPTH: usize = 200;

/// Words that are never names, or not in all contexts.
const RESERVED: [&str; 53] = [
    "arguments",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "get",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "of",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "set",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Whether a script only passes JSON to a function or assigns it to a name, and contains nothing that other readers
/// look for. Keys may be unquoted, and texts in single quotes. Returns false if it is uncertain; then the script is
/// parsed.
pub(super) fn is_plain_data(text: &str) -> bool {
    let is_next_path = |at: usize| text[at + 6..].trim_start_matches('\\').starts_with('/');
    Scanner { text, bytes: text.as_bytes(), at: 0 }.script().is_some()
        && !memmem::find_iter(text.as_bytes(), "static").any(is_next_path)
}

/// Scans a script; `None` means unexpected syntax.
struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Scanner<'t> {
    fn script(&mut self) -> Option<()> {
        self.spaces();
        let first = self.name()?;
        let is_declared = matches!(first, "var" | "let" | "const");
        let name = if is_declared {
            self.spaces();
            self.name()?
        } else {
            first
        };
        if RESERVED.binary_search(&name).is_ok()
            || matches!(name, "importScripts" | "__vite__mapDeps" | "require" | "requirejs")
            || is_viewer(name)
        {
            return None;
        }
        while !is_declared && self.consume(b'.') {
            let member = self.name()?;
            if matches!(member, "require" | "requirejs" | "amd") || is_viewer(member) {
                return None;
            }
        }
        self.spaces();
        if !is_declared && self.consume(b'(') {
            self.spaces();
            (self.peek()? == b'{').then_some(())?;
            self.value(0)?;
            self.spaces();
            self.consume(b')').then_some(())?;
        } else {
            self.consume(b'=').then_some(())?;
            self.spaces();
            matches!(self.peek()?, b'{' | b'[').then_some(())?;
            self.value(0)?;
        }
        self.spaces();
        self.consume(b';');
        self.spaces();
        (self.at == self.bytes.len()).then_some(())
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        match self.peek()? {
            b'{' if depth < MAX_DEPTH => self.list(b'}', |data| data.property(depth + 1)),
            b'[' if depth < MAX_DEPTH => self.list(b']', |data| data.value(depth + 1)),
            b'"' | b'\'' => {
                let text = self.quoted()?;
                let is_path = text.starts_with(['.', '/']);
                let may_be_url =
                    text.starts_with("\\/") || is_path && (text.contains('\\') || is_hashed_url(text));
                (!may_be_url).then_some(())
            }
            b'-' | b'0'..=b'9' => self.number(),
            _ => matches!(self.name()?, "true" | "false" | "null").then_some(()),
        }
    }

    /// Scans a list between brackets, separated by commas.
    fn list(&mut self, end: u8, mut entry: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.spaces();
        if self.consume(end) {
            return Some(());
        }
        loop {
            entry(self)?;
            self.spaces();
            if self.consume(end) {
                return Some(());
            }
            self.consume(b',').then_some(())?;
            self.spaces();
        }
    }

    fn property(&mut self, depth: usize) -> Option<()> {
        let key = match self.peek()? {
            b'"' | b'\'' => self.quoted()?,
            _ => self.name()?,
        };
        self.spaces();
        self.consume(b':').then_some(())?;
        self.spaces();
        let start = self.at;
        self.value(depth)?;
        match key {
            // A repeated `__proto__` is an error; `buildAssetsDir` is the folder of Nuxt's files.
            "__proto__" | "buildAssetsDir" => None,
            // Lists in an Angular list contain URLs.
            "consts" => (!self.text[start + 1..self.at].contains('[')).then_some(()),
            _ => Some(()),
        }
    }

    /// Scans a quoted text, and returns it as written. Rejects escapes of characters in words and paths, except `\\/`.
    fn quoted(&mut self) -> Option<&'t str> {
        let bytes = self.bytes;
        let quote = bytes[self.at];
        let start = self.at + 1;
        let mut at = start;
        loop {
            match *bytes.get(at)? {
                byte if byte == quote => break,
                b'\\' => match bytes.get(at + 1)? {
                    b'"' | b'\'' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                    b'u' => {
                        let digits = self.text.get(at + 2..at + 6)?;
                        if digits.contains('+') {
                            return None;
                        }
                        let code = u32::from_str_radix(digits, 16).ok()?;
                        let odd = u8::try_from(code).is_ok_and(|byte| {
                            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-')
                        });
                        (!odd).then_some(())?;
                        at += 6;
                    }
                    _ => return None,
                },
                0..b' ' => return None,
                _ => at += 1,
            }
        }
        self.at = at + 1;
        Some(&self.text[start..at])
    }

    /// Scans a JSON number.
    fn number(&mut self) -> Option<()> {
        self.consume(b'-');
        let is_zero = self.peek() == Some(b'0');
        if self.digits()? > 1 && is_zero {
            return None;
        }
        if self.consume(b'.') {
            self.digits()?;
        }
        if self.consume(b'e') || self.consume(b'E') {
            let _ = self.consume(b'+') || self.consume(b'-');
            self.digits()?;
        }
        Some(())
    }

    /// Returns the number of digits.
    fn digits(&mut self) -> Option<usize> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(self.at - start)
    }

    /// Scans an ASCII name.
    fn name(&mut self) -> Option<&'t str> {
        let start = self.at;
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        while self.peek().is_some_and(is_inside) {
            self.at += 1;
        }
        let is_name = !self.bytes.get(start)?.is_ascii_digit() && self.at > start;
        is_name.then(|| &self.text[start..self.at])
    }

    fn spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Consumes a byte if it is next.
    fn consume(&mut self, byte: u8) -> bool {
        let is_here = self.peek() == Some(byte);
        self.at += usize::from(is_here);
        is_here
    }
}

#[cfg(test)]
mod tests {
    use super::{RESERVED, is_plain_data};
    use crate::read::read_tree;
    use crate::{Memory, Script};

    #[test]
    fn search_indexes_are_plain_data() {
        for script in [
            r#"Search.setIndex({"docnames": ["a", "b/c"], "terms": {"x": [1, 2.5e-3, -0], "é\n\u00e9": null}})"#,
            r#"Search.setIndex({docnames:["index"],titles:["Say \"static\""],objects:{"":[[0,0,1,"","a"]]}})"#,
            "var searchData=\n[\n  ['abs_0',['abs',['../a.html#a1',1,'A::abs']]],\n  ['it\\'s',[]]\n];\n",
            r#"memberSearchIndex = [{"p":"a.b","c":"C","l":"run()"},{}];"#,
            "window.data = {};",
        ] {
            assert!(is_plain_data(script), "{script}");
        }
    }

    /// Parts to assemble scripts from: of data, and of syntax that other readers look for.
    const HEADS: [&str; 28] = [
        "Search.setIndex(",
        "x = ",
        "var x = ",
        "let x=",
        "const __vite__mapDeps = ",
        "window.pagePath = ",
        "img.src = ",
        "importScripts(",
        "fetch(",
        "navigator.serviceWorker.register(",
        "import(",
        "if (",
        "System.register(",
        "cache.addAll(",
        "self.precacheAndRoute(",
        "JSON.parse(",
        "r.f.j = ",
        "r.p = ",
        "import.meta.resolve(",
        "new Worker(",
        "let let = ",
        "var a.b = ",
        "(self.push = ",
        "x.map(",
        "r.e(",
        "async (",
        "this.x = ",
        "x += ",
    ];
    const KEYS: [&str; 12] = [
        "\"a\"",
        "'b'",
        "c",
        "consts",
        "\"consts\"",
        "__proto__",
        "'__proto__'",
        "app",
        "\"c\\u006fnsts\"",
        "url",
        "revision",
        "if",
    ];
    const TEXTS: [&str; 26] = [
        "\"a\"",
        "''",
        "\"/assets/logo-B3x_9kQz.png\"",
        "'./add-KS3RA5K5.wasm'",
        "\"/assets/page.js\"",
        "\"static/chunks/a.js\"",
        "'/_next/static\\/css/a.css'",
        "\"\\/assets\\/logo-B3x_9kQz.png\"",
        "\"\\u002fassets/logo-B3x_9kQz.png\"",
        "\"stat\\u0069c/chunks/a.js\"",
        "\"src\"",
        "\"a.png\"",
        "\"parcelRequire1\"",
        "\"modulepreload\"",
        "\"\\x2fassets/page.js\"",
        "\"\t\"",
        "\"a\nb\"",
        "\"\\u12\"",
        "\"\\ud83d\"",
        "\"\u{2028}\"",
        "'\\''",
        "\"unfinished",
        "\"\\u{41}\"",
        "'./' ",
        "\"\\u+041\"",
        "\"/assets/a\\\"b-B3x_9kQz.png\"",
    ];
    const OTHERS: [&str; 22] = [
        "1",
        "-2.5e+3",
        "01",
        "-",
        "1.",
        ".5",
        "0x10",
        "10n",
        "1_0",
        "true",
        "null",
        "undefined",
        "a",
        "a()",
        "()=>1",
        "`a`",
        "/a/",
        "new URL(\"a.js\", import.meta.url)",
        "[\"src\", \"a.png\"]",
        "1e",
        "- 1",
        "--1",
    ];
    const ENDS: [&str; 8] =
        ["", ";", ")", ");", ")\n", "]", "//# sourceMappingURL=a.map", "; import('a.js')"];

    /// A deterministic pseudorandom generator.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % most
        }

        /// Returns an item of a list, mostly one of the first.
        fn of<'t>(&mut self, list: &[&'t str]) -> &'t str {
            let any = self.below(list.len());
            if self.below(3) == 0 { list[any] } else { list[self.below(2)] }
        }

        fn value(&mut self, depth: usize) -> String {
            let count = self.below(4);
            let space = if self.below(4) == 0 { " \n" } else { "" };
            match self.below(if depth < 4 { 5 } else { 2 }) {
                0 => self.of(&TEXTS).to_owned(),
                1 => self.of(&OTHERS).to_owned(),
                2 => {
                    let list: Vec<String> = (0..count).map(|_| self.value(depth + 1)).collect();
                    format!("[{space}{}]", list.join(","))
                }
                _ => {
                    let property = |_| format!("{}{space}:{}", self.of(&KEYS), self.value(depth + 1));
                    let list: Vec<String> = (0..count).map(property).collect();
                    format!("{{{}{space}}}", list.join(", "))
                }
            }
        }
    }

    #[test]
    fn the_parser_finds_nothing_in_plain_data() {
        let mut dice = Dice(13);
        let mut plain = 0;
        for _ in 0..40_000 {
            let head = dice.of(&HEADS);
            let end = match dice.below(4) {
                0 => dice.of(&ENDS),
                _ if head.ends_with('(') => ")",
                _ => ";",
            };
            let script = format!("{head}{}{end}", dice.value(0));
            if is_plain_data(&script) {
                plain += 1;
                assert_eq!(read_tree(&script, &mut Memory::default()), Script::default(), "{script}");
            }
        }
        assert!(plain > 4_000, "{plain}");
        for word in RESERVED {
            assert!(
                !is_plain_data(&format!("{word} = {{}}")) && !is_plain_data(&format!("var {word} = {{}}")),
                "{word}"
            );
        }
        assert!(RESERVED.is_sorted());
        for head in ["var require = ", "window.requirejs = ", "requirejs.config(", "require("] {
            let end = if head.ends_with('(') { ")" } else { "" };
            assert!(!is_plain_data(&format!("{head}{{}}{end}")), "{head}");
        }
    }

    #[test]
    fn deeply_nested_data_is_left_to_the_parser() {
        let nested = |depth: usize| format!("x = {}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(
            is_plain_data(&nested(200)) && !is_plain_data(&nested(201)) && !is_plain_data(&nested(1_000_000))
        );
    }
}
