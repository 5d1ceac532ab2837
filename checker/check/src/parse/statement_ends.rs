//! Finds the ends of CSS declarations, at-rules and rules. One pass finds all of a sheet.

use memchr::memmem;

/// Returns the ends of the statements that begin at these offsets, which are sorted.
pub(super) fn statement_ends(css: &[u8], starts: &[usize]) -> Vec<usize> {
    let mut ends = vec![css.len(); starts.len()];
    // The depth of open brackets, and the statements that began at each depth; the deepest come last.
    let mut depth = 0isize;
    let mut open: Vec<(isize, Vec<usize>)> = Vec::new();
    let mut next = 0;
    let mut quote = None;
    let mut at = starts.first().copied().unwrap_or(css.len());
    loop {
        while starts.get(next).is_some_and(|start| *start <= at) {
            quote = None;
            match open.last_mut().filter(|(outer, _)| *outer == depth) {
                Some((_, statements)) => statements.push(next),
                None => open.push((depth, vec![next])),
            }
            next += 1;
        }
        let Some(&byte) = css.get(at) else { return ends };
        match (quote, byte) {
            (_, b'\\') => at += 1,
            (Some(mark), _) if byte == mark => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'/') if css[at..].starts_with(b"/*") => {
                at = memmem::find(&css[at + 2..], b"*/").map_or(css.len(), |length| at + 2 + length + 1);
            }
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b'}') => {
                end(&mut open, depth, at, &mut ends);
                end(&mut open, depth - 1, at + 1, &mut ends);
                depth -= 1;
            }
            (None, b')' | b']') => {
                depth -= 1;
                move_up(&mut open, depth);
            }
            (None, b';') => end(&mut open, depth, at, &mut ends),
            _ => {}
        }
        at += 1;
    }
}

/// Ends the statements that began at this depth, if no deeper statement is open.
fn end(open: &mut Vec<(isize, Vec<usize>)>, depth: isize, at: usize, ends: &mut [usize]) {
    let Some((_, ended)) = open.pop_if(|(outer, _)| *outer == depth) else { return };
    for statement in ended {
        ends[statement] = at;
    }
}

/// Handles a closing bracket without an opening one: it changes nothing for the statement that contains it.
fn move_up(open: &mut Vec<(isize, Vec<usize>)>, depth: isize) {
    let Some((_, mut moved)) = open.pop_if(|(outer, _)| *outer > depth) else { return };
    match open.last_mut().filter(|(outer, _)| *outer == depth) {
        Some((_, statements)) => {
            if statements.len() < moved.len() {
                std::mem::swap(statements, &mut moved);
            }
            statements.append(&mut moved);
        }
        None => open.push((depth, moved)),
    }
}

#[cfg(test)]
mod tests {
    use super::statement_ends;

    /// Returns the end of one statement, with a separate search.
    fn statement_end(css: &[u8], from: usize) -> usize {
        let mut depth = 0usize;
        let mut at = from;
        while let Some(&byte) = css.get(at) {
            match byte {
                b'\\' => at += 1,
                b'(' | b'[' | b'{' => depth += 1,
                b'}' if depth <= 1 => return (at + depth).min(css.len()),
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b';' if depth == 0 => return at,
                _ => {}
            }
            at += 1;
        }
        css.len()
    }

    proptest::proptest! {
        #[test]
        fn one_pass_finds_the_same_ends_as_separate_searches(css in "[a;(){}\\\\]{0,30}", starts in "[01]{30}") {
            let starts = starts.bytes().enumerate().filter(|(_, one)| *one == b'1').map(|(at, _)| at);
            let is_escaped = |at: usize| css.as_bytes()[..at].iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1;
            let starts: Vec<usize> = starts.filter(|at| *at <= css.len() && !is_escaped(*at)).collect();
            let alone: Vec<usize> = starts.iter().map(|at| statement_end(css.as_bytes(), *at)).collect();
            proptest::prop_assert_eq!(statement_ends(css.as_bytes(), &starts), alone);
        }
    }
}
