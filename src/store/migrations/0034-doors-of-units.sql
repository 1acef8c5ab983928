-- The unit to which a door with a name of its own leads, such as the second door of a suite.
ALTER TABLE access_unit ADD COLUMN unitId INTEGER REFERENCES unit (rid);
