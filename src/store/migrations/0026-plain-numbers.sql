-- The letters and digits of a number: what is compared with what a guest types. SQLite generates it from the search form, so
-- that it is right for the rows that the release before writes.
ALTER TABLE stay_reservation_id ADD COLUMN plainForm TEXT GENERATED ALWAYS AS (nullif(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(searchForm, '#', ''), '&', ''), '''', ''), '(', ''), ')', ''), '*', ''), '+', ''), ',', ''), '-', ''), '.', ''), '/', ''), ':', ''), '=', ''), '@', ''), '[', ''), '\', ''), ']', ''), '_', ''), '|', ''), '‐', ''), '–', ''), '—', ''), '−', ''), '’', ''), '')) VIRTUAL;

CREATE INDEX stay_reservation_id_plainForm ON stay_reservation_id (plainForm) WHERE plainForm IS NOT NULL;
