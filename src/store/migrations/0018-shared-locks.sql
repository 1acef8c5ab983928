-- Several units may lie behind one lock, such as the beds of a dormitory.
ALTER TABLE access_unit ADD COLUMN shared INTEGER;
-- The keys of a lock, whatever the name of its unit was when they were made.
CREATE INDEX key_lock_status ON key (lock, status);
