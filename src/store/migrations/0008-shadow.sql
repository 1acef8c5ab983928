-- The revision of a reservation here at which it agreed with its PMS.
ALTER TABLE sync_record ADD COLUMN agreedAt INTEGER;
