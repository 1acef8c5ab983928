-- The token or the account that created or last changed a webhook.
ALTER TABLE webhook ADD COLUMN makerId TEXT;
