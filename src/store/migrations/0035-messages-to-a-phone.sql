-- A webhook whose receiver gets sentences for a phone, in a language, with an access token of its server.
ALTER TABLE webhook ADD COLUMN format TEXT;
ALTER TABLE webhook ADD COLUMN language TEXT;
ALTER TABLE webhook ADD COLUMN accessToken TEXT;
