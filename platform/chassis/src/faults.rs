//! Gathering everything that is wrong with a request, so that people fix it in one go.

use std::collections::BTreeMap;

use crate::Problem;

/// The faults of one request's fields.
#[derive(Debug, Default)]
pub struct Faults {
    first: Option<String>,
    fields: BTreeMap<String, String>,
}

impl Faults {
    /// The value, or `None` with the fault noted.
    pub fn check<T>(&mut self, field: &str, result: Result<T, String>) -> Option<T> {
        result
            .map_err(|message| {
                self.first.get_or_insert_with(|| message.clone());
                self.fields.insert(field.to_owned(), message);
            })
            .ok()
    }

    /// Like [`Faults::check`], of a field that may be left out. The outer `None` is a fault.
    pub fn check_given<T, V>(
        &mut self,
        field: &str,
        value: Option<V>,
        rule: impl FnOnce(V) -> Result<T, String>,
    ) -> Option<Option<T>> {
        match value {
            None => Some(None),
            Some(value) => self.check(field, rule(value)).map(Some),
        }
    }

    /// 422 naming every fault; the first one's sentence is the problem's.
    pub fn into_problem(self) -> Problem {
        let first = self
            .first
            .unwrap_or_else(|| "The request is not valid.".to_owned());
        Problem {
            fields: self.fields,
            ..Problem::unprocessable(first)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Faults;

    #[test]
    fn every_fault_is_named_and_the_first_speaks() {
        let mut faults = Faults::default();
        assert_eq!(faults.check("a", Ok(1)), Some(1));
        assert_eq!(faults.check::<()>("c", Err("C is wrong.".to_owned())), None);
        assert_eq!(
            faults.check_given("b", Some(1), |_| Err::<(), _>("B is wrong.".to_owned())),
            None
        );
        assert_eq!(faults.check_given("d", None::<i32>, Ok), Some(None));
        let problem = faults.into_problem();
        assert_eq!(problem.message, "C is wrong.");
        assert_eq!(problem.fields.keys().collect::<Vec<_>>(), ["b", "c"]);
    }
}
