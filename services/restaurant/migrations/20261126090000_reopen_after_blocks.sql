-- True of a restaurant that the block of its owner closed: the end of the block opens it again.
alter table restaurants add column closed_by_block boolean not null default false;
