//! The part of the streams that a snapshot has: what is archived, and all of the streams that are not archived.

use tracing::{info, warn};

use super::{Attempt, pause_consumers, read_rest, start::Start};
use crate::{
    BrokerError,
    history::{
        ControlError,
        projection::Projection,
        snapshots::{self, Mark},
        tables,
    },
};

impl Attempt<'_> {
    /// Reads up to the end of the archive and takes a snapshot there, if the last one lacks a segment. Returns whether
    /// it got there.
    pub(super) async fn read_archived(
        &self,
        projections: &mut [Projection<'_>],
        start: &Start,
    ) -> Result<bool, ControlError> {
        let model = self.model.name();
        let mut marks = match self.newest_marks().await {
            Ok(marks) => marks,
            Err(error) => {
                warn!(model, %error, "no snapshot of the read model is taken");
                return Ok(true);
            }
        };
        if !self.is_worth_it(&marks, start) {
            return Ok(true);
        }
        for (projection, mark) in projections.iter_mut().zip(&marks) {
            if mark.position > projection.position
                && !self.catch_up_to(projection, mark.position).await?
            {
                return Ok(false);
            }
        }
        self.settle(projections).await?;
        for (projection, mark) in projections.iter().zip(&mut marks) {
            mark.position = projection.position;
        }
        let same = snapshots::is_same(self.control, self.model, &marks, self.schema).await;
        if same.unwrap_or(false) {
            info!(
                model,
                ?marks,
                "the snapshot of the read model is what its events say"
            );
            return Ok(true);
        }
        match snapshots::take(self.control, self.model, projections, &marks, self.schema).await {
            Ok(()) => info!(model, ?marks, "a snapshot of the read model was taken"),
            Err(error) => warn!(model, %error, "no snapshot of the read model is taken"),
        }
        Ok(true)
    }

    /// The newest marks, in the order of the consumers.
    async fn newest_marks(&self) -> Result<Vec<Mark>, BrokerError> {
        let mut marks = Vec::new();
        for consumer in &self.model.consumers {
            marks.push(Mark::newest(&self.control.broker, consumer).await?);
        }
        Ok(marks)
    }

    /// True if a stream has a segment that the snapshot lacks from which the attempt began.
    fn is_worth_it(&self, marks: &[Mark], start: &Start) -> bool {
        let consumers = self.model.consumers.iter();
        consumers.zip(marks).any(|(consumer, mark)| {
            let last = start.snapshot.as_ref();
            let last = last.map_or(0, |snapshot| snapshot.position_of(consumer));
            mark.stream.is_archived() && mark.position > last
        })
    }

    /// Reads the streams that are not archived to their ends while consumers are paused, and writes the sequences that
    /// are only in memory. There the predecessors of some events are gone for good: an account's past was erased. In
    /// the archive they may come later.
    async fn settle(&self, projections: &mut [Projection<'_>]) -> Result<(), ControlError> {
        let mut tx = tiffin_database::begin(&self.control.pool).await?;
        tables::lock(&mut tx, self.schema, &self.model.tables).await?;
        pause_consumers(&mut tx).await?;
        for projection in projections.iter_mut() {
            if !projection.consumer.stream.is_archived() {
                read_rest(self.control, projection, &mut tx).await?;
            }
        }
        tx.commit().await?;
        let mut tx = tiffin_database::begin(&self.control.pool).await?;
        for projection in projections {
            projection.save(&mut tx).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}
