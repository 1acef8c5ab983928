-- An offer that is made without its units first, so that others who wait for what it has there can have theirs.
ALTER TABLE sync_offer ADD COLUMN letsGo INTEGER;
-- It was offered like that once: where that has helped nobody, nothing is told for ever.
ALTER TABLE sync_offer ADD COLUMN hasLetGo INTEGER;
