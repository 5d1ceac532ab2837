//! Rejects scripts that are nested too deeply for the recursive parser.
//!
//! The depth at a token is the sum of all open brackets, of nested statements without braces (`if (a) if (b) …`), and
//! of operators since the last comma. Texts and comments do not count. If a slash may be a division or a regular
//! expression, the script is rejected if that makes a difference. So no script can overflow the parser's stack.

use std::thread;

/// The stack that a thread needs to parse a script, in bytes. The memory is only reserved.
pub const STACK_SIZE: usize = 64 << 20;

/// Reads a script on a stack of that size; `None` if that fails.
pub(super) fn with_large_stack<T: Send>(read: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let reader = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, read);
        reader.ok()?.join().ok()
    })
}

/// Maximum depth of a script. The parser needs less than 1 KB of stack for each unit, even without optimization.
const MAX_DEPTH: u32 = 40_000;

/// Depth of a bracket, and of a statement in a statement.
const BRACKET_DEPTH: u32 = 10;

/// Depth of a word before an operand.
const WORD_DEPTH: u32 = 3;

/// Returns the offset at which a script is nested too deeply.
pub(super) fn too_deep(text: &str) -> Option<u32> {
    if text.len() <= (MAX_DEPTH / BRACKET_DEPTH) as usize {
        return None;
    }
    let at = if text.starts_with("#!") { line_length(text) } else { 0 };
    let mut nesting = Nesting { text, at, ..Nesting::default() };
    while let Some(next) = text[nesting.at..].chars().next() {
        nesting.token(next)?;
        let Level { outside, statement, operators, .. } = nesting.level;
        if nesting.is_ambiguous || outside + statement + operators > MAX_DEPTH {
            return Some(nesting.at as u32);
        }
    }
    None
}

/// The inside of an open bracket, or the whole script.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Depth around it.
    outside: u32,
    /// Depth of the incomplete statements.
    statement: u32,
    /// Depth since the last comma.
    operators: u32,
    is_template: bool,
    is_condition: bool,
}

/// The last token.
#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    /// A statement may follow.
    #[default]
    Start,
    /// A word at the start of a statement: a label if a colon follows.
    StartWord,
    /// An operand follows: a slash begins a regular expression.
    Operator,
    Operand,
    /// An operand or an operator may follow.
    Unsure,
    Dot,
    /// `if`, `while`, `for`, `with`.
    Condition,
    Semicolon,
    Brace,
}

#[derive(Default)]
struct Nesting<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Level>,
    level: Level,
    last: Last,
    is_new_line: bool,
    is_ambiguous: bool,
}

