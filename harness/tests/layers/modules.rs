//! Which file a name in another file comes from.

use super::code::{Code, Named};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Something that uses something else: crates, folders or files, and the first line that says so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub from: String,
    pub to: String,
    pub file: String,
    pub line: usize,
}

/// The code of several packages.
#[derive(Debug, Default)]
pub struct Workspace {
    files: Vec<File>,
    /// Files by package and module.
    modules: BTreeMap<(String, Vec<String>), usize>,
}

#[derive(Debug)]
struct File {
    /// `harness/src/engine/stage.rs`
    path: String,
    package: String,
    module: Vec<String>,
    code: Code,
}

/// Where a path leads: to something in a file, to a module itself, or into another package.
enum Place {
    Item(usize, String),
    Module,
    Package(String),
}

impl Place {
    fn is_in(&self, file: usize) -> bool {
        matches!(self, Self::Item(of, _) if *of == file)
    }
}

impl Workspace {
    /// Reads the sources of these packages.
    pub fn read(root: &Path, packages: &[&str]) -> Self {
        let mut files = Vec::new();
        for package in packages {
            let mut open = vec![root.join(package).join("src")];
            while let Some(folder) = open.pop() {
                for entry in std::fs::read_dir(folder).unwrap() {
                    let path = entry.unwrap().path();
                    if path.is_dir() {
                        open.push(path);
                    } else if path.extension().is_some_and(|extension| extension == "rs") {
                        let shown = path.strip_prefix(root).unwrap().display().to_string();
                        files.push((shown, std::fs::read_to_string(&path).unwrap()));
                    }
                }
            }
        }
        files.sort();
        Self::of(files)
    }

    /// These files, by their paths (`package/src/…`).
    pub fn of(files: Vec<(String, String)>) -> Self {
        let mut workspace = Self::default();
        for (path, text) in files {
            let (package, inside) = path.split_once("/src/").unwrap();
            let (package, module) = (package.to_owned(), module_of(inside));
            workspace.modules.insert((package.clone(), module.clone()), workspace.files.len());
            workspace.files.push(File { path, package, module, code: Code::read(&text) });
        }
        workspace.drop_tests();
        workspace
    }

    /// Which packages use which.
    pub fn crate_edges(&self) -> Vec<Edge> {
        self.edges(|file, named| match self.place(file, &named.path)? {
            Place::Package(package) => Some((file.package.clone(), package)),
            Place::Item(..) | Place::Module => None,
        })
    }

    /// Which top folders of a package use which. A file at the top counts as a folder.
    pub fn folder_edges(&self, package: &str) -> Vec<Edge> {
        self.edges(|file, named| {
            let Place::Item(to, _) = self.place(file, &named.path)? else { return None };
            let to = &self.files[to];
            let (from, to) = (file.module.first()?, to.module.first()?);
            (file.package == package).then(|| (from.clone(), to.clone()))
        })
    }

    /// Which files use which. What a file only hands on from below it (`pub use child::Name`) counts for those who use it.
    /// Whoever uses a type uses the files that give it methods, too.
    pub fn file_edges(&self) -> Vec<Edge> {
        let extensions = self.extensions();
        let mut edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (from, file) in self.files.iter().enumerate() {
            for named in &file.code.named {
                let Some(Place::Item(to, name)) = self.place(file, &named.path) else { continue };
                if named.public && self.files[to].module.starts_with(&file.module) {
                    continue;
                }
                edges.entry((from, to)).or_insert(named.line);
                let methods = extensions.get(&(to, name)).filter(|methods| from != to && !methods.contains(&from));
                for method in methods.into_iter().flatten() {
                    edges.entry((from, *method)).or_insert(named.line);
                }
            }
        }
        let edge = |((from, to), line): ((usize, usize), usize)| {
            let (from, to) = (&self.files[from].path, &self.files[to].path);
            Edge { from: from.clone(), to: to.clone(), file: from.clone(), line }
        };
        edges.into_iter().filter(|((from, to), _)| from != to).map(edge).collect()
    }

    /// The files that give methods to a type of another file.
    fn extensions(&self) -> BTreeMap<(usize, String), BTreeSet<usize>> {
        let mut extensions: BTreeMap<(usize, String), BTreeSet<usize>> = BTreeMap::new();
        for (at, file) in self.files.iter().enumerate() {
            for extended in &file.code.extended {
                if let Some(Place::Item(of, name)) = self.place(file, extended).filter(|place| !place.is_in(at)) {
                    extensions.entry((of, name)).or_default().insert(at);
                }
            }
        }
        extensions
    }

