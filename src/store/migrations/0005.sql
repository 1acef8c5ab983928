-- A stay that a kiosk has handed over to the front desk, by the code that the guest tells there.
CREATE TABLE hand_over (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  code TEXT NOT NULL,
  reservationId TEXT NOT NULL,
  stayId TEXT NOT NULL,
  failure TEXT,
  step TEXT,
  language TEXT,
  expiresAt INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX hand_over_code ON hand_over (code);

CREATE UNIQUE INDEX hand_over_stayId ON hand_over (stayId);
