-- The sentences of a conflict with a PMS by their codes and values, as JSON. NULL for a conflict from before; its sentence stays
-- English.
ALTER TABLE sync_conflict ADD COLUMN messages TEXT;
