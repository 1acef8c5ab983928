-- Who made a token or a station, and since when it is refused because its maker has lost the rights.
ALTER TABLE token ADD COLUMN makerId TEXT;
ALTER TABLE token ADD COLUMN refusedAt INTEGER;
ALTER TABLE station ADD COLUMN makerId TEXT;
ALTER TABLE station ADD COLUMN refusedAt INTEGER;

-- Tokens, accounts and stations about which an administrator has to decide.
CREATE TABLE right_to_confirm (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  rightId TEXT NOT NULL,
  reason TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX right_to_confirm_rightId ON right_to_confirm (rightId);
