-- The idempotent request that began a payment at a terminal, whose repeat is answered with the payment. NULL: without a key.
ALTER TABLE terminal_payment ADD COLUMN request TEXT;
