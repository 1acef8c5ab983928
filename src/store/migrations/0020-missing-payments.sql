-- Since when a terminal does not know a payment whose order may still be on its way.
ALTER TABLE terminal_payment ADD COLUMN missingSince INTEGER;
CREATE INDEX terminal_payment_settledAt ON terminal_payment (settledAt) WHERE reason = 'never-arrived';
