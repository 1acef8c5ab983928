-- The attempts of a delivery that reached its receiver, and when the delivery is given up at the latest.
ALTER TABLE webhook_delivery ADD COLUMN refusals INTEGER;
ALTER TABLE webhook_delivery ADD COLUMN expiresAt INTEGER;
CREATE INDEX webhook_delivery_webhookId_state_sequence ON webhook_delivery (webhookId, state, sequence);
