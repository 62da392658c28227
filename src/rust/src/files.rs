//! What R cannot ask of the file system: what a path names, and whose a file is.

use crate::answer::Answer;
use crate::convert::{guard, Arg};
use extendr_api::prelude::*;
use std::fs;
use std::path::Path;

/// What a path names, through links: "none", "file", "folder", "pipe" or "other", such as a device.
/// @noRd
#[extendr]
fn native_file_kind(path: Robj) -> Robj {
    guard(|| {
        let path = Arg::of(&path).text("path")?;
        Ok(Answer::text(kind(Path::new(&path))))
    })
}

/// Give the file `to` the mode of the file `from`, and its owner and group as far as that is allowed.
/// @noRd
#[extendr]
fn native_keep_access(from: Robj, to: Robj) -> Robj {
    guard(|| {
        let (from, to) = (Arg::of(&from).text("from")?, Arg::of(&to).text("to")?);
        // a file that cannot be given away is ours, with the mode that it was made with
        let _ = keep_access(Path::new(&from), Path::new(&to));
        Ok(Answer::Null)
    })
}

fn kind(path: &Path) -> &'static str {
    let Ok(metadata) = fs::metadata(path) else {
        return "none";
    };
    let found = metadata.file_type();
    if found.is_file() {
        "file"
    } else if found.is_dir() {
        "folder"
    } else if is_pipe(&found) {
        "pipe"
    } else {
        "other"
    }
}

#[cfg(unix)]
fn is_pipe(kind: &fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::FileType) -> bool {
    false
}

#[cfg(unix)]
fn keep_access(from: &Path, to: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{chown, MetadataExt, PermissionsExt};
    let (old, new) = (fs::metadata(from)?, fs::metadata(to)?);
    let mut mode = old.mode() & 0o777;
    let has_owner = old.uid() == new.uid() || chown(to, Some(old.uid()), None).is_ok();
    let has_group = old.gid() == new.gid() || chown(to, None, Some(old.gid())).is_ok();
    if !has_group {
        // another group may do no more than everybody
        mode &= 0o707 | (mode & 0o007) << 3;
    }
    if has_owner && has_group {
        // those that run as their owner or group stay so
        mode = old.mode() & 0o7777;
    }
    fs::set_permissions(to, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_access(_: &Path, _: &Path) -> std::io::Result<()> {
    Ok(())
}

extendr_module! {
    mod files;
    fn native_file_kind;
    fn native_keep_access;
}
