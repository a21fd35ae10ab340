//! Limits of this side: files, space, and where folders may be. What goes wrong with them says nothing about the daemon.

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::io::Error;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How long the path of a daemon's folder may be: a Unix socket's path ends at 107 bytes, and the daemon has to put a folder
/// and a name behind it.
const FOLDER_LENGTH_MAX: usize = 60;

/// Lets this process open as many files as the system allows. Many daemons and clients at once need more than the usual.
pub fn raise_file_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        limit.current = limit.maximum;
        // Where that is refused, the limit there was must do.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// Whether an error tells of a limit of this side: files or space have run out.
pub(crate) fn is_own_limit(error: &Error) -> bool {
    let own = [Errno::MFILE, Errno::NFILE, Errno::NOSPC, Errno::DQUOT, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| own.contains(&errno))
}

/// A fresh folder for a daemon: in the usual place, or where the path is short enough and the folder can be made.
pub(super) fn scratch_folder() -> Result<TempDir, Error> {
    let own = rustix::process::getuid().as_raw();
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let places = [Some(std::env::temp_dir()), runtime, Some("/tmp".into()), Some(format!("/run/user/{own}").into())];
    scratch_folder_in(places.into_iter().flatten())
}

fn scratch_folder_in(places: impl Iterator<Item = PathBuf>) -> Result<TempDir, Error> {
    let mut first = None;
    for place in places {
        match folder_in(&place) {
            Ok(folder) => return Ok(folder),
            Err(error) => {
                _ = first.get_or_insert_with(|| Error::new(error.kind(), format!("{}: {error}", place.display())))
            }
        }
    }
    Err(first.unwrap_or_else(|| Error::other("there is no place for it")))
}

fn folder_in(place: &Path) -> Result<TempDir, Error> {
    let folder = tempfile::Builder::new().prefix("iolite-").tempdir_in(place)?;
    if folder.path().as_os_str().len() > FOLDER_LENGTH_MAX {
        return Err(Error::other("its path is too long for the sockets that have to stand in it"));
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_missing_or_too_long_is_passed_over() {
        let base = tempfile::Builder::new().prefix("s").tempdir_in("/tmp").unwrap();
        let long = base.path().join("l".repeat(80));
        std::fs::create_dir(&long).unwrap();
        let places = || vec![base.path().join("missing"), long.clone()];
        let folder = scratch_folder_in(places().into_iter().chain([base.path().into()])).unwrap();
        assert_eq!(folder.path().parent(), Some(base.path()));
        let nowhere = scratch_folder_in(places().into_iter()).unwrap_err();
        assert!(nowhere.to_string().contains("missing"), "{nowhere}");
    }

    #[test]
    fn only_what_has_run_out_here_is_our_own() {
        let is_own = |errno: Errno| is_own_limit(&Error::from(errno));
        assert!(is_own(Errno::MFILE) && is_own(Errno::NFILE) && is_own(Errno::NOSPC));
        assert!(!is_own(Errno::CONNREFUSED) && !is_own(Errno::NOENT) && !is_own_limit(&Error::other("MFILE")));
    }

    #[test]
    fn the_soft_limit_becomes_the_hard_one() {
        raise_file_limit();
        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current, limit.maximum);
    }
}
