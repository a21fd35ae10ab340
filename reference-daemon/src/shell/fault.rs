//! The rule table a process starts with: the contract's, or one bent by the environment.

use crate::faults;
use crate::rules::Rules;

/// Name of the environment variable that bends the rules. Its value is the ids of faults,
/// separated by commas; unset or empty bends nothing.
pub const FAULT_VARIABLE: &str = "IOLITE_FAULT";

/// The variable names no fault. A usage error: exit code 64.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{FAULT_VARIABLE}: there is no fault \"{id}\"{}", hint(nearest))]
pub struct UnknownFault {
    /// What the variable says.
    pub id: String,
    /// The most similar id that exists.
    pub nearest: Option<&'static str>,
}

/// The rules this process must follow, read from its environment.
///
/// # Errors
/// [`UnknownFault`] when the variable names what is no fault.
pub fn rules_from_env() -> Result<Rules, UnknownFault> {
    match std::env::var_os(FAULT_VARIABLE) {
        Some(id) if !id.is_empty() => rules_bent_by(&id.to_string_lossy()),
        _ => Ok(Rules::default()),
    }
}

/// The contract's rules bent by everything named, in that order. Names are separated by commas.
///
/// # Errors
/// [`UnknownFault`] with the first name that nothing has.
pub fn rules_bent_by(names: &str) -> Result<Rules, UnknownFault> {
    let mut rules = Rules::default();
    for name in names.split(',').map(str::trim) {
        if !faults::bend(&mut rules, name) {
            return Err(UnknownFault { id: name.to_owned(), nearest: nearest(name) });
        }
    }
    Ok(rules)
}

fn nearest(id: &str) -> Option<&'static str> {
    faults::all()
        .iter()
        .map(|fault| (strsim::jaro_winkler(fault.id, id), fault.id))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, id)| id)
}

fn hint(nearest: &Option<&'static str>) -> String {
    nearest.map(|id| format!("; did you mean \"{id}\"?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_fault_names_its_neighbour() {
        let error = rules_bent_by("con-fragments-refuse").unwrap_err();
        assert_eq!(error.nearest, Some("con-fragments-refused"));
        assert!(error.to_string().ends_with("did you mean \"con-fragments-refused\"?"));
        assert_eq!(rules_bent_by("%%").unwrap_err().nearest, None);
    }

    #[test]
    fn a_known_fault_bends_the_table() {
        assert_eq!(rules_bent_by("con-shutdown-exit-1").unwrap().shell.shutdown_exit_code, 1);
        assert_eq!(Rules::default().shell.shutdown_exit_code, 0);
    }

    #[test]
    fn several_faults_bend_the_table_together() {
        let rules = rules_bent_by("con-shutdown-exit-1, lawful-stranger").unwrap();
        assert_eq!(rules.shell.shutdown_exit_code, 1);
        assert_eq!(rules.mcp_paging.size, Some(3));
        assert_eq!(rules_bent_by("con-shutdown-exit-1,con-fragments-refuse").unwrap_err().id, "con-fragments-refuse");
    }
}
