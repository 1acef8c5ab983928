-- What the house sets for the looks of its kiosks.
ALTER TABLE settings ADD COLUMN kiosk TEXT;

-- The pictures of the house for its kiosks, each with its file in base64.
CREATE TABLE kiosk_image (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  use TEXT NOT NULL,
  content TEXT NOT NULL,
  mediaType TEXT,
  file TEXT
) STRICT;

CREATE UNIQUE INDEX kiosk_image_use ON kiosk_image (use);
