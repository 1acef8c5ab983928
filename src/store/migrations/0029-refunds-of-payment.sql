-- The refunds of a payment are found without a scan of all payments, also when the payment is deleted.
CREATE INDEX payment_refundOf ON payment (refundOf) WHERE refundOf IS NOT NULL;
