//! Files, written whole or not at all, so that two runs at once never read each other's half.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

/// Replaces the file at `path`, which everybody may read that may read new files. A device or a pipe, such as
/// `/dev/null`, is written into: root would put a file in its place for every other program.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|facts| !facts.is_file() && !facts.is_dir()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{FileTypeExt, symlink};

    use super::*;

    #[test]
    fn a_device_is_written_into_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        // Through a link, so that nothing but the link could be replaced.
        let path = folder.path().join("null");
        symlink("/dev/null", &path).unwrap();
        write(&path, b"text").unwrap();
        assert!(fs::metadata(&path).unwrap().file_type().is_char_device());
    }
}
