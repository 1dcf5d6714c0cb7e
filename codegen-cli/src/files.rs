//! Files, written whole or not at all, so that two runs at once never read each other's half.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

/// Replaces the file at `path`, which everybody may read that may read new files.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, bytes, None)
}

/// The same for a file that is no more open to others than `model`, where there is such a file.
pub(crate) fn write_like(path: &Path, bytes: &[u8], model: &Path) -> io::Result<()> {
    match fs::metadata(model) {
        Ok(facts) => replace(path, bytes, Some(facts.permissions())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => write(path, bytes),
        Err(error) => Err(error),
    }
}

fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    match permissions {
        Some(permissions) => {
            builder.permissions(permissions);
        }
        None => ordinary(&mut builder),
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Those of an ordinary new file; temporary ones are private otherwise.
#[cfg(unix)]
fn ordinary(builder: &mut Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(Permissions::from_mode(0o666));
}

/// Elsewhere the folder says who may read.
#[cfg(not(unix))]
fn ordinary(_: &mut Builder<'_, '_>) {}
