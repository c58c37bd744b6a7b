//! The rows that this service holds about an account, as sections of its copy.

use std::sync::Arc;

use tiffin_bus::{
    personal::{Personal, ReadFile},
    personal_sections,
};
use tiffin_events::UserId;
use uuid::Uuid;

use super::pictures;
use crate::{State, picture::ORIGINAL};

/// Every row is the uploader's own. `file` is the picture's path in the archive; names may hold anything.
pub static PERSONAL: Personal = Personal {
    sections: personal_sections! {
        "pictures" of ["pictures"] =
            r#"select id as "key!", jsonb_build_object(
                'id', id, 'file', 'pictures/' || id || '.' || format, 'name', name, 'width', width,
                'height', height, 'size', size, 'uploadedAt', uploaded_at) as "row!"
             from pictures where owner = $1 and ready and id > $2 order by id limit $3"#;
    },
    left_out: &[(
        "uses",
        "names of pictures that profiles, restaurants, dishes and orders show, which their services have",
    )],
};

/// Reads pictures of their uploaders.
pub fn personal_files(state: &State) -> ReadFile {
    let state = state.clone();
    Arc::new(move |UserId(account), id: Uuid| {
        let state = state.clone();
        Box::pin(async move {
            if !pictures::is_of(&state.pool, id, account).await? {
                return Ok(None);
            }
            Ok(state.storage.get(id, ORIGINAL).await?)
        })
    })
}
