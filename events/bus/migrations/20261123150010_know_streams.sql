-- How far this database knows each stream that its events go to. Anything later in the stream was published
-- by a database that this one is not, or was once.
create table bus.heads (
    stream text not null,
    -- The last place of the stream that this database knows.
    stream_sequence bigint not null,
    -- Why nothing is published there until an operator decides, and the stream's last place at that moment.
    trouble text,
    found_sequence bigint,
    found_at timestamptz,
    constraint heads_pkey primary key (stream)
);

insert into bus.heads (stream, stream_sequence)
select stream, max(stream_sequence)
from (
    select case split_part(subject, '.', 2)
               when 'user' then 'USERS'
               when 'inquiry' then 'USERS'
               when 'restaurant' then 'CATALOG'
               when 'item' then 'CATALOG'
               when 'review' then 'CATALOG'
               when 'order' then 'ORDERS'
               when 'payment' then 'PAYMENTS'
               when 'delivery' then 'DELIVERIES'
               when 'driver' then 'DRIVERS'
               when 'notification' then 'NOTIFICATIONS'
               when 'operation' then 'OPERATIONS'
           end as stream,
           stream_sequence
    from bus.outbox
    where starts_with(subject, 'tiffin.') and stream_sequence is not null
) as published
where stream is not null
group by stream;

-- The event that brought an aggregate to its version; another one of that version contradicts it.
alter table bus.reached add column event_id uuid;

-- Whether the event contradicts one that took effect: then the next version does not end the wait.
alter table bus.blocked add column contradicts boolean not null default false;
