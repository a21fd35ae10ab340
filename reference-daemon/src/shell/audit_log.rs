//! The audit files: one JSON line per call and read, one file per UTC date (BRG-AUD-01).

use super::error::ShellError;
use super::state_dir::{make_private_dir, set_mode};
use crate::core::audit::AuditRecord;
use crate::rules::{AuditWrite, ShellRules};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

/// Writes audit records. Each is in the file, in one write, before anything the core said after it is carried out.
#[derive(Debug)]
pub struct AuditLog {
    dir: PathBuf,
    dir_mode: u32,
    file_mode: u32,
    write: AuditWrite,
    current: Option<(String, File)>,
}

impl AuditLog {
    /// A log in this folder, which is created with the first record.
    pub fn new(dir: PathBuf, rules: &ShellRules) -> Self {
        Self {
            dir,
            dir_mode: rules.state_dir_mode,
            file_mode: rules.audit_mode,
            write: rules.audit_write,
            current: None,
        }
    }

    /// Appends one record to the file of its date.
    ///
    /// # Errors
    /// [`ShellError::File`] when folder or file cannot be written.
    pub fn append(&mut self, record: &AuditRecord) -> Result<(), ShellError> {
        let date = match self.write {
            AuditWrite::AppendToNextDay => day_after(record.utc_date()),
            _ => record.utc_date().to_owned(),
        };
        let path = self.dir.join(format!("{date}.jsonl"));
        let keep = match &self.current {
            // A file that was removed under us is started anew.
            Some((open, _)) => self.write == AuditWrite::AppendToFirstDay || (*open == date && path.exists()),
            None => false,
        };
        if !keep {
            make_private_dir(&self.dir, self.dir_mode)?;
            let file = self.open(&path).map_err(|source| ShellError::file("open", &path, source))?;
            set_mode(&path, self.file_mode)?;
            self.current = Some((date, file));
        }
        let Some((_, file)) = &mut self.current else {
            return Ok(());
        };
        let line = record.to_line() + "\n";
        let written = match self.write {
            AuditWrite::Overwrite => file.set_len(0).and_then(|()| file.write_all(line.as_bytes())),
            AuditWrite::Separate => file.metadata().map(|file| file.len() > 0).and_then(|goes_on| {
                let between = if goes_on { "\n" } else { "" };
                file.write_all(format!("{between}{}", record.to_line()).as_bytes())
            }),
            AuditWrite::Append | AuditWrite::AppendToFirstDay | AuditWrite::AppendToNextDay => {
                file.write_all(line.as_bytes())
            }
        };
        written.map_err(|source| ShellError::file("write", &path, source))
    }

    fn open(&self, path: &std::path::Path) -> io::Result<File> {
        OpenOptions::new().append(true).create(true).mode(self.file_mode).open(path)
    }
}

/// The date that follows a date.
fn day_after(date: &str) -> String {
    let after = date.parse().and_then(|date: jiff::civil::Date| date.tomorrow());
    after.map_or_else(|_| date.to_owned(), |after| after.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::audit::Outcome;
    use std::os::unix::fs::PermissionsExt;

    fn record(ts: &str) -> AuditRecord {
        AuditRecord {
            ts: ts.to_owned(),
            session_id: "s".to_owned(),
            alias: "a".to_owned(),
            tool: Some("t".to_owned()),
            resource: None,
            args_sha256: None,
            outcome: Outcome::Ok,
            error_type: None,
            duration_ms: 1,
            caller: "rpc".to_owned(),
            leaked: None,
        }
    }

    fn lines(root: &std::path::Path, rules: &ShellRules) -> Vec<(String, usize)> {
        let mut log = AuditLog::new(root.join("audit"), rules);
        for ts in ["2030-01-01T23:59:59.999Z", "2030-01-01T23:59:59.999Z", "2030-01-02T00:00:00.000Z"] {
            log.append(&record(ts)).unwrap();
        }
        let mut found: Vec<_> = std::fs::read_dir(root.join("audit"))
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, rules.audit_mode);
                let count = std::fs::read_to_string(&path).unwrap().lines().count();
                (path.file_name().unwrap().to_string_lossy().into_owned(), count)
            })
            .collect();
        found.sort();
        found
    }

    fn named(names: &[(&str, usize)]) -> Vec<(String, usize)> {
        names.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn records_go_to_the_file_of_their_date() {
        let dir = tempfile::tempdir().unwrap();
        let found = lines(dir.path(), &ShellRules::default());
        assert_eq!(found, named(&[("2030-01-01.jsonl", 2), ("2030-01-02.jsonl", 1)]));
        let again = lines(dir.path(), &ShellRules::default());
        assert_eq!(again, named(&[("2030-01-01.jsonl", 4), ("2030-01-02.jsonl", 2)]));
    }

    #[test]
    fn bent_logs_lose_dates_or_records() {
        let dir = tempfile::tempdir().unwrap();
        let bent = ShellRules { audit_write: AuditWrite::AppendToFirstDay, ..ShellRules::default() };
        assert_eq!(lines(dir.path(), &bent), named(&[("2030-01-01.jsonl", 3)]));
        let dir = tempfile::tempdir().unwrap();
        let bent = ShellRules { audit_write: AuditWrite::Overwrite, audit_mode: 0o644, ..ShellRules::default() };
        assert_eq!(lines(dir.path(), &bent), named(&[("2030-01-01.jsonl", 1), ("2030-01-02.jsonl", 1)]));
    }
}
