-- How far the set-up through the pages has come.
ALTER TABLE settings ADD COLUMN setupProgress TEXT;
