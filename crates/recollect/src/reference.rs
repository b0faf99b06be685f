//! The reference pages that are made from code: the command line, the settings, the environment, the interface, the
//! schema of exports.
//!
//! They are checked in so that they can be read and searched without building anything; a test fails when one is stale.

use clap::Command;
use memory::settings;

use crate::{cli, environment, mcp, rest};

/// One page.
pub struct ReferencePage {
    pub file: &'static str,
    pub text: String,
}

/// All of them.
pub fn pages() -> Vec<ReferencePage> {
    vec![
        ReferencePage { file: "cli.md", text: command_line() },
        ReferencePage { file: "settings.md", text: settings_page() },
        ReferencePage { file: "environment.md", text: environment::reference_page() },
        ReferencePage { file: "mcp.md", text: mcp::reference::page() },
        ReferencePage { file: "openapi.json", text: rest::openapi::text().to_owned() },
        ReferencePage { file: "export-schema.json", text: transfer::schema::text() },
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

/// The settings, from the one table of them.
fn settings_page() -> String {
    let mut page = String::from(
        "# Settings\n\nGenerated from the table in `crates/memory/src/settings.rs` by `cargo xtask generate`; do not edit.\n\n\
         Settings tune what memory does. They are stored per tenant, take effect at once in a running server, and are \
         changed with `recollect settings set NAME VALUE` (`--everywhere` sets the default of all tenants).\n",
    );
    let defaults = settings::Settings::default();
    for setting in settings::TABLE {
        page.push_str(&format!("\n## `{}`\n\n{}\n\n", setting.name, setting.about));
        page.push_str(&format!("- default: `{}`\n", defaults.get(setting)));
        page.push_str(&format!("- allowed: {}\n", setting.kind.allowed()));
        if !setting.aliases.is_empty() {
            page.push_str(&format!("- also called: `{}`\n", setting.aliases.join("`, `")));
        }
        page.push_str(&format!("- read by: {}\n", setting.read_by));
        page.push_str(&format!("- why: {}\n", setting.reason));
    }
    page.push_str(
        "\n## What is not here\n\n`skillsEnabled`, which one of the systems we unify has beside its memory settings, switches \
         a catalogue of skills that is no part of memory. There are no skills here to switch, and a setting that nothing \
         reads would only look as if it did something; setting it is refused like any other unknown name.\n",
    );
    page
}
