-- Payments that a PMS has not recorded yet. They take the place of comparing the lists of both sides.
CREATE TABLE sync_fact (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  reservationId TEXT NOT NULL,
  paymentId TEXT NOT NULL,
  kind TEXT NOT NULL,
  since INTEGER NOT NULL,
  refused TEXT
) STRICT;

CREATE INDEX sync_fact_reservationId ON sync_fact (reservationId);

-- A refused intent is not sent again before its group changes or a person asks.
ALTER TABLE sync_intent ADD COLUMN refused TEXT;
