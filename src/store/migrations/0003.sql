-- The text that finds a person by name: the normalized name in lower case, without spaces, hyphens, full stops and
-- apostrophes, twice. Two times, because it then also contains the last name followed by the first. Field 14 of the search
-- index takes the place of field 6, whose text was the normalized name as it stands.
CREATE TEMPORARY TABLE name AS
SELECT rid, lower(normalizedName) AS stored,
  lower(replace(replace(replace(replace(normalizedName, ' ', ''), '-', ''), '.', ''), '''', '')) AS bare
FROM profile WHERE normalizedName IS NOT NULL;

INSERT INTO search (rowid, text)
SELECT 14 * 1099511627776 + rid, bare || bare FROM name WHERE length(bare) > 1 ORDER BY rid;

-- The index is told to forget the texts of field 6 together with the next texts that are indexed: FTS5 fails where an entry
-- is missing, and only the program goes on then.
INSERT INTO search_pending (place, text, gone)
SELECT 6 * 1099511627776 + rid, stored, 1 FROM name WHERE length(stored) > 2;

DROP TABLE name;
