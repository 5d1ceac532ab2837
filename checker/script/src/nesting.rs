//! Which scripts are nested too deeply to be parsed.

use memchr::memmem;

/// The stack of a thread that parses: the parser goes down into each bracket. Memory is only taken for what is used.
pub const STACK_SIZE: usize = 512 << 20;

/// What a script's nesting may weigh. People and bundlers stay far below. Measured, optimized and not: 0.9 KB of stack for each at
/// most, so that less than half of it is ever used.
const MAX_WEIGHT: u32 = 250_000;

/// What a bracket weighs.
const BRACKET: u32 = 10;

/// What a word weighs that stands before what it is about.
const WORD: u32 = 3;

/// Where a script is nested more deeply than can be read. This is no parser: where it cannot tell what belongs together it
/// takes brackets and operators for nested that are not.
pub(super) fn too_deep(text: &str) -> Option<u32> {
    if text.len() < MAX_WEIGHT as usize / BRACKET as usize {
        return None;
    }
    let bytes = text.as_bytes();
    let mut nesting = Nesting::default();
    let mut at = 0;
    while at < bytes.len() && nesting.depth <= MAX_WEIGHT {
        at += nesting.token(bytes, at);
    }
    (nesting.depth > MAX_WEIGHT).then_some(at as u32)
}

/// An open bracket.
#[derive(Default)]
struct OpenBracket {
    /// The weight of all around its inside.
    floor: u32,
    /// The weight of the statement at hand with all that its `else` goes on with.
    statement: u32,
    is_template: bool,
    /// Whether it is a condition's, so that a statement follows.
    is_condition: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    /// What an operand follows: so `/` begins a regular expression.
    #[default]
    Operator,
    Operand,
    Dot,
    /// `if` and its like.
    Condition,
    Semicolon,
    Brace,
}

#[derive(Default)]
struct Nesting {
    depth: u32,
    open: Vec<OpenBracket>,
    bottom: OpenBracket,
    last: Last,
    /// Up to where quotes and slashes are known to have no end.
    endless: usize,
}

impl Nesting {
    fn inner(&mut self) -> &mut OpenBracket {
        self.open.last_mut().unwrap_or(&mut self.bottom)
    }

    /// Takes in the token at a place; how long it is.
    fn token(&mut self, bytes: &[u8], at: usize) -> usize {
        let rest = &bytes[at..];
        let byte = rest[0];
        match rest {
            [b'/', b'/', ..] => return line(rest),
            [b'/', b'*', ..] if at >= self.endless => match memmem::find(&rest[2..], b"*/") {
                Some(end) => return end + 4,
                None => self.endless = bytes.len(),
            },
            _ if byte.is_ascii_whitespace() => return 1,
            _ => {}
        }
        self.settle(rest);
        match byte {
            b'"' | b'\'' => return self.text(bytes, at, |rest| quoted(rest, byte)),
            b'/' if !matches!(self.last, Last::Operand) => return self.text(bytes, at, regular_expression),
            b'`' => {
                self.depth += 1;
                return self.template(bytes, at);
            }
            b'(' | b'[' | b'{' => self.enter(false),
            b')' | b']' | b'}' => {
                let OpenBracket { floor, is_template, is_condition, .. } =
                    self.open.pop().unwrap_or_default();
                // What follows may go on with what was before the bracket.
                self.depth = floor;
                if is_template {
                    return self.template(bytes, at);
                }
                self.last = match byte {
                    b'}' => Last::Brace,
                    _ if is_condition => Last::Operator,
                    _ => Last::Operand,
                };
                if byte == b'}' {
                    let inner = self.inner();
                    inner.statement = inner.statement.max(floor);
                }
            }
            b';' => {
                let depth = self.depth;
                let inner = self.inner();
                inner.statement = inner.statement.max(depth);
                self.depth = inner.floor;
                self.last = Last::Semicolon;
            }
            b',' => {
                self.depth = self.inner().floor;
                self.last = Last::Operator;
            }
            _ if is_of_word(byte) => return self.word(rest),
            _ => {
                self.depth += 1;
                match rest {
                    // Before an operand or behind one, they change nothing.
                    [b'+', b'+', ..] | [b'-', b'-', ..] => return 2,
                    [b'.', ..] => self.last = Last::Dot,
                    _ => self.last = Last::Operator,
                }
            }
        }
        1
    }

    /// Where a statement may have ended: whether it has.
    fn settle(&mut self, rest: &[u8]) {
        let goes_on = match self.last {
            Last::Semicolon => false,
            Last::Brace => {
                let is_word = |word: &[u8]| word_of(rest) == word;
                b"=?:+-*.&|^%<>,)]}([`".contains(&rest[0]) || is_word(b"in") || is_word(b"instanceof")
            }
            _ => return,
        };
        let inner = self.inner();
        if word_of(rest) == b"else" {
            self.depth = inner.statement;
        } else if !goes_on {
            inner.statement = inner.floor;
            self.depth = inner.floor;
        }
        if self.last == Last::Semicolon {
            self.last = Last::Operator;
        }
    }

    fn enter(&mut self, is_template: bool) {
        self.depth += BRACKET;
        let (floor, is_condition) = (self.depth, self.last == Last::Condition);
        self.open.push(OpenBracket { floor, statement: floor, is_template, is_condition });
        self.last = Last::Operator;
    }

