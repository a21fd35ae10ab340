//! Reading Rust code for the names in it: comments, strings and tests are left out, lines keep their numbers.

/// One word or sign of code, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

impl Token {
    fn is(&self, text: &str) -> bool {
        self.text == text
    }

    fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// A path of names as it stands in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its segments; `*` at the end of a glob.
    pub path: Vec<String>,
    /// The name that a `use` gives it here; none for a path in the middle of the code.
    pub alias: Option<String>,
    /// It stands in a `pub use`.
    pub public: bool,
    pub line: usize,
}

/// What a file names, the types that it gives methods to, and the modules that belong to its tests.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub named: Vec<Named>,
    pub extended: Vec<Vec<String>>,
    pub test_modules: Vec<String>,
}

impl Code {
    pub fn read(text: &str) -> Self {
        let mut code = Self::default();
        let tokens = code.without_tests(tokens(&blanked(text)));
        code.extended = extended(&tokens);
        let mut at = 0;
        let mut public = false;
        while at < tokens.len() {
            let token = &tokens[at];
            if token.is("pub") {
                public = true;
                at += if tokens.get(at + 1).is_some_and(|next| next.is("(")) {
                    closing(&tokens, at + 1) + 1 - at
                } else {
                    1
                };
                continue;
            }
            if token.is("use") {
                let end = at + tokens[at..].iter().position(|token| token.is(";")).unwrap_or(tokens.len() - at);
                tree(&tokens[at + 1..end], &[], public, &mut code.named);
                at = end;
            } else if token.is_name() {
                let (path, next) = path(&tokens, at);
                let is_part = at > 0 && (tokens[at - 1].is("::") || tokens[at - 1].is("."));
                if path.len() > 1 && !is_part {
                    code.named.push(Named { path, alias: None, public: false, line: token.line });
                }
                at = next;
                public = false;
                continue;
            }
            public = false;
            at += 1;
        }
        code
    }

    /// Leaves out what stands behind `#[cfg(test)]`.
    fn without_tests(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
        let mut kept = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let is_mark =
                tokens.len() >= at + MARK.len() && tokens[at..].iter().zip(MARK).all(|(token, mark)| token.is(mark));
            if !is_mark {
                kept.push(tokens[at].clone());
                at += 1;
                continue;
            }
            let start = at + MARK.len();
            let rest = &tokens[start..];
            let is_use =
                rest.iter().find(|token| token.is("use") || token.is("{")).is_some_and(|token| token.is("use"));
            let end = rest.iter().position(|token| token.is(";") || !is_use && token.is("{")).unwrap_or(rest.len() - 1);
            if let [word, name, semicolon, ..] = rest
                && word.is("mod")
                && semicolon.is(";")
            {
                self.test_modules.push(name.text.clone());
            }
            at = if rest[end].is("{") { closing(&tokens, start + end) + 1 } else { start + end + 1 };
        }
        kept
    }
}

/// The types of all `impl Type { … }`, not of `impl Trait for Type { … }`.
fn extended(tokens: &[Token]) -> Vec<Vec<String>> {
    let mut extended = Vec::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.is("impl")) {
        let rest = &tokens[at + 1..];
        let Some(end) = rest.iter().position(|token| token.is("{") || token.is(";") || token.is("=")) else { continue };
        let head = &rest[..end];
        let from = if head.first().is_some_and(|token| token.is("<")) { behind_generics(head) } else { 0 };
        if let Some(first) = head.get(from)
            && first.is_name()
            && rest[end].is("{")
            && !head.iter().any(|token| token.is("for"))
        {
            extended.push(path(head, from).0);
        }
    }
    extended
}

/// The place behind `<…>` at the beginning.
fn behind_generics(tokens: &[Token]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            "<" => depth += 1,
            ">" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The path that begins here, and the place behind it.
fn path(tokens: &[Token], at: usize) -> (Vec<String>, usize) {
    let mut path = vec![tokens[at].text.clone()];
    let mut next = at + 1;
    while next + 1 < tokens.len() && tokens[next].is("::") && tokens[next + 1].is_name() {
        path.push(tokens[next + 1].text.clone());
        next += 2;
    }
    (path, next)
}

/// The names of a `use` tree.
fn tree(tokens: &[Token], before: &[String], public: bool, named: &mut Vec<Named>) {
    let mut path = before.to_vec();
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if token.is("{") {
            let end = closing(tokens, at);
            for branch in branches(&tokens[at + 1..end]) {
                tree(branch, &path, public, named);
            }
            return;
        } else if token.is("as") {
            break;
        } else if !token.is("::") && (!token.is("self") || path.is_empty()) {
            path.push(token.text.clone());
        }
        at += 1;
    }
    let Some(line) = tokens.first().map(|token| token.line) else { return };
    let alias = tokens.get(at + 1).filter(|_| at < tokens.len()).map(|token| token.text.clone());
    let alias = alias.or_else(|| path.last().cloned());
    named.push(Named { path, alias, public, line });
}

/// The parts of a list, at its commas.
fn branches(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0;
    let mut from = 0;
    let mut branches = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," if depth == 0 => {
                branches.push(&tokens[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&tokens[from..]);
    branches.retain(|branch| !branch.is_empty());
    branches
}

/// Where the bracket that opens here is closed.
fn closing(tokens: &[Token], at: usize) -> usize {
    let (open, close) = if tokens[at].is("{") { ("{", "}") } else { ("(", ")") };
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        if token.is(open) {
            depth += 1;
        } else if token.is(close) {
            depth -= 1;
            if depth == 0 {
                return place;
            }
        }
    }
    tokens.len() - 1
}

fn tokens(code: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            tokens.push(Token { text: rest[..length].to_owned(), line: number + 1 });
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

/// The code with spaces for comments, strings and characters.
fn blanked(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = match (chars[at], chars.get(at + 1)) {
            ('/', Some('/')) => at + chars[at..].iter().position(|&c| c == '\n').unwrap_or(chars.len() - at),
            ('/', Some('*')) => block_comment(&chars, at),
            ('r', Some('"' | '#')) if !ends_in_word(&out) => raw_string(&chars, at).unwrap_or(at),
            ('"', _) => string(&chars, at, '"'),
            ('\'', Some('\\')) => string(&chars, at, '\''),
            // A character, not a lifetime.
            ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => at + 3,
            _ => at,
        };
        if end == at {
            out.push(chars[at]);
            at += 1;
        }
        while at < end {
            out.push(if chars[at] == '\n' { '\n' } else { ' ' });
            at += 1;
        }
    }
    out
}

fn ends_in_word(out: &str) -> bool {
    // `br"…"` is a string, too.
    let before = out.strip_suffix('b').unwrap_or(out);
    before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn block_comment(chars: &[char], from: usize) -> usize {
    let mut depth = 0;
    let mut at = from;
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => (depth, at) = (depth + 1, at + 2),
            ('*', '/') => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    chars.len()
}

fn raw_string(chars: &[char], from: usize) -> Option<usize> {
    let hashes = chars[from + 1..].iter().take_while(|&&c| c == '#').count();
    let body = from + 1 + hashes;
    (chars.get(body) == Some(&'"')).then(|| {
        let mut at = body + 1;
        while at < chars.len() {
            if chars[at] == '"' && chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes {
                return at + 1 + hashes;
            }
            at += 1;
        }
        chars.len()
    })
}

fn string(chars: &[char], from: usize, quote: char) -> usize {
    let mut at = from + 1;
    while at < chars.len() && chars[at] != quote {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}
