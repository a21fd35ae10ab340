//! Scenarios and fixtures are embedded in the library, so a change in them is a change of it.

fn main() {
    println!("cargo:rerun-if-changed=../scenarios");
    println!("cargo:rerun-if-changed=../fixtures/requirements");
    println!("cargo:rerun-if-changed=../fixtures/requirement-sets");
    println!("cargo:rerun-if-changed=../fixtures/targets/reference.toml");
}
