-- The units that a stay holds now, so that what is free is found without all the stays that are over.
CREATE TABLE stay_held_unit (
  owner INTEGER NOT NULL REFERENCES stay (rid),
  position INTEGER NOT NULL,
  unitId INTEGER NOT NULL REFERENCES unit (rid),
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX stay_held_unit_unitId ON stay_held_unit (unitId) WHERE unitId IS NOT NULL;

INSERT INTO stay_held_unit (owner, position, unitId)
SELECT stay_unit.owner, stay_unit.position, stay_unit.unitId
FROM stay_unit JOIN stay ON stay.rid = stay_unit.owner
WHERE stay_unit.unitId IS NOT NULL AND stay.status IN ('Tentative', 'Confirmed', 'InHouse');

CREATE TABLE unit_block (
  owner INTEGER NOT NULL REFERENCES unit (rid),
  position INTEGER NOT NULL,
  startDate TEXT NOT NULL,
  endDate TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

-- How many places of a unit type the stays hold on a date: those of their nights, and the day of a day use.
INSERT INTO counter (name, value)
WITH RECURSIVE held (unitTypeId, date, last) AS (
  SELECT stay_unit.unitTypeId, stay.startDate, max(stay.startDate, date(stay.endDate, '-1 day'))
  FROM stay JOIN stay_unit ON stay_unit.owner = stay.rid
  WHERE stay.status IN ('Tentative', 'Confirmed', 'InHouse')
  UNION ALL
  SELECT unitTypeId, date(date, '+1 day'), last FROM held WHERE date < last
)
SELECT 'held/' || lower(
    hex(substr(unit_type.id, 1, 4)) || '-' || hex(substr(unit_type.id, 5, 2)) || '-' ||
    hex(substr(unit_type.id, 7, 2)) || '-' || hex(substr(unit_type.id, 9, 2)) || '-' ||
    hex(substr(unit_type.id, 11, 6))
  ) || '/' || held.date, count(*)
FROM held JOIN unit_type ON unit_type.rid = held.unitTypeId
GROUP BY unit_type.id, held.date;
