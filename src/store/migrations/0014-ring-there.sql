-- An offer that is made without its units first, so that others who wait for what it has there can have theirs: the next one is, or
-- it was done once. Where that has helped nobody, nothing is told for ever.
ALTER TABLE sync_offer ADD COLUMN withoutUnits TEXT;
