//! Where the platform wants configuration and data to lie.

use std::path::PathBuf;

use etcetera::{AppStrategy, AppStrategyArgs};

use crate::problem::{Code, Problem};

/// `~/.local/share/recollect` on Linux.
pub fn data_folder() -> Result<PathBuf, Problem> {
    Ok(strategy()?.data_dir())
}

/// `~/.config/recollect/recollect.toml` on Linux.
pub fn config_file() -> Result<PathBuf, Problem> {
    Ok(strategy()?.in_config_dir("recollect.toml"))
}

/// `~/x` means what it means in a shell: files and variables are not read by one.
pub fn expand_home(text: &str) -> PathBuf {
    match text.strip_prefix("~/").zip(etcetera::home_dir().ok()) {
        Some((rest, home)) => home.join(rest),
        None => PathBuf::from(text),
    }
}

fn strategy() -> Result<impl AppStrategy, Problem> {
    let args = AppStrategyArgs {
        top_level_domain: "org".to_owned(),
        author: "Recollect".to_owned(),
        app_name: "recollect".to_owned(),
    };
    etcetera::choose_app_strategy(args).map_err(|_| {
        Problem::new(Code::InvalidConfiguration, "there is no home folder to keep memory in")
            .hint("name a data folder with --data DIR or RECOLLECT_DATA")
    })
}