impl Nesting<'_> {
    /// Scans a token; `None` if it has no end, where the parser stops, too.
    fn token(&mut self, next: char) -> Option<()> {
        let rest = &self.text[self.at..];
        if is_space(next) {
            self.is_new_line |= is_line_end(next);
            let spaces = rest.bytes().take_while(|byte| *byte == b' ').count();
            self.at += spaces.max(next.len_utf8());
        } else if next == '/' && rest.starts_with("//") {
            self.at += line_length(rest);
        } else if next == '/'
            && let Some(comment) = rest.strip_prefix("/*")
        {
            let length = comment.find("*/")? + 4;
            self.is_new_line |= rest[..length].contains(is_line_end);
            self.at += length;
        } else {
            let word = &rest[..word_length(rest)];
            self.end_statement(word);
            match next {
                _ if !word.is_empty() => self.word(word),
                '"' | '\'' => self.operand(string_length(rest, next as u8)?),
                '/' if !matches!(self.last, Last::Operand | Last::StartWord | Last::Dot) => self.slash()?,
                // No statement or operand begins with `<!`, so it is a comment, or the parser stops.
                '<' if rest.starts_with("<!--") && self.last == Last::Start => self.at += line_length(rest),
                '<' if rest.starts_with("<!--") => self.either(4, line_length(rest)),
                '-' if self.is_new_line && rest.starts_with("-->") => self.either(3, line_length(rest)),
                _ => self.punctuation(next)?,
            }
            self.is_new_line = false;
        }
        Some(())
    }

    /// Ends the current statement if the last token may end it and this one does not continue it.
    fn end_statement(&mut self, word: &str) {
        let is_continued = match self.last {
            Last::Semicolon => false,
            Last::Brace => word.is_empty(),
            Last::Operand | Last::StartWord => word.is_empty() || !self.is_new_line,
            _ => return,
        };
        #[rustfmt::skip]
        let continues = matches!(word, "as" | "catch" | "else" | "extends" | "finally" | "from" | "in" | "instanceof" | "of" | "satisfies" | "while");
        if !is_continued && !continues {
            (self.level.statement, self.level.operators, self.last) = (0, 0, Last::Start);
        }
    }

    fn word(&mut self, word: &str) {
        self.at += word.len();
        let (statement, operators, last) = match word {
            _ if self.last == Last::Dot => (0, 0, Last::Operand),
            // Most words of minified scripts, and none of the following.
            _ if word.len() == 1 && self.last != Last::Start => (0, 0, Last::Operand),
            "await" if self.last == Last::Condition => (0, 0, Last::Condition),
            "if" | "while" | "for" | "with" => (BRACKET_DEPTH, 0, Last::Condition),
            "do" | "else" => (BRACKET_DEPTH, 0, Last::Start),
            "break" | "case" | "continue" | "debugger" | "default" | "delete" | "extends" | "in"
            | "instanceof" | "new" | "return" | "throw" | "typeof" | "void" => {
                (0, WORD_DEPTH, Last::Operator)
            }
            "abstract" | "asserts" | "await" | "infer" | "keyof" | "of" | "readonly" | "unique" | "yield" => {
                (0, WORD_DEPTH, Last::Unsure)
            }
            _ if self.last == Last::Start => (0, 0, Last::StartWord),
            _ => (0, 0, Last::Operand),
        };
        self.level.statement += statement;
        self.level.operators += operators;
        self.last = last;
    }

    fn operand(&mut self, length: usize) {
        self.at += length;
        self.last = Last::Operand;
    }

    /// Scans a regular expression or a division.
    fn slash(&mut self) -> Option<()> {
        let is_unsure = matches!(self.last, Last::Unsure | Last::Brace);
        match expression_length(&self.text[self.at..]) {
            Some(length) if is_unsure => self.either(1, length),
            Some(length) => self.operand(length),
            None if is_unsure => self.punctuation('/')?,
            None => return None,
        }
        Some(())
    }

    /// Scans a part of a line that may be code or not: the rest must be the same in both cases.
    fn either(&mut self, mark: usize, length: usize) {
        let (part, rest) = self.text[self.at..].split_at(length);
        let mut open = 0_i32;
        let is_closed = part.bytes().all(|byte| {
            open += i32::from(b"([{".contains(&byte)) - i32::from(b")]}".contains(&byte));
            open >= 0
        });
        let inside = part[mark..].strip_suffix('/').unwrap_or(&part[mark..]);
        let has_text = inside.contains(['"', '\'', '`', '/', ';']);
        self.is_ambiguous = !is_closed || open > 0 || has_text || rest.trim_start().starts_with('/');
        self.level.operators += BRACKET_DEPTH * length as u32;
        self.operand(length);
    }

    /// Scans a template from a backtick or the end of a placeholder to the next of them.
    fn template(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        loop {
            self.at += 1;
            match bytes.get(self.at)? {
                b'\\' => self.at += 1,
                b'`' => {
                    self.operand(1);
                    return Some(());
                }
                b'$' if bytes.get(self.at + 1) == Some(&b'{') => {
                    self.enter(2, true);
                    return Some(());
                }
                _ => {}
            }
        }
    }

    fn enter(&mut self, length: usize, is_template: bool) {
        self.at += length;
        let Level { outside, statement, operators, .. } = self.level;
        let is_condition = self.last == Last::Condition;
        let outside = outside + statement + operators + BRACKET_DEPTH;
        self.open.push(self.level);
        self.level = Level { outside, is_template, is_condition, ..Level::default() };
        self.last = Last::Start;
    }

    fn punctuation(&mut self, next: char) -> Option<()> {
        let rest = &self.text[self.at..];
        let mut length = next.len_utf8();
        // In TypeScript it may be a bracket.
        self.level.operators += if next == '<' { BRACKET_DEPTH } else { 1 };
        self.last = match next {
            '`' => return self.template(),
            '(' | '[' | '{' => {
                self.enter(1, false);
                return Some(());
            }
            ')' | ']' | '}' => {
                let inside = std::mem::replace(&mut self.level, self.open.pop().unwrap_or_default());
                // A call of a call is nested, too.
                self.level.operators += WORD_DEPTH;
                match next {
                    '}' if inside.is_template => return self.template(),
                    '}' => Last::Brace,
                    _ if inside.is_condition => Last::Start,
                    _ => Last::Operand,
                }
            }
            ';' | ',' => {
                self.level.operators = 0;
                if next == ';' { Last::Semicolon } else { Last::Operator }
            }
            ':' if self.last == Last::StartWord => {
                self.level.statement += BRACKET_DEPTH;
                Last::Start
            }
            '+' | '-' if rest[1..].starts_with(next) => {
                length = 2;
                let is_sure = !self.is_new_line && self.last != Last::Brace;
                if is_sure { self.last } else { Last::Unsure }
            }
            '.' if rest.starts_with("...") => {
                length = 3;
                Last::Operator
            }
            '.' => Last::Dot,
            _ => Last::Operator,
        };
        self.at += length;
        Some(())
    }
}

