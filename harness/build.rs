//! Scenarios and fixtures are embedded in the library, so a change in them is a change of it.

fn main() {
    println!("cargo:rerun-if-changed=../scenarios");
    println!("cargo:rerun-if-changed=../fixtures/requirements");
    println!("cargo:rerun-if-changed=../fixtures/requirement-sets");
    println!("cargo:rerun-if-changed=../fixtures/faults");
    println!("cargo:rerun-if-changed=../fixtures/targets/reference.toml");
    // The binary is also the daemon, its MCP server and its command line, so one run starts it a thousand times. At a fixed
    // address none of its pointers have to be relocated when it starts.
    let linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    let gnu = std::env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu");
    if linux && gnu {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
