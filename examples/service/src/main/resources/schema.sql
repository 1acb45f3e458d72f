create table item (
  id text primary key,
  stock integer not null,
  -- The fencing token of the last sale, for JdbcGuard.
  token bigint
);

-- Nothing keeps a piece from being recorded twice: what is sold twice is to be seen here.
create table sale (
  id bigint generated always as identity primary key,
  item text not null references item,
  piece integer not null,
  instance text not null,
  sold_at timestamp with time zone not null default clock_timestamp()
);
