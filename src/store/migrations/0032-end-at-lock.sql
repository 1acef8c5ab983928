-- The end of a key at its lock, which may be later than the end that was asked for.
ALTER TABLE key ADD COLUMN endsAtLock INTEGER;
