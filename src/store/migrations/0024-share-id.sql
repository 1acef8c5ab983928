-- The stays of guests who share a unit have one shareId.
ALTER TABLE stay ADD COLUMN shareId TEXT;
CREATE INDEX stay_shareId ON stay (shareId) WHERE shareId IS NOT NULL;
