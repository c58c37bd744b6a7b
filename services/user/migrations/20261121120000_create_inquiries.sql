-- What people ask the administrators, and what they are answered. Whose e-mail and phone go with one
-- stands in the account alone.
create table inquiries (
    id uuid not null,
    version bigint not null,
    author_id uuid not null,
    message text not null,
    response text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    answered_at timestamptz,
    constraint inquiries_pkey primary key (id),
    constraint inquiries_author_fkey foreign key (author_id) references users (id),
    constraint inquiries_answer_check check ((response is null) = (answered_at is null))
);

create index inquiries_author_idx on inquiries (author_id, id);
