-- Tokens, accounts and stations that a restored backup has brought back, until somebody confirms them.
CREATE TABLE right_to_confirm (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  rightId TEXT NOT NULL,
  takenAt INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX right_to_confirm_rightId ON right_to_confirm (rightId);
