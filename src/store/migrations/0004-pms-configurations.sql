-- Property management systems that reservations come from and go to, and what was registered to be told of changes.

CREATE TABLE pms_configuration (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  adapter TEXT NOT NULL,
  enabled INTEGER,
  transport TEXT,
  direction TEXT,
  conflictPolicy TEXT,
  heartbeatSeconds INTEGER,
  timeoutMs INTEGER,
  connection TEXT,
  credentials TEXT
) STRICT;

CREATE TABLE pms_webhook (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  callbackUrl TEXT
) STRICT;

CREATE INDEX pms_webhook_configurationId ON pms_webhook (configurationId);
