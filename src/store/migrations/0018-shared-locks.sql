-- Several units may lie behind one lock, such as the beds of a dormitory.
ALTER TABLE access_unit ADD COLUMN shared INTEGER;
-- The keys of a lock, whatever the name of its unit was when they were made.
CREATE INDEX key_lock_status ON key (lock, status);
-- A PMS may order a key for a reservation that is not known here yet.
ALTER TABLE key ADD COLUMN stayName TEXT;
CREATE INDEX key_stayName ON key (stayName) WHERE stayName IS NOT NULL;