fn word_length(text: &str) -> usize {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'\\');
    let mut length = 0;
    loop {
        length += text[length..].bytes().position(|byte| !is_inside(byte)).unwrap_or(text.len() - length);
        match text[length..].chars().next() {
            Some(c) if !c.is_ascii() && !is_space(c) => length += c.len_utf8(),
            _ => return length,
        }
    }
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn line_length(text: &str) -> usize {
    let mut ends = memchr::memchr3_iter(b'\n', b'\r', 0xe2, text.as_bytes());
    ends.find(|at| text[*at..].starts_with(is_line_end)).unwrap_or(text.len())
}

/// Returns the length of a string; `None` if it does not end on its line.
fn string_length(text: &str, quote: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        at += memchr::memchr3(quote, b'\\', b'\n', bytes.get(at..)?)?;
        match bytes[at] {
            b'\\' => at += if bytes[at..].starts_with(b"\\\r\n") { 3 } else { 2 },
            byte => return (byte == quote).then_some(at + 1),
        }
    }
}

/// Returns the length of a regular expression without its flags; `None` if it does not end on its line.
fn expression_length(text: &str) -> Option<usize> {
    let (mut is_in_class, mut is_escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'\n' | b'\r' => return None,
            _ if is_escaped => {}
            b'[' => is_in_class = true,
            b']' => is_in_class = false,
            b'/' if !is_in_class => return Some(at + 1),
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{MAX_DEPTH, STACK_SIZE, too_deep};
    use crate::{Memory, read_script};

    /// The start, the repeated opening part, the middle, the repeated closing part, and the end.
    const NESTED: [[&str; 5]; 52] = [
        ["", "(", "1", ")", ""],
        ["", "(", "", "", ""],
        ["", "[", "1", "]", ""],
        ["", "{", "", "}", ""],
        ["x=", "{a:", "1", "}", ""],
        ["x=", "{[", "1", "]:1}", ""],
        ["", "`${", "1", "}`", ""],
        ["", "!", "a", "", ""],
        ["", "- ", "a", "", ""],
        ["", "typeof ", "a", "", ""],
        ["", "new ", "a", "", ""],
        ["", "new a(", "1", ")", ""],
        ["async()=>", "await ", "a", "", ""],
        ["function*f(){", "yield ", "1", "", "}"],
        ["", "a=>", "1", "", ""],
        ["", "()=>{", "", "}", ""],
        ["", "(a=", "1", ")=>1", ""],
        ["", "a?b:", "1", "", ""],
        ["", "a?", "1", ":b", ""],
        ["", "a?{}:", "1", "", ""],
        ["", "x=", "1", "", ""],
        ["", "a**", "1", "", ""],
        ["", "", "a", ".a", ""],
        ["", "", "a", "?.a", ""],
        ["", "", "a", "[0]", ""],
        ["", "", "a", "()", ""],
        ["", "", "a", "``", ""],
        ["", "", "1", "+1", ""],
        ["", "", "a", "&&a", ""],
        ["", "", "a", " in a", ""],
        ["", "f(", "1", ")", ""],
        ["", "jsx(\"a\",{children:", "1", "})", ""],
        ["", "import(", "1", ")", ""],
        ["", "if(a)", "b", "", ""],
        ["if(a)b();", "else if(a)b();", "", "", ""],
        ["if(a){}", "else if(a){}", "", "", ""],
        ["", "for(;;)", "b", "", ""],
        ["", "do ", "b", "\nwhile(0)", ""],
        ["", "a:", "b", "", ""],
        ["", "function f(){", "", "}", ""],
        ["", "function f(a=", "1", "){}", ""],
        ["", "(function(){", "", "})()", ""],
        ["", "class A extends class B{a=", "1", "}{}", ""],
        ["let ", "{a:", "a", "}", "=1"],
        ["let [", "a=[", "1", "]", "]=1"],
        ["", "try{", "", "}catch{}", ""],
        // Nesting that a comma, a semicolon or a line does not end.
        ["", "if(a)b,function(){", "", "}", ""],
        ["", "do a;while(function(){", "", "})", ""],
        ["", "do a:b:c,(", "1", ");while(0)", ""],
        ["", "do try{}catch{(", "1", ")}while(0)", ""],
        ["", "class\nextends\n", "a", "{}", ""],
        ["", "async()=>async()=>", "a", "", ""],
    ];

    fn nested([begin, open, middle, close, end]: [&str; 5], times: usize) -> String {
        format!("{begin}{}{middle}{}{end}", open.repeat(times), close.repeat(times))
    }

    /// Reads scripts on a thread with the required stack.
    fn read_all(scripts: impl Iterator<Item = String> + Send) {
        std::thread::scope(|scope| {
            let read = || {
                let mut memory = Memory::default();
                scripts.for_each(|script| drop(read_script(&script, &mut memory)));
            };
            std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, read).unwrap();
        });
    }

    /// Returns the most deeply nested script of a shape that is accepted.
    fn deepest(parts: [&str; 5]) -> String {
        let (mut most, mut refused) = (1, 2 * MAX_DEPTH as usize);
        while most + 1 < refused {
            let times = usize::midpoint(most, refused);
            match too_deep(&nested(parts, times)) {
                None => most = times,
                Some(_) => refused = times,
            }
        }
        assert!(most > 500 && refused < 2 * MAX_DEPTH as usize, "{parts:?}: {most}");
        nested(parts, most)
    }

    #[test]
    fn the_deepest_scripts_fit_into_the_stack() {
        read_all(NESTED.into_iter().map(deepest));
    }

    #[test]
    fn ambiguous_lines_hide_no_nesting() {
        let deep = "(".repeat(1_000_000);
        let closed = ")".repeat(1_000_000);
        read_all(
            [
                format!("x={{}}/{deep}1{closed}/2"),
                format!("x={{}}/\"/\"+{deep}1{closed}+\"x\""),
                format!("await/\"/\"+{deep}1{closed}+\"x\""),
                format!("a\n++/\"/\"+{deep}1{closed}+\"x\""),
                format!("x=[...typeof/\"/,{deep}1{closed},\"x\"]"),
                format!("return\u{a0}/\"/,{deep}1{closed}+\"x\""),
                format!("{}{deep}", "(\n<!-- )\n".repeat(100_000)),
                format!("<!-- \"\n{deep}"),
                format!("a\n<!-- \"é\n{deep}"),
                format!("<!--/\"/+{deep}"),
                format!("'\\\r\n/*',{deep}'*/'"),
                format!("a.if(b)/\"/\",{deep}+\"x\""),
                format!("'\n{deep}"),
                format!("/\n{deep}"),
                format!("`{deep}"),
                format!("/*{deep}"),
            ]
            .into_iter(),
        );
    }

    #[test]
    fn brackets_in_texts_do_not_count() {
        let brackets = "([{`".repeat(100_000);
        let odd = "([{".repeat(100_000);
        for script in [
            format!("a='{brackets}'"),
            format!("a=\"{brackets}\\\"{brackets}\""),
            format!("a=`\"'{odd}`"),
            format!("// {brackets}"),
            format!("/* {brackets} */"),
            format!("a=/\"/;b='{brackets}'"),
            format!("if(a)/\"/.test(b)\nc='{brackets}'"),
            format!("a=(b)/2;c='{brackets}/'"),
            format!("return /[/'\"]/,'{brackets}'"),
            format!("a=/\\/'/;b='{brackets}'"),
            format!("a=`${{b}}'`;b='{brackets}'"),
            format!("a=x.return/2;b='{brackets}/'"),
            format!("a++/2;b='{brackets}/'"),
            format!("a=1./2;b='{brackets}/'"),
            format!("<!--//--><![CDATA[//><!--\na='{brackets}';\n//--><!]]>"),
            format!("<!--\na='{brackets}'\n-->\n"),
            format!("a();\n<!-- \"/\"\nb=c\n<!--\nd='{brackets}'\n-->"),
        ] {
            assert_eq!(too_deep(&script), None, "{}", &script[..40.min(script.len())]);
        }
        for script in [
            format!("/\"/;{odd}\""),
            format!("a=b/2;c=\"/\";{odd}"),
            format!("// '\u{2028}{odd}"),
            format!("`${{{odd}"),
            format!("/*\"*/{odd}\""),
            format!("a(')',{odd}"),
        ] {
            assert!(too_deep(&script).is_some(), "{}", &script[..20]);
        }
    }

    #[test]
    fn long_scripts_are_not_deep() {
        for (part, times) in [
            ("a=b.c(d)+e;", 100_000),
            ("a=b?c:d,", 100_000),
            ("if(a){b}else if(c){d}else{e}", 50_000),
            ("if(a)b;else c;", 50_000),
            ("function f(){return a}", 50_000),
            ("var a={b:1,c:[1,2]};", 50_000),
            ("if(a){b}\n", 50_000),
            ("a=>{b};", 50_000),
            ("for(;;){}", 50_000),
            ("switch(a){case 1:b;break;default:c}", 50_000),
            ("try{a}catch{b}finally{c}", 50_000),
            ("class A{b(){c}d(){e}}", 50_000),
        ] {
            assert_eq!(too_deep(&part.repeat(times)), None, "{part}");
        }
    }

    #[test]
    fn unterminated_tokens_are_fast() {
        for part in ["\"", "'\\", "/", "=/[", "/*", "`${", "`", "\\'", "}", "<!--", "=/a'", "${`"] {
            too_deep(&part.repeat(1 << 20));
        }
    }
}