    /// A text, which ends somewhere; where it does not, its first byte is an operator.
    fn text(&mut self, bytes: &[u8], at: usize, end: impl Fn(&[u8]) -> Result<usize, usize>) -> usize {
        self.last = Last::Operand;
        if at >= self.endless {
            match end(&bytes[at..]) {
                Ok(length) => return length,
                Err(length) => self.endless = at + length,
            }
        }
        self.depth += 1;
        self.last = Last::Operator;
        1
    }

    /// A template, from its first quote or the end of a placeholder, up to the next of them.
    fn template(&mut self, bytes: &[u8], at: usize) -> usize {
        let mut length = 1;
        while let Some(&byte) = bytes.get(at + length) {
            match byte {
                b'\\' => length += 1,
                b'`' => {
                    self.last = Last::Operand;
                    return length + 1;
                }
                b'$' if bytes.get(at + length + 1) == Some(&b'{') => {
                    self.enter(true);
                    return length + 2;
                }
                _ => {}
            }
            length += 1;
        }
        length
    }

    fn word(&mut self, rest: &[u8]) -> usize {
        let word = word_of(rest);
        let is_name = self.last == Last::Dot;
        self.last = match word {
            _ if is_name => Last::Operand,
            b"if" | b"while" | b"for" | b"with" => Last::Condition,
            b"await" if self.last == Last::Condition => Last::Condition,
            b"await" | b"case" | b"delete" | b"do" | b"else" | b"extends" | b"in" | b"instanceof"
            | b"new" | b"of" | b"return" | b"throw" | b"typeof" | b"void" | b"yield" => {
                self.depth += WORD;
                Last::Operator
            }
            _ => Last::Operand,
        };
        word.len()
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

/// The word or the number that a text begins with.
fn word_of(rest: &[u8]) -> &[u8] {
    let is_number = rest[0].is_ascii_digit();
    let is_inside = |byte: &u8| is_of_word(*byte) || (is_number && *byte == b'.');
    &rest[..rest.iter().take_while(|byte| is_inside(byte)).count()]
}

/// How long the line is, as a comment sees it.
fn line(rest: &[u8]) -> usize {
    let is_end = |at: usize| matches!(&rest[at..], [b'\n' | b'\r', ..] | [0xe2, 0x80, 0xa8 | 0xa9, ..]);
    (0..rest.len()).find(|at| is_end(*at)).unwrap_or(rest.len())
}

/// How long a text is that ends with this quote; how far that was looked for, where it does not end on its line.
fn quoted(rest: &[u8], quote: u8) -> Result<usize, usize> {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' | b'\r' => return Err(at),
            _ if byte == quote => return Ok(at + 1),
            _ => {}
        }
        at += 1;
    }
    Err(rest.len())
}

/// How long a regular expression is without its flags; how far its end was looked for, where it has none.
fn regular_expression(rest: &[u8]) -> Result<usize, usize> {
    let (mut at, mut is_in_class) = (1, false);
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' | b'\r' => return Err(at),
            b'[' => is_in_class = true,
            b']' => is_in_class = false,
            b'/' if !is_in_class => return Ok(at + 1),
            _ => {}
        }
        at += 1;
    }
    Err(rest.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{MAX_WEIGHT, STACK_SIZE, too_deep};
    use crate::{Memory, read_script};

    /// What stands before, what is repeated, the middle, what is repeated behind it, and the end.
    const NESTED: [[&str; 5]; 46] = [
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
    ];

    fn nested([begin, open, middle, close, end]: [&str; 5], times: usize) -> String {
        format!("{begin}{}{middle}{}{end}", open.repeat(times), close.repeat(times))
    }

    #[test]
    fn what_is_not_too_deep_fits_into_the_stack() {
        let read = || {
            let mut memory = Memory::default();
            for parts @ [begin, open, middle, ..] in NESTED {
                let refused = too_deep(&nested(parts, 2 * MAX_WEIGHT as usize)).unwrap() as usize;
                let mut times = match refused - begin.len() {
                    inside if open.is_empty() => (inside - middle.len()) / parts[3].len(),
                    inside => inside / open.len(),
                };
                // What is behind the middle may weigh something too.
                while too_deep(&nested(parts, times)).is_some() {
                    times -= times / 100 + 1;
                }
                assert!(times > 3_000, "{parts:?}");
                read_script(&nested(parts, times), &mut memory);
            }
        };
        std::thread::Builder::new().stack_size(STACK_SIZE).spawn(read).unwrap().join().unwrap();
    }

    #[test]
    fn what_stands_in_texts_is_not_nested() {
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
        ] {
            assert_eq!(too_deep(&script), None, "{}", &script[..40.min(script.len())]);
        }
        for script in [
            format!("/\"/;{odd}\""),
            format!("a=b/2;c=\"/\";{odd}"),
            format!("'\n{odd}'"),
            format!("// '\u{2028}{odd}"),
            format!("`${{{odd}"),
            format!("/*\"*/{odd}\""),
            format!("a(')',{odd}"),
        ] {
            assert!(too_deep(&script).is_some(), "{}", &script[..20]);
        }
    }

    #[test]
    fn what_is_only_long_is_not_nested() {
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
    fn what_never_ends_takes_no_time() {
        for part in ["\"", "'\\", "/", "=/[", "/*", "`${", "`", "\\'", "}", "<!--", "=/a'", "${`"] {
            too_deep(&part.repeat(1 << 20));
        }
    }
}
