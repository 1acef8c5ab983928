-- One row for each door of a key: its unit, its extra units, and its authorizations, which are common doors without a number.
CREATE TABLE key_door (
  owner INTEGER NOT NULL REFERENCES key (rid) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT,
  lock TEXT,
  number INTEGER,
  endedById INTEGER REFERENCES key (rid) ON DELETE SET NULL,
  proof TEXT,
  provenDeadAt INTEGER,
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX key_door_lock ON key_door (lock) WHERE lock IS NOT NULL;
CREATE INDEX key_door_endedById ON key_door (endedById) WHERE endedById IS NOT NULL;

-- The status of a key before its stay ended it.
ALTER TABLE key ADD COLUMN endedFrom TEXT;
