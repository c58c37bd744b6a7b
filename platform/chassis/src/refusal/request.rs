//! Refusals of a request by the parts of it that every service reads the same way. An operation lists those of
//! the extractors that it has.

use crate::refusals;

refusals! {
    /// A body that can't be read, before anything looks at its fields ([`Json`](crate::Json)).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadBody {
        Malformed { line: usize, column: usize } =
            400, "request.body-malformed", "The body is not valid JSON (line {line}, column {column}).";
        Unreadable = 400, "request.body-unreadable", "The body could not be read.";
        TooSlow = 408, "request.body-too-slow", "The body came too slowly. Please try again.";
        TooLarge = 413, "request.body-too-large", "The body is too large.";
        Undeclared =
            415, "request.body-undeclared", "The body must be JSON (Content-Type: application/json).";
        NoRoom = 503, "request.no-room", "Too many requests. Please try again later.";
    }
}

refusals! {
    /// A value of a body or a query that has the wrong type or form.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum BadField {
        Missing { field: String } =
            422, "request.field-required", "{field} is required.", at "{field}";
        Unknown { field: String } =
            422, "request.field-unknown", "{field} is not known here.", at "{field}";
        HasNul { field: String } =
            422, "request.field-has-nul", "{field} must not contain the character NUL.", at "{field}";
        NoText { field: String } =
            422, "request.field-no-text", "{field} must be a text.", at "{field}";
        NoNumber { field: String } =
            422, "request.field-no-number", "{field} must be a number.", at "{field}";
        NoWholeNumber { field: String } =
            422, "request.field-no-whole-number", "{field} must be a whole number.", at "{field}";
        NoBoolean { field: String } =
            422, "request.field-no-boolean", "{field} must be true or false.", at "{field}";
        NoList { field: String } =
            422, "request.field-no-list", "{field} must be a list.", at "{field}";
        NoObject { field: String } =
            422, "request.field-no-object", "{field} must be an object.", at "{field}";
        NoId { field: String } =
            422, "request.field-no-id", "{field} must be an id.", at "{field}";
        NoTime { field: String } =
            422, "request.field-no-time", "{field} must be a time such as 2026-11-21T09:00:00Z.",
            at "{field}";
        NotOneOf { field: String, values: String } =
            422, "request.field-not-one-of", "{field} must be one of {values}.", at "{field}";
        /// `wanted` is what the type's own description says.
        Wrong { field: String, wanted: String } =
            422, "request.field-wrong", "{field} must be {wanted}.", at "{field}";
        /// Of a form in which no field is named.
        NotValid = 422, "request.not-valid", "The request is not valid.";
        NoObjectBody = 422, "request.body-no-object", "The body must be an object.";
        WrongBody { wanted: String } = 422, "request.body-wrong", "The body must be {wanted}.";
        /// `reason` is the type's own sentence.
        Refused { field: String, reason: String } =
            422, "request.field-refused", "{reason}", at "{field}";
        RefusedBody { reason: String } = 422, "request.body-refused", "{reason}";
    }
}

refusals! {
    /// A sentence of a type of the catalogue or of the chassis, found by [`BadValue::named`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadValue {
        AmountDecimals = 422, "request.amount-decimals", "An amount has at most two decimals.";
        /// In a currency without decimals.
        AmountWhole = 422, "request.amount-whole", "An amount has no decimals.";
        /// In a currency with three decimals.
        AmountThousandths =
            422, "request.amount-thousandths", "An amount has at most three decimals.";
        AmountTooLarge = 422, "request.amount-too-large", "The amount is too large.";
        CategoryUnknown =
            422, "request.category-unknown", "The category must be fastfood, familymeals or dessert.";
        PlaceMalformed = 422, "request.place-malformed", "A place is lat,lng in degrees.";
        NoCursor =
            422, "request.cursor-unknown",
            "The cursor does not belong to this list: leave it out to begin with the first page.";
        WordsTooLong =
            422, "request.words-too-long", "What to look for must have at most 100 characters.";
    }
}

impl BadValue {
    const ALL: [Self; 8] = [
        Self::AmountDecimals,
        Self::AmountWhole,
        Self::AmountThousandths,
        Self::AmountTooLarge,
        Self::CategoryUnknown,
        Self::PlaceMalformed,
        Self::NoCursor,
        Self::WordsTooLong,
    ];

    /// The refusal with this sentence. serde passes on nothing else of a type's error.
    pub(crate) fn named(sentence: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|value| value.to_string() == sentence)
    }
}

refusals! {
    /// A path parameter ([`Path`](crate::Path)) by which nothing can be found.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadPath {
        NotFound = 404, "request.not-found", "Not found.";
    }
}

refusals! {
    /// A query ([`Query`](crate::Query)) that can't be read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadQuery {
        HasNul = 422, "request.query-has-nul", "The query must not contain the character NUL.";
        Unreadable = 422, "request.query-unreadable", "The query can't be read.";
    }
}

refusals! {
    /// No token, or one that opens nothing ([`Caller`](crate::Caller)).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadToken {
        Missing = 401, "request.token-missing", "Please login first.";
        Malformed =
            401, "request.token-malformed", "The Authorization header must read: Bearer <token>.";
        Invalid = 401, "request.token-invalid", "The token is not valid.";
        Expired = 401, "request.token-expired", "The token has expired.";
        Revoked = 401, "request.token-revoked", "The token was ended. Please log in again.";
        Doubtful =
            401, "request.token-doubtful",
            "The token can't be trusted any longer just now. Please refresh it.";
        NoKeys =
            503, "request.token-unchecked", "The keys to check tokens with are not available.";
        TwoStepFirst = 403, "request.two-step-first", "Please turn on two-step sign-in first.";
        Unverified = 403, "request.email-unverified", "Please verify your email first";
    }
}

refusals! {
    /// A caller who may not do this.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum WrongCaller {
        Role = 403, "request.not-allowed", "You may not do this.";
        NoOperator = 403, "request.operators-only", "Only operators may do this.";
        ProofTooOld =
            401, "request.proof-too-old",
            "Please confirm that it is you: your last proof is too old for this.";
    }
}

refusals! {
    /// More writes by the caller or from their network than a limit takes ([`Writes`](crate::Writes)).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TooMany {
        Requests = 429, "request.too-many", "Too many requests. Please try again later.";
    }
}

refusals! {
    /// An `Idempotency-Key` that can't be used ([`IdempotencyKey`](crate::IdempotencyKey)).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadKey {
        Malformed =
            422, "request.key-malformed",
            "The Idempotency-Key must be 1 to 255 visible ASCII characters.", at "Idempotency-Key";
        Reused =
            422, "request.key-reused", "This Idempotency-Key was used for another request.";
    }
}

refusals! {
    /// A request that no operation takes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NoOperation {
        Path = 404, "request.path-unknown", "There is nothing here.";
        Method = 405, "request.method-unknown", "This can't be done here.";
        Host = 400, "request.host-missing", "A request names one host.";
    }
}

refusals! {
    /// A failure of the platform. Any operation may answer these.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Failure {
        Internal = 500, "server.failed", "Something went wrong on our side.";
        NotReady =
            503, "server.not-ready", "The service is not ready. Please try again in a moment.";
        TookTooLong = 503, "server.took-too-long", "This took too long. Please try again.";
        Starting = 503, "server.starting", "This is still starting. Please try again.";
        Full = 503, "server.full", "Too many requests. Please try again later.";
    }
}
