-- A refund may name its payment and why it was given back.
ALTER TABLE payment ADD COLUMN refundOf INTEGER REFERENCES payment (rid);

ALTER TABLE payment ADD COLUMN reason TEXT;
