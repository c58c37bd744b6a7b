//! The rows that this service holds about an account, as sections of its copy.

use tiffin_bus::{personal::Personal, personal_sections};

/// Reviews of an owner's dishes are left out: they are their authors' words.
pub static PERSONAL: Personal = Personal {
    sections: personal_sections! {
        "restaurants" of ["restaurants"] =
            r#"select id as "key!", jsonb_build_object(
                'id', id, 'name', name, 'address', address, 'phone', phone, 'description', description,
                'images', images, 'isOpen', is_open, 'verified', verified, 'lat', lat, 'lng', lng,
                'ratingSum', rating_sum, 'ratingCount', rating_count, 'createdAt', created_at,
                'deletedAt', deleted_at) as "row!"
             from restaurants where owner_id = $1 and id > $2 order by id limit $3"#;
        "dishes" of ["items"] =
            r#"select i.id as "key!", jsonb_build_object(
                'id', i.id, 'code', i.code, 'restaurantId', i.restaurant_id, 'name', i.name, 'priceCents', i.price,
                'category', i.category, 'description', i.description, 'images', i.images,
                'available', i.available, 'approved', i.approved, 'ratingSum', i.rating_sum,
                'ratingCount', i.rating_count, 'createdAt', i.created_at, 'deletedAt', i.deleted_at) as "row!"
             from items i join restaurants r on r.id = i.restaurant_id
             where r.owner_id = $1 and i.id > $2 order by i.id limit $3"#;
        "reviews" of ["reviews"] =
            r#"select v.id as "key!", jsonb_build_object(
                'dish', i.name, 'dishId', v.item_id, 'rating', v.rating, 'comment', v.comment,
                'approved', v.approved, 'writtenAt', v.written_at, 'deletedAt', v.deleted_at) as "row!"
             from reviews v join items i on i.id = v.item_id
             where v.author_id = $1 and v.id > $2 order by v.id limit $3"#;
    },
    left_out: &[(
        "people",
        "copies of names and addresses from profiles, which the user service has",
    )],
};
