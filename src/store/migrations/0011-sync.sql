-- What the house and its PMS are known to have in common.

CREATE TABLE sync_record (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  integrationId TEXT NOT NULL,
  reservationId TEXT NOT NULL,
  externalId TEXT,
  upstreamRevision INTEGER,
  digest TEXT,
  state TEXT NOT NULL,
  pending INTEGER,
  base TEXT,
  differing TEXT,
  waitsFor TEXT,
  lastSyncedAt INTEGER
) STRICT;

CREATE UNIQUE INDEX sync_record_reservationId ON sync_record (reservationId);

CREATE UNIQUE INDEX sync_record_integrationId_externalId ON sync_record (integrationId, externalId) WHERE externalId IS NOT NULL;

CREATE INDEX sync_record_waitsFor ON sync_record (waitsFor) WHERE waitsFor IS NOT NULL;

CREATE TABLE sync_conflict (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId TEXT NOT NULL,
  reservationId TEXT NOT NULL,
  stayId TEXT,
  fieldGroup TEXT NOT NULL,
  fields TEXT NOT NULL,
  base TEXT,
  local TEXT,
  upstream TEXT,
  counts TEXT NOT NULL,
  reason TEXT NOT NULL,
  sentence TEXT NOT NULL,
  state TEXT NOT NULL,
  detectedAt INTEGER NOT NULL,
  resolvedAt INTEGER
) STRICT;

CREATE INDEX sync_conflict_reservationId ON sync_conflict (reservationId);

CREATE INDEX sync_conflict_state ON sync_conflict (state) WHERE state = 'open';

CREATE INDEX sync_conflict_detectedAt ON sync_conflict (detectedAt);
