import type { Connection } from '../../src/store/connection.ts'

/** Fills the search index again from what the tables hold: rows that were copied have not gone through it. */
export function searchAnew(db: Connection): void {
  db.exec(`DELETE FROM search_pending; INSERT INTO search (search) VALUES ('delete-all')`)
  db.exec(everyText)
}

const everyText = `
INSERT INTO search (rowid, text) SELECT (1 << 40) + rid, fold(firstName) FROM profile;
INSERT INTO search (rowid, text) SELECT (2 << 40) + rid, fold(lastName) FROM profile;
INSERT INTO search (rowid, text) SELECT (3 << 40) + rid, fold(companyName) FROM profile WHERE companyName IS NOT NULL;

INSERT INTO search (rowid, text)
SELECT (4 << 40) + profile.rid, fold(group_concat(email.value ->> 'address', char(10) ORDER BY email.key))
FROM profile, json_each(profile.emails) AS email GROUP BY profile.rid;

INSERT INTO search (rowid, text)
SELECT (5 << 40) + profile.rid, fold(group_concat(phone.value ->> 'number', char(10) ORDER BY phone.key))
FROM profile, json_each(profile.phoneNumbers) AS phone GROUP BY profile.rid;

INSERT INTO search (rowid, text)
SELECT (14 << 40) + rid, name || name FROM (
  SELECT rid, lower(replace(replace(replace(replace(normalizedName, ' ', ''), '-', ''), '.', ''), '''', '')) AS name FROM profile
) WHERE name <> '';

INSERT INTO search (rowid, text)
SELECT (7 << 40) + rid, fold(externalId) FROM reservation WHERE externalId IS NOT NULL;

INSERT INTO search (rowid, text) SELECT (8 << 40) + rid, fold(comment) FROM reservation WHERE comment IS NOT NULL;

INSERT INTO search (rowid, text)
SELECT (9 << 40) + rid, fold(guestComment) FROM reservation WHERE guestComment IS NOT NULL;

INSERT INTO search (rowid, text) SELECT (10 << 40) + rid, fold(externalId) FROM stay WHERE externalId IS NOT NULL;

INSERT INTO search (rowid, text) SELECT (11 << 40) + rid, fold(comment) FROM stay WHERE comment IS NOT NULL;

INSERT INTO search (rowid, text) SELECT (12 << 40) + rid, fold(guestComment) FROM stay WHERE guestComment IS NOT NULL;

INSERT INTO search (rowid, text)
SELECT (13 << 40) + owner, fold(group_concat(value, char(10) ORDER BY position))
FROM stay_reservation_id GROUP BY owner;
`
