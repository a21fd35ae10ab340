//! Arrows run one way: between the crates, between the folders of the harness and of the reference daemon, and between files.
//!
//! What may use what is said in `layers/allowed.rs`. Only code counts: tests may look at everything.

#![expect(clippy::unwrap_used, reason = "what fails in a test should end it, there and then")]

#[path = "layers/allowed.rs"]
mod allowed;
#[path = "layers/circles.rs"]
mod circles;
#[path = "layers/code.rs"]
mod code;
#[path = "layers/modules.rs"]
mod modules;

use allowed::{Arrow, CRATES, FOLDERS, STILL_TIED};
use modules::{Edge, Workspace};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

static WORKSPACE: LazyLock<Workspace> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    Workspace::read(root, &["protocol", "mock-app", "mock-client", "reference-daemon", "harness"])
});

#[test]
fn crates_depend_one_way() {
    assert_all_allowed(&WORKSPACE.crate_edges(), CRATES, "CRATES");
}

#[test]
fn folders_depend_one_way() {
    for (package, arrows) in FOLDERS {
        assert_all_allowed(&WORKSPACE.folder_edges(package), arrows, &format!("FOLDERS of {package}"));
    }
}

#[test]
fn the_allowed_arrows_are_no_circle() {
    let mut lists = vec![("CRATES", CRATES)];
    lists.extend(FOLDERS.iter().copied());
    for (list, arrows) in lists {
        let arrows: Vec<(&str, &str)> = arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect();
        let circles = circles::find(&arrows);
        assert!(circles.is_empty(), "{list} allows a circle: {}", circles[0].join(" -> "));
    }
}

#[test]
fn no_files_name_each_other_in_a_circle() {
    let edges = WORKSPACE.file_edges();
    let arrows: Vec<(&str, &str)> = edges.iter().map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
    let (tied, found): (Vec<_>, Vec<_>) =
        circles::find(&arrows).into_iter().partition(|circle| circle.iter().all(|file| is_tied(file)));
    let shown: Vec<String> = found.iter().map(|circle| shown(circle, &edges)).collect();
    assert!(
        shown.is_empty(),
        "{} circles. Move what both sides need into a file below them, or hand it over as an argument:\n\n{}",
        shown.len(),
        shown.join("\n\n")
    );
    let free: Vec<&&str> =
        STILL_TIED.iter().filter(|place| !tied.iter().flatten().any(|file| file.starts_with(**place))).collect();
    assert!(free.is_empty(), "no circle is left in {free:?}: take it out of STILL_TIED in layers/allowed.rs");
}

fn is_tied(file: &str) -> bool {
    STILL_TIED.iter().any(|place| file.starts_with(place))
}

/// Every edge has its arrow, and every arrow its edge.
fn assert_all_allowed(edges: &[Edge], arrows: &[Arrow], list: &str) {
    let wrong: Vec<String> = edges
        .iter()
        .filter(|edge| !arrows.iter().any(|arrow| (arrow.from, arrow.to) == (edge.from.as_str(), edge.to.as_str())))
        .map(|edge| format!("  {}:{}: {} uses {}", edge.file, edge.line, edge.from, edge.to))
        .collect();
    assert!(
        wrong.is_empty(),
        "{list} in layers/allowed.rs does not allow\n{}\nMove what is needed below both, or, when the arrow is right, add it with \
         a word why.",
        wrong.join("\n")
    );
    let used: BTreeSet<(&str, &str)> = edges.iter().map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
    let unused: Vec<String> = arrows
        .iter()
        .filter(|arrow| !used.contains(&(arrow.from, arrow.to)))
        .map(|arrow| format!("{} -> {}", arrow.from, arrow.to))
        .collect();
    assert!(unused.is_empty(), "nothing uses these arrows of {list} any more, take them out: {}", unused.join(", "));
    let silent: Vec<&str> = arrows.iter().filter(|arrow| arrow.why.is_empty()).map(|arrow| arrow.from).collect();
    assert!(silent.is_empty(), "arrows of {list} without a word why: {silent:?}");
}

