-- What is known of a unit type for a night, by the date on which the night begins; a day use takes its day.
CREATE TABLE inventory_night (
  unitTypeId INTEGER NOT NULL REFERENCES unit_type (rid),
  date TEXT NOT NULL,
  -- How many units of the type stays hold.
  held INTEGER NOT NULL DEFAULT 0,
  -- How many units there are by what the PMS last reported; NULL where it reported nothing.
  capacity INTEGER,
  PRIMARY KEY (unitTypeId, date)
) STRICT, WITHOUT ROWID;

-- When the last event about the availability of a unit type was published, and which dates wait for the next one. Both dates
-- are NULL for all dates.
CREATE TABLE availability_change (
  unitTypeId INTEGER PRIMARY KEY REFERENCES unit_type (rid),
  publishedAt INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  startDate TEXT,
  endDate TEXT
) STRICT;

-- Until now counters kept all of this. A period that waits was one number: the days from 1970 to its first date times
-- 10,000,000, and the days to its last date; -1 for all dates.
CREATE TEMPORARY TABLE counted AS
SELECT unit_type.rid AS unitTypeId, kept.what, kept.date, kept.value
FROM (
  SELECT substr(name, 1, instr(name, '/') - 1) AS what, substr(name, instr(name, '/') + 1, 36) AS id,
    substr(name, instr(name, '/') + 38) AS date, value
  FROM counter
) AS kept JOIN unit_type ON unit_type.id = unhex(replace(kept.id, '-', ''))
WHERE kept.what IN ('held', 'capacity', 'availability-told', 'availability-due');

INSERT INTO inventory_night (unitTypeId, date, held, capacity)
SELECT unitTypeId, date, coalesce(max(iif(what = 'held', value, NULL)), 0), max(iif(what = 'capacity', value, NULL))
FROM counted WHERE what IN ('held', 'capacity') GROUP BY unitTypeId, date;

INSERT INTO availability_change (unitTypeId, publishedAt, pending, startDate, endDate)
SELECT unitTypeId, coalesce(max(iif(what = 'availability-told', value, NULL)), 0), max(what = 'availability-due'),
  date(max(iif(what = 'availability-due' AND value > 0, value, NULL)) / 10000000 * 86400, 'unixepoch'),
  date(max(iif(what = 'availability-due' AND value > 0, value, NULL)) % 10000000 * 86400, 'unixepoch')
FROM counted WHERE what IN ('availability-told', 'availability-due') GROUP BY unitTypeId;

DROP TABLE counted;

DELETE FROM counter WHERE substr(name, 1, instr(name, '/')) IN ('held/', 'capacity/', 'availability-told/', 'availability-due/');
