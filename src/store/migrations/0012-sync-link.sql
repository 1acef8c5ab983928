CREATE TABLE sync_link (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  pullCursor TEXT,
  tailedTo INTEGER NOT NULL,
  publishedTo INTEGER NOT NULL,
  inStepAt INTEGER,
  isConnected INTEGER,
  lends INTEGER,
  forgotten INTEGER
) STRICT;

CREATE UNIQUE INDEX sync_link_configurationId ON sync_link (configurationId);

CREATE TABLE sync_offer (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  reservationId TEXT NOT NULL,
  marks INTEGER NOT NULL,
  since INTEGER NOT NULL,
  offer TEXT,
  offeredMarks INTEGER,
  attempts INTEGER NOT NULL,
  notBefore INTEGER NOT NULL,
  refused TEXT
) STRICT;

CREATE UNIQUE INDEX sync_offer_configurationId_reservationId ON sync_offer (configurationId, reservationId);

CREATE INDEX sync_offer_configurationId_notBefore ON sync_offer (configurationId, notBefore);

CREATE TABLE quarantined_message (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  kind TEXT NOT NULL,
  externalId TEXT,
  pmsRevision INTEGER,
  reason TEXT NOT NULL,
  payload TEXT NOT NULL,
  size INTEGER NOT NULL,
  retryable INTEGER,
  attempts INTEGER,
  lastTriedAt INTEGER,
  digest TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX quarantined_message_configurationId_digest ON quarantined_message (configurationId, digest);

CREATE INDEX quarantined_message_configurationId_externalId ON quarantined_message (configurationId, externalId) WHERE externalId IS NOT NULL;

CREATE TABLE room_lease (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  leaseId TEXT NOT NULL,
  pmsRevision INTEGER NOT NULL,
  unitNames TEXT,
  startDate TEXT NOT NULL,
  endDate TEXT NOT NULL,
  validUntil INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX room_lease_configurationId_leaseId ON room_lease (configurationId, leaseId);

CREATE INDEX room_lease_endDate ON room_lease (endDate);

-- Which lease of a PMS each unit of a stay was given away by.
ALTER TABLE stay ADD COLUMN lent TEXT;
