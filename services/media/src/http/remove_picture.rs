use axum::extract::State;
use serde::Serialize;
use tiffin_chassis::{
    Caller, Json, Path, Problem,
    refusal::{BadPath, BadToken, Failure},
    refused_by,
};
use utoipa::ToSchema;

use crate::{
    error::{Error, Refusal},
    store::pictures,
    sweep::remove,
};

/// A sentence for the reader.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    message: &'static str,
}

refused_by! {
    RemovePictureRefusals:
        BadPath, BadToken, Refusal::{NoPicture, NotYours}, Failure::{NotReady},
}

/// Removes a picture. What was uploaded with the anonymous key is an administrator's to remove.
#[utoipa::path(
    delete,
    path = "/storage/v1/object/images/{name}",
    tag = "media",
    params(("name" = String, Path, description = "The picture's name.")),
    responses(
        (status = 200, description = "The picture is deleted.", body = Message),
        RemovePictureRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn remove_picture(
    State(state): State<crate::State>,
    caller: Caller,
    Path(name): Path<String>,
) -> Result<Json<Message>, Problem> {
    let found = pictures::find(&state.pool, &name).await?;
    let picture = found.ok_or(Error::from(Refusal::NoPicture))?;
    if picture.owner != Some(caller.id) && !caller.is_admin() {
        return Err(Error::from(Refusal::NotYours).into());
    }
    remove(&state, picture.id).await?;
    Ok(Json(Message {
        message: "Successfully deleted",
    }))
}
