//! The one error table: each code with its HTTP status, its exit code and who is to act.
//!
//! Every surface answers with a [`Problem`] and nothing else, so a mistake reads the same on a terminal, in JSON and
//! over HTTP. A problem of the caller's says what is wrong, what was expected, and a hint. One of ours says only that
//! something failed and under which id the log has the cause: causes hold paths and SQL, which are nobody's business.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use memory::error::{Invalid, StoreError};
use memory::ports::Clock;
use serde::{Deserialize, Serialize};
use store::{Denied, SystemClock};

macro_rules! codes {
    ($( $(#[$doc:meta])* $code:ident = $status:literal, exit $exit:literal; )+) => {
        /// What went wrong, by what the caller must do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Code { $( $(#[$doc])* $code ),+ }

        impl Code {
            pub const ALL: &'static [Code] = &[$( Code::$code ),+];

            pub fn status(self) -> StatusCode {
                let status = match self { $( Code::$code => $status ),+ };
                StatusCode::from_u16(status).expect("the table holds real statuses")
            }

            /// 1: it failed. 2: it was asked wrongly.
            pub fn exit(self) -> u8 {
                match self { $( Code::$code => $exit ),+ }
            }
        }
    };
}

codes! {
    /// Correct what was given.
    InvalidInput = 400, exit 2;
    /// Correct the configuration: file, variable or flag.
    InvalidConfiguration = 400, exit 2;
    /// Show a key that opens this.
    Unauthorized = 401, exit 1;
    /// There is no such thing in this tenant, or no such route.
    NotFound = 404, exit 1;
    /// There is no such tenant.
    UnknownTenant = 404, exit 1;
    /// Use another method on this route.
    MethodNotAllowed = 405, exit 2;
    /// Send less.
    TooLarge = 413, exit 2;
    /// Somebody was faster: read again and decide anew.
    Conflict = 409, exit 1;
    /// It is no longer at the version that was named: read again and decide anew.
    PreconditionFailed = 412, exit 1;
    /// A bound that a setting draws is reached.
    LimitReached = 422, exit 1;
    /// The caller may not.
    Denied = 403, exit 1;
    /// Too many requests: come back later.
    RateLimited = 429, exit 1;
    /// A server already runs on this data folder.
    AlreadyRunning = 409, exit 1;
    /// The running server is of another version.
    VersionMismatch = 409, exit 1;
    /// Come back in a moment.
    Busy = 503, exit 1;
    /// It cannot be reached or opened now.
    Unavailable = 503, exit 1;
    /// No server of models is configured that could answer.
    NoUpstream = 503, exit 1;
    /// The configured server of models did not answer.
    UpstreamUnreachable = 502, exit 1;
    /// An upstream leads back to this server: correct its address.
    LoopDetected = 508, exit 1;
    /// There is no such thing here; the hint says what there is.
    NotImplemented = 501, exit 1;
    /// Ours. The log has the cause.
    Internal = 500, exit 1;
}

/// What a surface says when it does not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error, utoipa::ToSchema)]
#[error("{message}")]
pub struct Problem {
    pub code: Code,
    /// What is wrong and what was expected.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Which fields of the request are to blame, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
    /// When to come back, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
}

/// A field that is to blame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Detail {
    /// Its path in the request, such as `messages[3].date`.
    pub field: String,
    pub message: String,
}

/// The shape of a problem on every wire: `{"error": {"code", "message", "hint", "details"}}`.
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ProblemBody {
    pub error: Problem,
}

impl Problem {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, details: Vec::new(), retry_after_seconds: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidInput, message)
    }

    /// One field of the request is wrong.
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        let (field, message) = (field.into(), message.into());
        let details = vec![Detail { field, message: message.clone() }];
        Self { details, ..Self::invalid(message) }
    }

    /// One of ours: the cause goes to the log under an id, and only the id to the caller.
    pub fn ours(cause: impl std::fmt::Display) -> Self {
        let id = SystemClock.uuid().simple().to_string().split_off(20);
        tracing::error!(error_id = %id, %cause, "an operation failed");
        Self::new(Code::Internal, format!("something failed here (error id {id})"))
            .hint("the log has the cause under this id")
    }

    pub fn body(&self) -> String {
        let body = ProblemBody { error: self.clone() };
        serde_json::to_string(&body).expect("a problem is text only")
    }
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Self {
        let problem = match invalid.field {
            Some(field) => Self::field(field, invalid.message),
            None => Self::invalid(invalid.message),
        };
        Self { hint: invalid.hint, ..problem }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Invalid(invalid) => invalid.into(),
            StoreError::NotFound(of) => Self::new(Code::NotFound, format!("there is no {of}")),
            StoreError::Conflict { .. } => Self::new(Code::Conflict, error.to_string())
                .hint("somebody changed it in the meantime; look at it again and repeat"),
            StoreError::Busy(_) => Self::new(Code::Busy, error.to_string()).hint("try again in a moment"),
            StoreError::Locked(_) => Self::new(Code::Unavailable, error.to_string()),
            StoreError::Failed(cause) => Self::ours(cause),
        }
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        let hint = match denied {
            Denied::Store(error) => return error.into(),
            Denied::NoKey => "send one as `Authorization: Bearer rk_…` or `X-Recollect-Key: rk_…`",
            Denied::Malformed => "copy it again, from `rk_` to its end",
            Denied::UnknownKey | Denied::Expired { .. } | Denied::Revoked { .. } => {
                "`recollect keys create` makes a new one"
            }
        };
        Self::new(Code::Unauthorized, denied.to_string()).hint(hint)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let json = [(header::CONTENT_TYPE, "application/json")];
        let mut response = (self.code.status(), json, self.body()).into_response();
        if self.code == Code::Unauthorized {
            let challenge = HeaderValue::from_static("Bearer realm=\"recollect\"");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        if let Some(seconds) = self.retry_after_seconds {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_callers_mistakes_exit_with_two_and_ours_with_one() {
        for code in Code::ALL {
            let status = code.status().as_u16();
            assert!((400..600).contains(&status), "{code:?}");
            if status >= 500 {
                assert_eq!(code.exit(), 1, "{code:?}");
            }
        }
        assert_eq!(Code::InvalidInput.exit(), 2);
    }

    #[test]
    fn the_cause_of_our_errors_stays_inside() {
        let problem = Problem::from(StoreError::Failed("disk I/O error in /secret/place".into()));
        assert_eq!(problem.code, Code::Internal);
        assert!(!problem.body().contains("secret"), "{}", problem.body());
    }

    #[test]
    fn a_problem_survives_the_wire() {
        let problem = Problem::invalid("no").hint("yes");
        let body: ProblemBody = serde_json::from_str(&problem.body()).expect("its own shape");
        assert_eq!(body.error, problem);
    }
}
