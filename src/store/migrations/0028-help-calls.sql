-- Guests at a kiosk who wait for a person of the front desk. A kiosk has one call.
CREATE TABLE help_call (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  kioskId TEXT NOT NULL,
  kioskName TEXT,
  failure TEXT,
  step TEXT,
  language TEXT,
  stayId TEXT,
  takenAt INTEGER,
  expiresAt INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX help_call_kioskId ON help_call (kioskId);
