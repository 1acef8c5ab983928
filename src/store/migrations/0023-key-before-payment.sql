-- Whether a kiosk makes the key while something is still to be paid.
ALTER TABLE settings ADD COLUMN keyBeforePayment INTEGER;
