//! Scans generated reStructuredText and Python: no panic, ranges on characters, linear time.

use std::time::{Duration, Instant};

use sitegate_sources::{SourceOptions, scan};

/// Pieces of reStructuredText that begin, end or interrupt markup.
#[rustfmt::skip]
const PIECES: [&str; 72] = [
    "`", "``", "*", "**", "_", "__", "|", "\\", "\0", "<", ">", "`_", "`__", ":", "::", "\n", "\n\n", "\n   ", "\n\t", "\n- ",
    "\n.. ", "\n..\n", ".. _a: ", ".. _`a b`: ", ".. |a| image:: ", ".. image:: ", "\n   :target: ", "\n.. toctree::\n\n   ",
    "\n.. note:: ", "\n.. code::\n\n   ", "\n__ ", "\n| ", "\n+--+--+\n", "|  |  |\n", "\n== ==\n", "\n== ==\n\n", "-- --\n", "a_", "a__",
    "|a|_", "|a|", "[1]_", ":doc:`", ":a:", "http://", "e.org/x", "a@b.c", "é", "日本", "\u{a0}", "\u{feff}", "\r\n", "\r", "\u{2028}",
    "====\n", "a\n====\n", ">>> ", "\n:a: ", "\n-a  ", "1. ", "(i) ", " ", "  ", "text", ".html", "\n.. csv-table::\n\n   \"", "\"\"", "\",",
    "\n\n    ", "..", "'", "\"",
];

/// Pieces of Python.
#[rustfmt::skip]
const PYTHON: [&str; 32] = [
    "\"\"\"", "'''", "\"", "'", "r\"", "f\"{", "}", "b'", "\\", "\n", "\n    ", "def f():", "class A:", "x = ", "# ", "#: ", "(", ")", "[",
    "]", "{", ":", "\\x41", "\\N{", "\\u00e9", "a/b.html", "`a <b.html>`_", "é", ";", ",", "async def g(", "\r\n",
];

/// A small generator of numbers, always with the same ones.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[track_caller]
fn check(path: &str, text: &str) {
    let found = scan(path, text, SourceOptions { default_role: true });
    for reference in &found.references {
        assert!(text.get(reference.range.clone()).is_some_and(|written| !written.is_empty()), "{text:?}");
    }
    assert!(found.inert.iter().all(|range| text.get(range.clone()).is_some()), "{text:?}");
    assert!(found.inert.windows(2).all(|pair| pair[0].end <= pair[1].start), "{text:?}");
}

#[test]
fn scans_any_text() {
    let mut numbers = Numbers(0x5eed_1234_5678_9abc);
    for (path, pieces) in
        [("a.rst", &PIECES[..]), ("a.txt", &PIECES), ("a.py", &PYTHON), ("conf.py", &PYTHON)]
    {
        for _ in 0..3_000 {
            let count = 1 + numbers.below(40);
            let text: String = (0..count).map(|_| pieces[numbers.below(pieces.len())]).collect();
            check(path, &text);
        }
    }
}

/// Maximum time for a repeated piece in a debug build on a busy machine. Quadratic time would be minutes.
const MAX_TIME: Duration = Duration::from_secs(5);

#[test]
fn scans_large_texts_in_linear_time() {
    const SIZE: usize = 300_000;
    let extra = [
        "a-",
        "a.",
        "-a",
        "a:",
        ":a:a",
        "a@",
        "a-a@ ",
        "*a ",
        "`a ",
        "|a ",
        "[a",
        "- ",
        "1. ",
        "\n\n a",
        "a_ ",
        ".. _a: b\n",
    ];
    for piece in PIECES.iter().chain(&extra) {
        let text = piece.repeat(SIZE / piece.len());
        let start = Instant::now();
        check("a.rst", &text);
        assert!(start.elapsed() < MAX_TIME, "{piece:?} took {:?}", start.elapsed());
    }
    for piece in PYTHON {
        let text = piece.repeat(SIZE / piece.len());
        let start = Instant::now();
        check("a.py", &text);
        assert!(start.elapsed() < MAX_TIME, "{piece:?} took {:?}", start.elapsed());
    }
}

#[test]
fn scans_deep_nesting() {
    for (piece, step) in [("a\n", 1), ("- a\n\n", 2), (".. note::\n\n", 3), ("a::\n\n", 1)] {
        let lines: Vec<String> = (0..1_000).map(|depth| " ".repeat(step * depth) + piece).collect();
        check("a.rst", &lines.concat());
    }
}
