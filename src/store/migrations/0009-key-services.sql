-- Links over which a foreign PMS orders keys at our encoders.

CREATE TABLE key_service (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  driver TEXT NOT NULL,
  enabled INTEGER,
  connection TEXT NOT NULL,
  encoders TEXT
) STRICT;
