-- A token that was rotated opens for another day; and when each was last used.
ALTER TABLE token ADD COLUMN lastUsedAt INTEGER;
ALTER TABLE token ADD COLUMN previousDigest TEXT;
ALTER TABLE token ADD COLUMN previousUntil INTEGER;

CREATE UNIQUE INDEX token_previousDigest ON token (previousDigest);
