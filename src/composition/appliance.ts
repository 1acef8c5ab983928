import type { RestoreWork } from '../box/state.ts'
import type { SimulatedLobby } from '../demo/simulated-lobby.ts'
import type { Interface } from '../jsonapi/server/server.ts'

/** The running appliance. */
export interface Appliance {
  url: string
  /** The address for screens and programs on this machine, without TLS; null where `url` is that. */
  localUrl: string | null
  /** Messages for people at the start, one a line. */
  notes: string[]
  /**
   * The open pairing code of eight digits, while the property is new and no client has paired; otherwise
   * null.
   */
  readonly pairingCode: string | null
  /**
   * Returns the confirmation number of a guest for trying the sample property; null without the sample, or
   * when all guests have left.
   */
  sampleGuest(): string | null
  lobby: SimulatedLobby
  /**
   * Returns the number of commands, searches and hashes that run in another thread or wait for it, plus one for a
   * running backup and one for a running step of an update.
   */
  pendingWork(): number
  /**
   * Returns false while the writer does not answer. A supervisor should restart the process when that lasts.
   */
  isWriting(): boolean
  /**
   * Returns what is wrong with the disk, or why the machine installs no updates, and what to do, for people; null
   * while nothing is.
   */
  trouble(): string | null
  /** Returns the present work on a backup that is to be restored; null without any. */
  restoreWork(): RestoreWork | null
  /** The interfaces with all their operations. */
  interfaces: readonly Interface[]
  /** Resolves when a restore was decided: close the appliance and start it again, which puts the backup in place. */
  replaced: Promise<void>
  /** Rejects when the appliance cannot continue; the daemon then exits and is restarted. */
  broken: Promise<never>
  close(): Promise<void>
}