/// A circle as a reader can follow it: each of its files, and the line that names the next.
fn shown(circle: &[String], edges: &[Edge]) -> String {
    let pairs = circle.iter().zip(circle.iter().cycle().skip(1));
    let lines = pairs.map(|(from, to)| {
        let line = edges.iter().find(|edge| edge.from == *from && edge.to == *to).map_or(0, |edge| edge.line);
        format!("  {from}:{line} uses {to}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The checks above can fail: these workspaces are wrong in one way each.
mod planted {
    use super::*;

    fn planted(files: &[(&str, &str)]) -> Workspace {
        Workspace::of(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }

    fn file_edges(files: &[(&str, &str)]) -> Vec<String> {
        let edges = planted(files).file_edges();
        edges.iter().map(|edge| format!("{}:{} {}", edge.from, edge.line, edge.to)).collect()
    }

    #[test]
    fn every_way_to_name_a_file_is_seen() {
        let lib = ("a/src/lib.rs", "mod one;\nmod two;\n");
        let two = ("a/src/two.rs", "pub struct Two;");
        let ways = [
            "use crate::two::Two;",
            "use super::two::{Two};",
            "use super::{two::{self, Two as Other}};",
            "fn f() -> crate::two::Two { super::two::Two }",
            "use crate::two;\nfn f(_: two::Two) {}",
            "// a comment\nfn f() { let _ = \"text\"; let _ = 'x'; let _: crate::two::Two; }",
        ];
        for way in ways {
            let edges = file_edges(&[lib, ("a/src/one.rs", way), two]);
            assert_eq!(edges.len(), 1, "{way}: {edges:?}");
            assert!(edges[0].starts_with("a/src/one.rs:") && edges[0].ends_with(" a/src/two.rs"), "{way}: {edges:?}");
        }
        let blind = [
            "// crate::two::Two",
            "const A: &str = \"crate::two::Two\";",
            "const A: &str = r#\"\" crate::two::Two\"#;",
            "#[cfg(test)]\nmod tests { use super::*; use crate::two::Two; }",
            "#[cfg(test)]\nuse crate::two::{Two};\nfn f() {}",
            "/* crate::two::Two */ fn f<'a>(_: &'a str) {}",
        ];
        for way in blind {
            assert_eq!(file_edges(&[lib, ("a/src/one.rs", way), two]), Vec::<String>::new(), "{way}");
        }
    }

    #[test]
    fn a_name_that_is_handed_on_counts_for_the_file_that_it_comes_from() {
        let edges = file_edges(&[
            ("a/src/lib.rs", "pub mod inner;\nmod user;\n"),
            ("a/src/inner/mod.rs", "mod deep;\nmod near;\npub use deep::Deep;\n"),
            ("a/src/inner/deep.rs", "pub struct Deep;"),
            ("a/src/inner/near.rs", "\nuse super::Deep;"),
            ("a/src/user.rs", "use crate::inner::Deep;"),
        ]);
        assert_eq!(edges, ["a/src/inner/near.rs:2 a/src/inner/deep.rs", "a/src/user.rs:1 a/src/inner/deep.rs"]);
    }

    #[test]
    fn a_parent_and_its_child_that_use_each_other_are_a_circle() {
        let files = [
            ("a/src/lib.rs", "mod inner;\n"),
            ("a/src/inner/mod.rs", "mod deep;\nuse deep::Deep;\npub struct Inner(Deep);"),
            ("a/src/inner/deep.rs", "pub struct Deep;\nfn f(_: super::Inner) {}"),
        ];
        let edges = planted(&files).file_edges();
        let arrows: Vec<(&str, &str)> = edges.iter().map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
        let circles = circles::find(&arrows);
        assert_eq!(circles.len(), 1);
        let shown = shown(&circles[0], &edges);
        assert!(shown.contains("a/src/inner/mod.rs:2 uses a/src/inner/deep.rs"), "{shown}");
        assert!(shown.contains("a/src/inner/deep.rs:2 uses a/src/inner/mod.rs"), "{shown}");
    }

    #[test]
    fn methods_that_stand_in_another_file_belong_to_the_type() {
        let workspace = planted(&[
            ("a/src/lib.rs", "mod inner;\nmod user;\n"),
            ("a/src/inner/mod.rs", "mod state;\nmod more;\npub use state::State;\n"),
            ("a/src/inner/state.rs", "pub struct State;"),
            ("a/src/inner/more.rs", "use super::State;\nimpl<'a> State { fn f(_: crate::user::User) {} }"),
            ("a/src/user.rs", "\nuse crate::inner::State;\npub struct User;"),
        ]);
        let edges = workspace.file_edges();
        let arrows: Vec<(&str, &str)> = edges.iter().map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
        let circles = circles::find(&arrows);
        assert_eq!(circles.len(), 1, "{edges:?}");
        let shown = shown(&circles[0], &edges);
        assert!(shown.contains("a/src/user.rs:2 uses a/src/inner/more.rs"), "{shown}");
        assert!(shown.contains("a/src/inner/more.rs:2 uses a/src/user.rs"), "{shown}");
    }

    #[test]
    fn folders_and_crates_that_use_each_other_are_seen() {
        let workspace = planted(&[
            ("harness/src/lib.rs", "mod low;\nmod high;\n"),
            ("harness/src/low.rs", "use crate::high::thing::Thing;"),
            ("harness/src/high/mod.rs", "pub mod thing;\n"),
            ("harness/src/high/thing.rs", "use iolite_protocol::Frame;\npub struct Thing;"),
            ("protocol/src/lib.rs", "\nuse iolite::high::thing::Thing;\npub struct Frame;"),
        ]);
        let shown = |edges: Vec<Edge>| {
            edges
                .iter()
                .map(|edge| format!("{}:{} {} {}", edge.file, edge.line, edge.from, edge.to))
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(workspace.folder_edges("harness")), ["harness/src/low.rs:1 low high"]);
        assert_eq!(
            shown(workspace.crate_edges()),
            ["harness/src/high/thing.rs:1 harness protocol", "protocol/src/lib.rs:2 protocol harness"]
        );
    }

    #[test]
    #[should_panic(expected = "harness/src/low.rs:1: low uses high")]
    fn an_edge_without_an_arrow_fails() {
        let edge = Edge { from: "low".into(), to: "high".into(), file: "harness/src/low.rs".into(), line: 1 };
        assert_all_allowed(&[edge], &[], "TEST");
    }

    #[test]
    #[should_panic(expected = "take them out: low -> high")]
    fn an_arrow_without_an_edge_fails() {
        assert_all_allowed(&[], &[Arrow { from: "low", to: "high", why: "none" }], "TEST");
    }
}
