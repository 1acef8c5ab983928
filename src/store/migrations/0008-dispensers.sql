-- What is wrong with a device and was told, so that it is told once; and two more counts of a dispenser.
ALTER TABLE dispenser ADD COLUMN retries INTEGER;
ALTER TABLE dispenser ADD COLUMN sinceService INTEGER;
ALTER TABLE dispenser ADD COLUMN alarms TEXT;
ALTER TABLE access_controller ADD COLUMN alarms TEXT;
