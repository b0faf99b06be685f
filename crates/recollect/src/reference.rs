//! The reference pages that are made from code: the command line, the settings, the environment, the interface, the
//! schema of exports.
//!
//! They are checked in so that they can be read and searched without building anything; a test fails when one is stale.

use clap::Command;

use crate::{cli, environment, mcp, rest};

/// One page.
pub struct Page {
    pub file: &'static str,
    pub text: String,
}

/// All of them.
pub fn pages() -> Vec<Page> {
    vec![
        Page { file: "cli.md", text: command_line() },
        Page { file: "settings.md", text: memory::settings::reference_page() },
        Page { file: "environment.md", text: environment::reference_page() },
        Page { file: "mcp.md", text: mcp::reference::page() },
        Page { file: "openapi.json", text: rest::openapi::text().to_owned() },
        Page { file: "export-schema.json", text: transfer::schema::text() },
    ]
}

fn command_line() -> String {
    let mut page = String::from(
        "# The command line\n\nGenerated from `crates/recollect/src/cli` by `cargo xtask generate`; do not edit.\n\n\
         Answers go to stdout and talk to stderr. Exit codes: 0 done, 1 failed or nothing there, 2 asked wrongly.\n",
    );
    // A fixed width: the page must not depend on the terminal that generates it.
    let mut grammar = cli::grammar().term_width(100);
    grammar.build();
    describe(&grammar, "recollect", 2, &mut page);
    page
}

fn describe(command: &Command, name: &str, depth: usize, page: &mut String) {
    let heading = "#".repeat(depth.min(4));
    let help = command.clone().render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    page.push_str(&format!("\n{heading} `{name}`\n\n```text\n{}\n```\n", help.join("\n").trim_end()));
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        describe(inner, &format!("{name} {}", inner.get_name()), depth + 1, page);
    }
}
