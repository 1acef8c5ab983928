-- What was changed here and is not at the PMS yet, by stay and group of fields. It takes the place of comparing both sides.
CREATE TABLE sync_intent (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  reservationId TEXT NOT NULL,
  stayId TEXT,
  fieldGroup TEXT NOT NULL,
  members TEXT NOT NULL,
  actor TEXT,
  mark INTEGER NOT NULL,
  since INTEGER NOT NULL
) STRICT;

CREATE INDEX sync_intent_reservationId ON sync_intent (reservationId);

-- A row whose marks were made by a program without intents is compared once: its differences become intents.
ALTER TABLE sync_offer ADD COLUMN capturedMarks INTEGER;
