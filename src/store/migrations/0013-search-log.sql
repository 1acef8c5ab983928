-- What is to be taken out of the search index waits as well: a log of both, the newest word about a place counting.
ALTER TABLE search_pending ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
