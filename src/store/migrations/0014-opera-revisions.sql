-- The revisions of reservations of OPERA are real instants now. They were the local time of the property read as UTC, so that a
-- change of the next hours would look older than what is known. The next reports are compared by their content.
UPDATE sync_record SET upstreamRevision = NULL
  WHERE unhex(replace(integrationId, '-', '')) IN (SELECT id FROM pms_configuration WHERE adapter = 'opera');

UPDATE sync_offer SET offer = json_set(offer, '$.baseRevision', NULL)
  WHERE offer IS NOT NULL AND configurationId IN (SELECT rid FROM pms_configuration WHERE adapter = 'opera');

-- These are reported again.
DELETE FROM quarantined_message
  WHERE kind = 'Reservation' AND configurationId IN (SELECT rid FROM pms_configuration WHERE adapter = 'opera');

-- The next round reports all stays, also those that are over, whenever they were changed.
UPDATE sync_link SET pullCursor = CASE WHEN json_valid(pullCursor) AND pullCursor ->> '$.all' IS NOT NULL
    THEN json_set(pullCursor, '$.seen', 0, '$.near', 0, '$.all', 0, '$.allAt', 0, '$.reported', '', '$.at', NULL) END
  WHERE configurationId IN (SELECT rid FROM pms_configuration WHERE adapter = 'opera');
