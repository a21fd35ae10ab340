//! The matrix as a table on the console, JSON, Markdown and HTML.

use super::rows::Row;
use serde_json::{Value, json};
use std::fmt::Write;

/// Version of the JSON form.
const VERSION: u32 = 1;

/// A table for the console, and what is missing below it.
pub fn table(rows: &[Row<'_>]) -> String {
    let mut text = format!("{:<11} {:>5} {:>7} {:>7} {:>7}  gaps\n", "promise", "level", "passed", "failed", "faults");
    for row in rows {
        let [id, level, passed, failed, faults, remark] = cells(row);
        let _ = writeln!(text, "{id:<11} {level:>5} {passed:>7} {failed:>7} {faults:>7}  {remark}");
    }
    let gaps = rows.iter().filter(|row| !row.gaps().is_empty()).count();
    let _ = writeln!(text, "{} promises, {gaps} with gaps", rows.len());
    text
}

/// The matrix for machines.
pub fn json(rows: &[Row<'_>]) -> Value {
    let promises: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "id": row.promise.id, "level": row.promise.level, "statement": row.promise.statement,
                "unchecked": row.promise.unchecked, "passed": row.passed, "failed": row.failed,
                "noticed": row.noticed, "survived": row.survived, "gaps": row.gaps(),
            })
        })
        .collect();
    json!({ "coverage": VERSION, "promises": promises })
}

/// The matrix as a Markdown table.
pub fn markdown(rows: &[Row<'_>]) -> String {
    let mut text = String::from(
        "| promise | level | checks that pass | checks that fail on a fault | faults noticed | gaps |\n| --- | --- | ---: | ---: | ---: | --- |\n",
    );
    for row in rows {
        let _ = writeln!(text, "| {} |", cells(row).join(" | "));
    }
    text
}

/// The matrix as one HTML page that needs nothing else.
pub fn html(rows: &[Row<'_>]) -> String {
    let mut text = String::from(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>iolite coverage</title>\n<style>body{font:14px system-ui;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}tr.gap{background:#fdd}</style>\n<h1>Coverage</h1>\n<table>\n<tr><th>promise<th>level<th>statement<th>pass<th>fail on a fault<th>faults noticed<th>gaps\n",
    );
    for row in rows {
        let class = if row.gaps().is_empty() { "" } else { " class=\"gap\"" };
        let (statement, noticed) = (&row.promise.statement, row.noticed.join(", "));
        let [id, level, passed, failed, faults, remark] = cells(row).map(|cell| escape(&cell));
        let _ = writeln!(
            text,
            "<tr{class}><td>{id}<td>{level}<td>{}<td>{passed}<td>{failed}<td title=\"{}\">{faults}<td>{remark}",
            escape(statement),
            escape(&noticed)
        );
    }
    text.push_str("</table>\n</html>\n");
    text
}

/// Promise, level, checks that passed, checks that failed on a fault, faults noticed of all, gaps.
fn cells(row: &Row<'_>) -> [String; 6] {
    [
        row.promise.id.clone(),
        level(row).to_owned(),
        row.passed.len().to_string(),
        row.failed.len().to_string(),
        format!("{}/{}", row.noticed.len(), row.noticed.len() + row.survived.len()),
        remark(row),
    ]
}

fn remark(row: &Row<'_>) -> String {
    match &row.promise.unchecked {
        Some(why) => format!("no black box can check it: {why}"),
        None if row.survived.is_empty() => row.gaps().join(", "),
        None => format!("{}: {}", row.gaps().join(", "), row.survived.join(", ")),
    }
}

fn level(row: &Row<'_>) -> &'static str {
    use crate::scenario::model::Level;
    match row.promise.level {
        Level::Must => "M",
        Level::Should => "S",
        Level::Option => "O",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
