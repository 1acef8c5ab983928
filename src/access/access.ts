import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock } from '../host/clock.ts'
import type { Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Handles } from './handles/handles.ts'
import type { Workshop } from './handles/workshop.ts'
import type { WorkLines } from './keys/orders/work-lines.ts'
import type { LockSystems } from './providers/lock-systems.ts'
import type { Attempts } from './providers/pauses.ts'

/** The store of the property, and its clock. */
export interface Property {
  reader: Reader
  writer: Writer
  clock: Clock
  background: BackgroundWork
  /** Reports an error that is no DeviceFault and for which no caller waits. */
  failed(error: unknown): void
}

/** A property with its devices and lock systems, and the parts that open them. */
export interface Machines extends Property {
  devices: Handles
  systems: LockSystems
  workshop: Workshop
}

/** The queues of the controllers, and the background work on keys. */
export interface Work {
  lines: WorkLines
  /** Resolves when the issuances that an earlier run of the program left open are recovered. */
  recovered: Promise<void>
  /** Starts the background work on due, unknown and revoked keys now, instead of within two seconds. */
  chase(): void
  /**
   * The failed attempts of the background work at a key. They are kept in memory only: null after a restart until the
   * first attempt has failed, and for a key that no lock system is asked about.
   */
  attempts(keyId: string): Attempts | null
  /**
   * Starts the background work on a key at once instead of after its pause. Within 5 s of the last attempt the pause
   * remains. Does nothing for a key without pending work.
   */
  askNow(keyId: string): void
}

/** All of it. A function names the parts that it needs. */
export type Access = Machines & Work
