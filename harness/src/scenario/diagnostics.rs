//! Mistakes as people and machines read them.

use super::mistake::{LoadError, Problem};
use super::node::{Source, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::{Value, json};

/// Whether the text is for a terminal with colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Letters only.
    Plain,
    /// With terminal colours.
    Coloured,
}

/// All mistakes of a file: each with `path:line:column`, the line it stands in, underlined, and a way out.
pub fn render(error: &LoadError, style: Style) -> String {
    let rendered: Vec<_> = error.problems.iter().map(|problem| render_one(&error.source, problem, style)).collect();
    rendered.join("\n\n")
}

/// One mistake, as [`render`] shows it.
pub fn render_one(source: &Source, problem: &Problem, style: Style) -> String {
    let related = problem.mistake.related().map(|(span, label)| (visible(source, span), label));
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let title = format!("{}", problem.mistake);
    let span = visible(source, &problem.span);
    // Only the part of the file that is shown is handed over: tables can be long.
    let window = window(source, &span, related.as_ref().map(|(span, _)| span));
    let shifted = |span: &Span| span.start - window.start..span.end - window.start;
    let mut snippet = Snippet::source(&source.text[window.clone()])
        .path(source.path.as_str())
        .line_start(source.position(window.start).0)
        .annotation(AnnotationKind::Primary.span(shifted(&span)));
    if let Some((span, label)) = &related {
        snippet = snippet.annotation(AnnotationKind::Context.span(shifted(span)).label(*label));
    }
    let mut group: Group<'_> = Level::ERROR.primary_title(title.as_str()).element(snippet);
    let help = problem.mistake.help();
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// The same for machines: `{ path, problems: [{ code, message, help?, line, column, start, end }] }`. Lines and columns
/// count from 1, columns in characters; `start` and `end` are byte offsets.
pub fn to_json(error: &LoadError) -> Value {
    let problems: Vec<_> = error.problems.iter().map(|problem| problem_json(&error.source, problem)).collect();
    json!({ "path": error.source.path, "problems": problems })
}

fn problem_json(source: &Source, problem: &Problem) -> Value {
    let (line, column) = source.position(problem.span.start);
    let mut value = json!({
        "code": problem.mistake.code(),
        "message": problem.mistake.to_string(),
        "line": line,
        "column": column,
        "start": problem.span.start,
        "end": problem.span.end,
    });
    if let Some(help) = problem.mistake.help() {
        value["help"] = help.into();
    }
    value
}

/// A span that can be shown: inside the text, on character boundaries, and no longer than its first lines.
fn visible(source: &Source, span: &Span) -> Span {
    let text = &source.text;
    let floor = |offset: usize| (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let start = floor(span.start);
    let end = floor(span.end).max(start);
    let mut lines = text[start..end].match_indices('\n').map(|(at, _)| start + at);
    let end = lines.nth(MOST_LINES - 1).unwrap_or(end);
    start..end
}

/// Whole lines around what is shown.
fn window(source: &Source, span: &Span, related: Option<&Span>) -> Span {
    let first = related.map_or(span.start, |related| related.start.min(span.start));
    let last = related.map_or(span.end, |related| related.end.max(span.end));
    let start = source.text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = source.text[last..].find('\n').map_or(source.text.len(), |at| last + at);
    start..end
}

/// Longer values are underlined only at their beginning.
const MOST_LINES: usize = 4;