    fn edges(&self, edge: impl Fn(&File, &Named) -> Option<(String, String)>) -> Vec<Edge> {
        let mut edges: BTreeMap<(String, String), Edge> = BTreeMap::new();
        for file in &self.files {
            for named in &file.code.named {
                if let Some((from, to)) = edge(file, named).filter(|(from, to)| from != to) {
                    let found =
                        || Edge { from: from.clone(), to: to.clone(), file: file.path.clone(), line: named.line };
                    edges.entry((from.clone(), to.clone())).or_insert_with(found);
                }
            }
        }
        edges.into_values().collect()
    }

    /// Files that only tests have are no code.
    fn drop_tests(&mut self) {
        let of = |file: &File| {
            let module = |name: &String| [file.module.as_slice(), std::slice::from_ref(name)].concat();
            file.code.test_modules.iter().map(|name| (file.package.clone(), module(name))).collect::<Vec<_>>()
        };
        let tests: BTreeSet<(String, Vec<String>)> = self.files.iter().flat_map(of).collect();
        for file in &mut self.files {
            if tests.iter().any(|(package, module)| file.package == *package && file.module.starts_with(module)) {
                file.code = Code::default();
            }
        }
    }

    fn place(&self, file: &File, path: &[String]) -> Option<Place> {
        self.resolve(&file.package, &file.module, path, 0)
    }

    /// Follows a path from a module on. `depth` ends circles of names that stand for each other.
    fn resolve(&self, package: &str, module: &[String], path: &[String], depth: usize) -> Option<Place> {
        if depth > 20 {
            return None;
        }
        let (first, rest) = path.split_first()?;
        if let Some(other) = package_of(first) {
            return match package == other {
                true => self.walk(package, Vec::new(), rest, depth),
                false => Some(Place::Package(other)),
            };
        }
        match first.as_str() {
            "crate" => self.walk(package, Vec::new(), rest, depth),
            "self" => self.walk(package, module.to_vec(), rest, depth),
            "super" => {
                let parent = &module[..module.len().checked_sub(1)?];
                match rest.first().map(String::as_str) {
                    Some("super") => self.resolve(package, parent, rest, depth),
                    _ => self.walk(package, parent.to_vec(), rest, depth),
                }
            }
            _ => {
                let child = [module, std::slice::from_ref(first)].concat();
                if self.modules.contains_key(&(package.to_owned(), child.clone())) {
                    return self.walk(package, child, rest, depth);
                }
                // What a `use` has named; an import never names itself.
                let bound = self.bound(package, module, first).filter(|bound| *bound != path)?;
                self.resolve(package, module, &[bound, rest].concat(), depth + 1)
            }
        }
    }

    fn walk(&self, package: &str, mut module: Vec<String>, path: &[String], depth: usize) -> Option<Place> {
        for (at, name) in path.iter().enumerate() {
            let below = [module.as_slice(), std::slice::from_ref(name)].concat();
            if self.modules.contains_key(&(package.to_owned(), below.clone())) {
                module = below;
                continue;
            }
            if let Some(bound) = self.bound(package, &module, name) {
                let path = [bound, &path[at + 1..]].concat();
                if let Some(place) = self.resolve(package, &module, &path, depth + 1) {
                    return Some(place);
                }
            }
            return self.modules.get(&(package.to_owned(), module)).map(|file| Place::Item(*file, name.clone()));
        }
        Some(Place::Module)
    }

    /// The path for which a name stands in a module because a `use` says so.
    fn bound(&self, package: &str, module: &[String], name: &str) -> Option<&[String]> {
        let file = &self.files[*self.modules.get(&(package.to_owned(), module.to_vec()))?];
        let named =
            file.code.named.iter().find(|named| named.alias.as_deref() == Some(name) && named.path.len() > 1)?;
        Some(&named.path)
    }
}

fn module_of(inside: &str) -> Vec<String> {
    let stem = inside.strip_suffix(".rs").unwrap_or(inside);
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    if stem == "lib" { Vec::new() } else { stem.split('/').map(str::to_owned).collect() }
}

/// The package of a crate's name in code: `iolite_mock_app` is `mock-app`, `iolite` the harness.
fn package_of(name: &str) -> Option<String> {
    match name.strip_prefix("iolite") {
        Some("") => Some("harness".to_owned()),
        Some(rest) => rest.strip_prefix('_').map(|rest| rest.replace('_', "-")),
        None => None,
    }
}
