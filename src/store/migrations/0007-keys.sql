ALTER TABLE key ADD COLUMN pin TEXT;
ALTER TABLE key ADD COLUMN proof TEXT;
ALTER TABLE key ADD COLUMN provenDeadAt INTEGER;
ALTER TABLE key ADD COLUMN opensAt INTEGER;
ALTER TABLE key ADD COLUMN dueTold INTEGER;
ALTER TABLE key ADD COLUMN revokedAs TEXT;
ALTER TABLE key ADD COLUMN revocationToldAt INTEGER;
ALTER TABLE key ADD COLUMN pinSealed TEXT;
ALTER TABLE key ADD COLUMN pinMark TEXT;
ALTER TABLE key ADD COLUMN reference TEXT;
ALTER TABLE key ADD COLUMN familyNumber INTEGER;
ALTER TABLE key ADD COLUMN extraLocks TEXT;

CREATE INDEX key_pinMark ON key (pinMark) WHERE pinMark IS NOT NULL;

CREATE INDEX key_status_validUntil ON key (status, validUntil);

CREATE TABLE access_unit (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  code TEXT,
  config TEXT,
  providerId INTEGER NOT NULL REFERENCES access_provider (rid)
) STRICT;

CREATE UNIQUE INDEX access_unit_providerId_name ON access_unit (providerId, name);
