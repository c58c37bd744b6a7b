-- The versions of a replaced read model lie in a table beside it, one for each consumer: a rebuild fills
-- that table as it goes and moves it with the others, instead of copying it while all consumers wait.
do $$
declare
    one text;
begin
    for one in select consumer from bus.replaced loop
        execute format('create table replaced.%I (aggregate uuid primary key, sequence bigint not null)',
                       'reached_by_' || lower(one));
        execute format('insert into replaced.%I select aggregate, sequence from bus.replaced_reached
                        where consumer = %L', 'reached_by_' || lower(one), one);
    end loop;
end $$;

drop table bus.replaced_reached;
