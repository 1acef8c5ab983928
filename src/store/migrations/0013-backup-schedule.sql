-- When backups are made and how many are kept, where a person has chosen it. NULL: as the configuration says.
ALTER TABLE settings ADD COLUMN backupSchedule TEXT;
