//! Results as people read them, and raw content as programs do (`BRG-CLI-02`).

use super::grammar::Command;
use crate::rules::cli::CliRules;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The bytes to print for a result without `--json`.
pub fn render(command: &Command, data: &Value, to_terminal: bool, rules: &CliRules) -> Vec<u8> {
    match command {
        Command::Read { .. } => contents(data, to_terminal, rules),
        Command::Invoke { .. } => pretty(&data["result"]),
        Command::Ls => table(&data["sessions"], &["alias", "state", "sessionId", "toolCount", "resourceCount"]),
        Command::Tools { name: Some(_), .. } => pretty(&data["tools"][0]),
        Command::Tools { .. } => table(&data["tools"], &["name", "policy", "description"]),
        Command::Resources { .. } => table(&data["resources"], &["name", "mime_type", "uri", "description"]),
        Command::Events { .. } => table(&data["events"], &["seq", "ts", "kind", "data"]),
        Command::Link { .. } => lines(data, &["deepLink", "sessionId", "expiresAt"]),
        _ => pretty(data),
    }
}

fn contents(data: &Value, to_terminal: bool, rules: &CliRules) -> Vec<u8> {
    let mut out = Vec::new();
    for item in data["contents"].as_array().into_iter().flatten() {
        if let Some(text) = item["text"].as_str() {
            match rules.raw_text {
                true => out.extend_from_slice(text.as_bytes()),
                false => out.extend_from_slice(item["text"].to_string().as_bytes()),
            }
            if rules.newline_after_text {
                out.push(b'\n');
            }
        } else if let Some(blob) = item["blob"].as_str() {
            match STANDARD.decode(blob) {
                Ok(bytes) if rules.blob_bytes && !to_terminal => out.extend_from_slice(&bytes),
                // Bytes could do anything to a terminal.
                _ => out.extend_from_slice(format!("{blob}\n").as_bytes()),
            }
        }
    }
    out
}

fn pretty(value: &Value) -> Vec<u8> {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text.into_bytes()
}

fn lines(value: &Value, keys: &[&str]) -> Vec<u8> {
    keys.iter()
        .filter(|key| !value[**key].is_null())
        .map(|key| format!("{key}: {}\n", cell(&value[*key])))
        .collect::<String>()
        .into_bytes()
}

fn table(rows: &Value, keys: &[&str]) -> Vec<u8> {
    let rows: Vec<Vec<String>> =
        rows.as_array().into_iter().flatten().map(|row| keys.iter().map(|key| cell(&row[*key])).collect()).collect();
    let widths: Vec<usize> = (0..keys.len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text.into_bytes()
}

/// One cell: texts without their quotes, on one line, and without control characters that could move the cursor.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(contents: Value, to_terminal: bool, rules: &CliRules) -> Vec<u8> {
        let command = Command::Read { target: Vec::new(), timeout: None };
        render(&command, &json!({"contents": contents}), to_terminal, rules)
    }

    #[test]
    fn texts_are_raw_and_blobs_are_bytes_in_a_pipe() {
        let rules = CliRules::default();
        let contents = json!([{"text": "é\u{0}"}, {"blob": "AP+ACg=="}, {"text": ""}]);
        assert_eq!(read(contents.clone(), false, &rules), ["é\u{0}".as_bytes(), &[0, 255, 128, 10]].concat());
        assert_eq!(read(contents, true, &rules), "é\u{0}AP+ACg==\n".as_bytes());
        assert_eq!(read(json!([]), false, &rules), b"");
    }

    #[test]
    fn bent_rules_show() {
        let bent = |bend: fn(&mut CliRules)| {
            let mut rules = CliRules::default();
            bend(&mut rules);
            read(json!([{"text": "a"}, {"blob": "AA=="}]), false, &rules)
        };
        assert_eq!(bent(|rules| rules.newline_after_text = true), b"a\n\0");
        assert_eq!(bent(|rules| rules.raw_text = false), b"\"a\"\0");
        assert_eq!(bent(|rules| rules.blob_bytes = false), b"aAA==\n");
    }

    #[test]
    fn lists_are_tables_without_control_characters() {
        let data = json!({"resources": [
            {"name": "cart", "uri": "app://cart", "description": "a\nb\u{1b}[2J"},
            {"name": "a-long-name", "uri": "app://x", "mime_type": "text/plain", "description": "d"}
        ]});
        let text = render(&Command::Resources { selector: None }, &data, true, &CliRules::default());
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "cart         -           app://cart  a b [2J\na-long-name  text/plain  app://x     d\n"
        );
    }
}
