-- All signs that the release before keeps in a search form are taken out of the plain form, not only the usual ones: `A;1` was found
-- by nobody. SQLite generates the column, so nothing is rewritten.
DROP INDEX stay_reservation_id_plainForm;

ALTER TABLE stay_reservation_id DROP COLUMN plainForm;

ALTER TABLE stay_reservation_id ADD COLUMN plainForm TEXT GENERATED ALWAYS AS (nullif(CASE WHEN searchForm NOT GLOB '*[^0-9A-Z]*' THEN searchForm WHEN searchForm NOT GLOB '*[^-/_.#0-9A-Z]*' THEN replace(replace(replace(replace(replace(searchForm, '-', ''), '/', ''), '_', ''), '.', ''), '#', '') ELSE replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(searchForm, '!', ''), '"', ''), '#', ''), '$', ''), '%', ''), '&', ''), '''', ''), '(', ''), ')', ''), '*', ''), '+', ''), ',', ''), '-', ''), '.', ''), '/', ''), ':', ''), ';', ''), '<', ''), '=', ''), '>', ''), '?', ''), '@', ''), '[', ''), '\', ''), ']', ''), '^', ''), '_', ''), '`', ''), '{', ''), '|', ''), '}', ''), '~', ''), '‐', ''), '‒', ''), '–', ''), '—', ''), '―', ''), '−', ''), '•', ''), '·', ''), '’', ''), '‘', ''), '“', ''), '”', ''), '„', ''), '‚', ''), '«', ''), '»', ''), '§', ''), '¶', ''), '°', ''), '×', ''), '÷', ''), '†', ''), '‡', ''), '⁄', '') END, '')) VIRTUAL;

CREATE INDEX stay_reservation_id_plainForm ON stay_reservation_id (plainForm) WHERE plainForm IS NOT NULL;
