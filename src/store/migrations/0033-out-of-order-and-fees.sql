-- Until when a room that is out of order is expected to be, and why it is.
ALTER TABLE unit ADD COLUMN outOfOrderUntil TEXT;
ALTER TABLE unit ADD COLUMN outOfOrderReason TEXT;
-- Whether the guest of a canceled stay or a no-show owes its fee.
ALTER TABLE stay ADD COLUMN feeCharged INTEGER;
