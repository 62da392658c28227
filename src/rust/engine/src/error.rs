//! All reasons why input is refused or work ends without a result.

use std::fmt;

/// Why there is no result. Callers may rely on `kind()`; the text is for people.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    /// A setting is out of range.
    Argument(String),
    /// The rows, labels or items do not fit together.
    Data(String),
    /// Mining found more candidates than allowed.
    MaxRules {
        /// The most candidates allowed.
        limit: usize,
        /// The smallest support on a 1% grid known to stay within the limit, if any.
        enough: Option<f64>,
    },
    /// An allocation of this many bytes was refused.
    Memory(usize),
    /// The rows that the candidates cover take more memory than there is.
    Covers {
        /// Number of candidates.
        candidates: usize,
        /// Bytes of their covers.
        bytes: u64,
        /// Bytes that are free.
        available: u64,
        /// Candidates whose covers would fit.
        enough: u64,
    },
    /// The system would not start a thread.
    NoThread,
    /// The caller cancelled the work.
    Cancelled,
    /// The time limit was reached before the candidates were mined.
    TimeLimit,
    /// A certificate was asked for, and its bounds do not cover this.
    NotCertifiable(&'static str),
    /// A file is not a model, or is damaged.
    File(String),
    /// A bug: a panic in a worker or a violated invariant.
    Internal(String),
}

impl Error {
    /// The stable name of the variant.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Argument(_) => "argument",
            Error::Data(_) => "data",
            Error::MaxRules { .. } => "max_rules",
            Error::Memory(_) | Error::Covers { .. } | Error::NoThread => "memory",
            Error::Cancelled => "cancelled",
            Error::TimeLimit => "time_limit",
            Error::NotCertifiable(_) => "not_certifiable",
            Error::File(_) => "file",
            Error::Internal(_) => "internal",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Argument(text) | Error::Data(text) | Error::File(text) => f.write_str(text),
            Error::MaxRules { limit, enough } => {
                write!(f, "There are more than `max_rules` = {limit} candidates. ")?;
                match enough {
                    Some(support) => write!(
                        f,
                        "A minimum support of {support} or more gives fewer; so does a smaller `rule_maxlen`."
                    ),
                    None => f.write_str(
                        "No support was found that gives fewer; use a smaller `rule_maxlen` or a larger `max_rules`.",
                    ),
                }
            }
            Error::Memory(0) => f.write_str("Not enough memory."),
            Error::Memory(bytes) => write!(f, "Not enough memory: {bytes} bytes were refused."),
            Error::Covers { candidates, bytes, available, enough } => {
                let gigabytes = |bytes: u64| bytes as f64 / 1e9;
                write!(
                    f,
                    "Not enough memory: {candidates} candidates with one bit for each row take {:.1} GB, and {:.1} GB are free. \
                     Set `target_rules = {enough}` or less, raise the minimum support or lower `rule_maxlen`.",
                    gigabytes(*bytes),
                    gigabytes(*available)
                )
            }
            Error::NoThread => f.write_str("Not enough memory: no thread could be started."),
            Error::Cancelled => f.write_str("The search was cancelled."),
            Error::TimeLimit => f.write_str(
                "`time_limit` ran out while candidates were being mined. Raise it, raise the minimum support or lower `rule_maxlen`.",
            ),
            Error::NotCertifiable(what) => write!(f, "There are no certificates for {what}."),
            Error::Internal(text) => write!(f, "Internal error in the engine, please report it: {text}"),
        }
    }
}

impl std::error::Error for Error {}
