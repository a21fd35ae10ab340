use super::*;
use crate::scenario::selection::Selection;
use std::fs;

fn scenario(promise: &str) -> String {
    format!(
        "scenario: A title\nrequires: [{promise}]\ncast: {{ phone: {{ app: {{}} }} }}\nsteps:\n  - phone.connect\n  - phone.is_unaffected: {{ proves: [BRG-CON-11] }}\n"
    )
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, promise) in
        [("res/snapshot-replaces", "BRG-RES-01"), ("res/deep/upsert", "BRG-RES-03"), ("mcp/list", "BRG-MCP-03")]
    {
        let path = folder.path().join(format!("{path}.yaml"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, scenario(promise)).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "not a scenario").unwrap();
    folder
}

fn ids(selection: &Selection) -> Vec<&str> {
    selection.scenarios.iter().map(|scenario| scenario.id.as_str()).collect()
}

#[test]
fn a_folder_is_read_with_all_folders_in_it() {
    let folder = folder();
    let set = ScenarioSet::from_path(folder.path(), &LoadContext::default()).unwrap();
    assert_eq!(ids(&set.select::<&str>(&[])), ["mcp/list", "res/deep/upsert", "res/snapshot-replaces"]);
    let one = ScenarioSet::from_path(&folder.path().join("mcp/list.yaml"), &LoadContext::default()).unwrap();
    assert_eq!(ids(&one.select(&["list"])), ["list"]);
    assert_eq!(one.merged(set).scenarios.len(), 4);
}

#[test]
fn the_scenarios_that_come_with_iolite_load() {
    if let Err(error) = ScenarioSet::embedded(&LoadContext::default()) {
        panic!("{error}");
    }
}

#[test]
fn patterns_choose_by_id_folder_glob_path_and_promise() {
    let folder = folder();
    let set = ScenarioSet::from_path(folder.path(), &LoadContext::default()).unwrap();
    let path = folder.path().join("res").display().to_string();
    for (pattern, expected) in [
        ("res/snapshot-replaces", vec!["res/snapshot-replaces"]),
        ("res/snapshot-replaces.yaml", vec!["res/snapshot-replaces"]),
        ("res", vec!["res/deep/upsert", "res/snapshot-replaces"]),
        ("res/", vec!["res/deep/upsert", "res/snapshot-replaces"]),
        ("res/*", vec!["res/snapshot-replaces"]),
        ("res/**", vec!["res/deep/upsert", "res/snapshot-replaces"]),
        ("*/l?st", vec!["mcp/list"]),
        ("BRG-RES-01", vec!["res/snapshot-replaces"]),
        ("BRG-RES-*", vec!["res/deep/upsert", "res/snapshot-replaces"]),
        ("BRG-CON-11", vec!["mcp/list", "res/deep/upsert", "res/snapshot-replaces"]),
        (path.as_str(), vec!["res/deep/upsert", "res/snapshot-replaces"]),
        ("re", vec![]),
    ] {
        let selection = set.select(&[pattern]);
        assert_eq!(ids(&selection), expected, "{pattern}");
        assert_eq!(selection.unmatched.is_empty(), !expected.is_empty(), "{pattern}");
    }
}

#[test]
fn patterns_that_choose_nothing_are_told_with_the_nearest_spelling() {
    let folder = folder();
    let set = ScenarioSet::from_path(folder.path(), &LoadContext::default()).unwrap();
    let selection = set.select(&["res/snapshot-replace", "BRG-RES-02", "mcp", "upsrt", "zzz"]);
    let told: Vec<_> = selection.unmatched.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`res/snapshot-replace` chooses no scenario; did you mean `res/snapshot-replaces`?",
            "`BRG-RES-02` chooses no scenario; did you mean `BRG-RES-01`?",
            "`upsrt` chooses no scenario; did you mean `res/deep/upsert`?",
            "`zzz` chooses no scenario",
        ]
    );
}

#[test]
fn everything_wrong_in_all_files_is_told_at_once() {
    let folder = folder();
    fs::write(folder.path().join("mcp/bad.yaml"), [0x61, 0xff, 0x62]).unwrap();
    fs::write(folder.path().join("res/bad.yaml"), "scenario: x\n").unwrap();
    let error = ScenarioSet::from_path(folder.path(), &LoadContext::default()).unwrap_err();
    let told = error.to_string().replace(&folder.path().display().to_string(), "…");
    assert_eq!(
        told,
        "…/mcp/bad.yaml:1:2: the file is not UTF-8 from byte 1 on\n\
         …/res/bad.yaml:1:1: the scenario lacks `requires`\n\
         …/res/bad.yaml:1:1: the scenario lacks `steps`"
    );
    let error = ScenarioSet::from_path(&folder.path().join("nowhere"), &LoadContext::default()).unwrap_err();
    assert!(error.to_string().contains("cannot be read"), "{error}");
}
