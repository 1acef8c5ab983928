-- People sign in: their accounts, the browsers that the property knows, and the sessions. A deleted account, token or
-- station leaves its name for what it did.
CREATE TABLE account (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  scopes TEXT,
  language TEXT,
  disabled INTEGER,
  passwordSetAt INTEGER,
  passcodeSetAt INTEGER,
  codeEndsAt INTEGER,
  nameKey TEXT,
  password TEXT,
  passcode TEXT,
  code TEXT
) STRICT;

CREATE UNIQUE INDEX account_nameKey ON account (nameKey);

CREATE TABLE station (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT,
  idleMinutes INTEGER,
  enrolledAt INTEGER,
  codeEndsAt INTEGER,
  digest TEXT,
  code TEXT
) STRICT;

CREATE UNIQUE INDEX station_name ON station (name);

CREATE UNIQUE INDEX station_digest ON station (digest);

CREATE UNIQUE INDEX station_code ON station (code);

CREATE TABLE session (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  accountId INTEGER REFERENCES account (rid),
  stationId INTEGER REFERENCES station (rid),
  startedAt INTEGER,
  lastUsedAt INTEGER,
  endsAt INTEGER,
  lockedAt INTEGER,
  authenticatedAt INTEGER,
  address TEXT,
  digest TEXT
) STRICT;

CREATE UNIQUE INDEX session_digest ON session (digest);

CREATE INDEX session_accountId ON session (accountId);

CREATE INDEX session_stationId ON session (stationId);

CREATE TABLE former_actor (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  actorId TEXT NOT NULL,
  name TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX former_actor_actorId ON former_actor (actorId);
