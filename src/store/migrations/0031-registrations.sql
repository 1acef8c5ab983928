-- Registrations of guests, what the house wants of them, and why a guest was checked in without one.
ALTER TABLE settings ADD COLUMN registrationFields TEXT;

ALTER TABLE settings ADD COLUMN houseRules TEXT;

ALTER TABLE settings ADD COLUMN houseRulesVersion INTEGER;

ALTER TABLE settings ADD COLUMN registrationDays INTEGER;

ALTER TABLE stay ADD COLUMN registrationWaiver TEXT;

CREATE TABLE registration (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  stayId INTEGER NOT NULL REFERENCES stay (rid),
  profileId INTEGER NOT NULL REFERENCES profile (rid),
  firstName TEXT,
  lastName TEXT NOT NULL,
  birthDate TEXT,
  nationality TEXT,
  address TEXT,
  documentType TEXT,
  documentNumber TEXT,
  documentCountry TEXT,
  acceptedRules TEXT,
  signature TEXT,
  signedOnPaper INTEGER,
  takenAt INTEGER NOT NULL,
  takenBy TEXT NOT NULL,
  takenByName TEXT,
  takenAtKiosk INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX registration_stayId_profileId ON registration (stayId, profileId);

CREATE INDEX registration_profileId ON registration (profileId);
