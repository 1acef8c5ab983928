-- Until when a room that is out of order is expected to be, and why it is.
ALTER TABLE unit ADD COLUMN outOfOrderUntil TEXT;
ALTER TABLE unit ADD COLUMN outOfOrderReason TEXT;
