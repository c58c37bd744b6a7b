//! The subjects of a selection.

use super::{Selection, refusal::Refusal};

/// The subjects a selection is of: its filter, within what the consumer takes.
pub(super) fn subjects(taken: &[String], selection: &Selection) -> Result<Vec<String>, Refusal> {
    if selection.from == 0 || selection.from > selection.to {
        let (from, to) = (selection.from, selection.to);
        return Err(Refusal::EmptyWindow { from, to });
    }
    let Some(filter) = &selection.filter else {
        return Ok(taken.to_vec());
    };
    if taken.iter().any(|subject| covers(subject, filter)) {
        return Ok(vec![filter.clone()]);
    }
    Err(Refusal::NotTaken {
        taken: taken.to_vec(),
        filter: filter.clone(),
    })
}

/// True if every subject of `inner` is one of `outer`, for subjects of words and `*`.
fn covers(outer: &str, inner: &str) -> bool {
    let (outer, inner) = (outer.split('.'), inner.split('.'));
    outer.clone().count() == inner.clone().count()
        && outer.zip(inner).all(|(outer, inner)| {
            outer == "*" && inner != ">" && !inner.is_empty() || outer == inner
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_taken_within_what_the_consumer_takes_and_refused_beside_it() {
        let taken = ["tiffin.order.*.*".to_owned()];
        let of = |filter: Option<&str>, from, to| {
            let selection = Selection {
                from,
                to,
                filter: filter.map(ToOwned::to_owned),
            };
            subjects(&taken, &selection).ok()
        };
        assert_eq!(of(None, 1, 1), Some(taken.to_vec()));
        let placed = "tiffin.order.*.placed";
        assert_eq!(of(Some(placed), 1, 9), Some(vec![placed.to_owned()]));
        assert_eq!(of(Some("tiffin.user.*.*"), 1, 9), None);
        assert_eq!(of(Some("tiffin.order.>"), 1, 9), None);
        assert_eq!(of(Some("tiffin.order.*."), 1, 9), None);
        assert_eq!(of(None, 9, 1), None);
        assert_eq!(of(None, 0, 1), None);
    }
}
