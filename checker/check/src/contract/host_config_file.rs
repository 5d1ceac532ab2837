//! Reads the host's configuration file that `site.host-config` names, which has redirects.

use std::path::PathBuf;

use sitegate_host::Host;
use sitegate_host::redirects::HostConfigFile;
use toml::Spanned;

use super::contract_files::Documents;
use super::error::ContractError;

/// Reads the file.
///
/// # Errors
/// If its name is not that of a configuration file, if another host reads it, or if it cannot be read.
pub(super) fn read_host_config(
    name: &Spanned<PathBuf>,
    stated: Option<Host>,
    documents: &Documents,
) -> Result<HostConfigFile, ContractError> {
    let fail = |message: String| documents.error(name.span(), format!("`site.host-config`: {message}"));
    let path = documents.folder(name.span().start).join(name.get_ref());
    let host = path.file_name().and_then(|file| Host::of_config_file(file.to_str()?)).ok_or_else(|| {
        let names: Vec<&str> = Host::ALL.into_iter().filter_map(Host::config_file).collect();
        fail(format!("the file must be named {}", names.join(", ")))
    })?;
    if let Some(stated) = stated.filter(|stated| *stated != host) {
        let (read_by, stated) = (host.name(), stated.name());
        return Err(fail(format!("the host `{read_by}` reads this file, but `site.host` is `{stated}`")));
    }
    let content =
        documents.access.read(&path).map_err(|error| fail(format!("{}: {error}", path.display())))?;
    Ok(HostConfigFile { path, host, content, span: name.span() })
}
