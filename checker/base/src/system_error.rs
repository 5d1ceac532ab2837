//! Describes errors of the system by what people can change.

use std::io;

/// Describes an error without the number of the system.
pub fn describe(error: &io::Error) -> String {
    match error.kind() {
        // Errors with a text of their own are complete.
        _ if error.get_ref().is_some() => error.to_string(),
        io::ErrorKind::PermissionDenied => "no permission".to_owned(),
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::IsADirectory => "is a folder; name a file".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::describe;

    #[test]
    fn names_the_cause_and_not_its_number() {
        for (error, expected) in [
            (io::ErrorKind::PermissionDenied.into(), "no permission"),
            (io::Error::from_raw_os_error(1), "no permission"),
            (io::Error::new(io::ErrorKind::PermissionDenied, "it is outside"), "it is outside"),
            (io::Error::other("the disk is full"), "the disk is full"),
        ] {
            assert_eq!(describe(&error), expected);
        }
    }
}
