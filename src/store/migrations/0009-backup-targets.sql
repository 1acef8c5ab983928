-- The places outside the box to which each backup is sent.
CREATE TABLE backup_target (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  user TEXT,
  secret TEXT,
  hostKey TEXT,
  region TEXT,
  enabled INTEGER,
  daily INTEGER,
  weekly INTEGER,
  monthly INTEGER,
  megabytes INTEGER,
  verifiedBackup TEXT,
  verifiedAt INTEGER,
  problem TEXT
) STRICT;

CREATE UNIQUE INDEX backup_target_name ON backup_target (name);
