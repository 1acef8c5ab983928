-- Where events are told, and what was not taken there.

CREATE TABLE webhook (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  url TEXT NOT NULL,
  types TEXT,
  enabled INTEGER,
  payload TEXT,
  secret TEXT,
  previousSecret TEXT,
  previousUntil INTEGER,
  hears TEXT,
  switchedOffBecause TEXT,
  beginsAt INTEGER
) STRICT;

CREATE TABLE webhook_delivery (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  webhookId INTEGER NOT NULL REFERENCES webhook (rid),
  sequence INTEGER NOT NULL,
  eventId TEXT NOT NULL,
  eventType TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER,
  nextAttemptAt INTEGER,
  lastAttemptAt INTEGER,
  lastStatus INTEGER,
  lastError TEXT,
  diedAt INTEGER
) STRICT;

CREATE UNIQUE INDEX webhook_delivery_webhookId_sequence ON webhook_delivery (webhookId, sequence);

CREATE INDEX webhook_delivery_sequence ON webhook_delivery (sequence);

CREATE INDEX webhook_delivery_state_diedAt ON webhook_delivery (state, diedAt);
