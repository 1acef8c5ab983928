/** What lies in a data folder, by its name there. A backup holds what is said to be in it, and nothing else. */
export const dataFiles = {
  /** The database; written by the writer's thread alone. In a backup. */
  database: 'nightporter.db',
  /** What SQLite has not put into the database yet; its own, and never used with another database. */
  databaseLogs: ['nightporter.db-wal', 'nightporter.db-shm', 'nightporter.db-journal'],
  /** The key of what is sealed in the database; written by the first start. In a backup, sealed once more. */
  key: 'secret.key',
  /** The same until the property is founded. */
  keyOfFounding: 'secret.key.founding',
  /** Settings of the installation, written by people. In a backup. */
  settings: 'nightporter.json',
  /** Who can open the backups: one age recipient a line, `#` begins a remark. Written by `nightporter backup key`. In a backup. */
  recipients: 'backup-recipients',
  /** The folder of backups, where the settings name no other. */
  backups: 'backups',
  /** What excludes two backups at a time is called by this name and `.lock`. */
  backupLock: 'backup',
  /** The folder in which a backup is being made. The plain copy lies there meanwhile: beside the database, and nowhere else. */
  backupWork: 'backup.work',
  /** The plain copy that a migration left, until it is packed into a backup. */
  migrationCopy: 'before-migration.db',
  /** How the folder begins in which a backup is opened to check it, beside the property that may be running. */
  restoreChecked: 'restore.check-',
  /** The folder of a restore while it is unpacked and checked: nothing of it counts yet. */
  restoreUnpacked: 'restore.part',
  /** The same, checked and complete. From the renaming to this name on the restore has happened, and is carried through. */
  restoreDecided: 'restore.ready',
  /** The same in place: what is left of it may go. */
  restoreDone: 'restore.done',
  /** The folder of what the newest restore replaced. */
  replaced: 'replaced',
  /** The folder of the flight recorder's segments. */
  flight: 'flight',
  /** The folder of the cards that simulated guests have taken. */
  pocket: 'pocket',
  /** The folder in which simulated doors remember. */
  doors: 'doors',
} as const
