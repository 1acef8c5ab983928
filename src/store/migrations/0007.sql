-- Payment terminals, and the payments that they were asked for.
CREATE TABLE payment_terminal (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  driver TEXT NOT NULL,
  path TEXT NOT NULL,
  controllerId INTEGER REFERENCES access_controller (rid),
  timeoutSeconds INTEGER
) STRICT;

CREATE TABLE terminal_payment (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  terminalId TEXT NOT NULL,
  reservationId TEXT NOT NULL,
  stayId TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  inDoubtSince INTEGER,
  paymentId TEXT,
  settledAt INTEGER
) STRICT;

CREATE INDEX terminal_payment_stayId ON terminal_payment (stayId);

CREATE INDEX terminal_payment_state ON terminal_payment (state) WHERE state = 'open';

-- The telephone number of the front desk, which a kiosk shows.
ALTER TABLE settings ADD COLUMN deskPhone TEXT;
