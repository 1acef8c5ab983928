/**
 * The names of all files and folders in a data folder. A backup contains those that are marked so, and no
 * others.
 */
export const dataFiles = {
  /** The database; only the writer thread writes it. In a backup. */
  database: 'nightporter.db',
  /**
   * The write-ahead log and other files that SQLite keeps beside the database. They must never be used with
   * another database.
   */
  databaseLogs: ['nightporter.db-wal', 'nightporter.db-shm', 'nightporter.db-journal'],
  /**
   * The key that encrypts secrets in the database; the first start creates it. In a backup, encrypted once
   * more.
   */
  key: 'secret.key',
  /** The name of the same key until the first start is completed. */
  keyOfFounding: 'secret.key.founding',
  /** The settings of the installation, written by people. In a backup. */
  settings: 'nightporter.json',
  /**
   * The recipients of the backups, one age recipient a line; `#` starts a comment. `nightporter backup key`
   * writes it. In a backup.
   */
  recipients: 'backup-recipients',
  /**
   * The authority of the box and its certificates, their keys encrypted with `secret.key`. In a backup, so that clients
   * trust a box that was restored.
   */
  certificates: 'certificates.json',
  /** The certificate of that authority, which the command line on this machine trusts. */
  authority: 'authority.pem',
  /**
   * Digests of the persons who were erased, one a line. A copy lies beside the backups and in each of them: a restore of an
   * older backup erases these persons again.
   */
  erasures: 'erased-persons',
  /** The folder of backups, unless the settings name another. */
  backups: 'backups',
  /** The name of the lock that excludes two backups at the same time, without its suffix `.lock`. */
  backupLock: 'backup',
  /**
   * The folder of a backup in progress. Only this folder, beside the database, contains the unencrypted copy.
   */
  backupWork: 'backup.work',
  /** The unencrypted copy that a migration made. It exists until it is packed into a backup. */
  migrationCopy: 'before-migration.db',
  /** The prefix of the folder in which a backup is unpacked for a check. The appliance may run meanwhile. */
  restoreChecked: 'restore.check-',
  /**
   * The folder of a restore while it is unpacked and checked. Until it is renamed, the restore has no effect.
   */
  restoreUnpacked: 'restore.part',
  /**
   * The same folder, checked and complete. The rename to this name decides the restore; the next start
   * completes it after a power cut.
   */
  restoreDecided: 'restore.ready',
  /** The same folder after the restore is complete. What is left in it may be deleted. */
  restoreDone: 'restore.done',
  /** What a page has restored or is restoring, with its log. It outlives the property that is replaced. */
  restoreRecord: 'restore.json',
  /** The file of a backup that a page sends to be restored. */
  restoreUpload: 'restore.upload',
  /** Segments of keys that a restore has fetched from a target. */
  restoreSegments: 'restore.segments',
  /** The keys that segments beside the backup contain. The start after a restore writes them into the database. */
  restoredKeys: 'restored-keys.json',
  /** A segment of keys while it is sent to a second medium. */
  keySegment: 'keys.part',
  /** The folder with the files that the newest restore replaced. */
  replaced: 'replaced',
  /** An empty file: the next start shows a pairing code, although clients have paired. That start deletes it. */
  pairAgain: 'pair-again',
  /** The folder of the files that the pages of this release and the one before it load. */
  pages: 'pages',
  /** The USB port of each configured device. Not in a backup: another machine has other ports. */
  usbPorts: 'usb-ports.json',
  /** The folder of updates: their state, and a bundle while it is downloaded. */
  updates: 'update',
  /** The folder of the recorder's segments. */
  flight: 'flight',
  /** The folder of the cards that simulated guests have taken. */
  pocket: 'pocket',
  /** The folder with the memory of simulated doors. */
  doors: 'doors',
} as const
