//! The errors in all fields of a request, so that a person corrects them at once.

use std::collections::BTreeMap;

use http::StatusCode;

use crate::{Problem, Reason, refusal::BadField};

/// The errors in the fields of one request.
#[derive(Debug, Default)]
pub struct FieldErrors {
    first: Option<Reason>,
    fields: BTreeMap<String, Reason>,
}

impl FieldErrors {
    /// The value, or `None` with the error noted.
    pub fn check<T>(&mut self, field: &str, result: Result<T, impl Into<Reason>>) -> Option<T> {
        result
            .map_err(|error| {
                let reason = error.into();
                self.first.get_or_insert_with(|| reason.clone());
                self.fields.insert(field.to_owned(), reason);
            })
            .ok()
    }

    /// Like [`FieldErrors::check`], of a field that may be left out. The outer `None` is an error.
    pub fn check_given<T, V, F: Into<Reason>>(
        &mut self,
        field: &str,
        value: Option<V>,
        rule: impl FnOnce(V) -> Result<T, F>,
    ) -> Option<Option<T>> {
        match value {
            None => Some(None),
            Some(value) => self.check(field, rule(value)).map(Some),
        }
    }

    /// 422 naming every error; the first one's sentence is the problem's.
    pub fn into_problem(self) -> Problem {
        let first = self
            .first
            .unwrap_or_else(|| Reason::from(BadField::NotValid));
        Problem {
            fields: self.fields,
            ..Problem::relayed(StatusCode::UNPROCESSABLE_ENTITY, first)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FieldErrors;
    use crate::refusal::{BadKey, BadPath};

    #[test]
    fn every_error_is_named_and_the_first_speaks() {
        let mut errors = FieldErrors::default();
        assert_eq!(errors.check("a", Ok::<_, BadPath>(1)), Some(1));
        assert_eq!(errors.check::<()>("c", Err(BadPath::NotFound)), None);
        let rule = |_| Err::<(), _>(BadKey::Reused);
        assert_eq!(errors.check_given("b", Some(1), rule), None);
        assert_eq!(
            errors.check_given("d", None::<i32>, Ok::<_, BadPath>),
            Some(None)
        );
        let problem = errors.into_problem();
        assert_eq!(problem.reason.message, "Not found.");
        assert_eq!(problem.fields.keys().collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(problem.fields["b"].code, "request.key-reused");
    }
}
