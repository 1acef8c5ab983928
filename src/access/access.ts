import type { Clock } from '../host/clock.ts'
import type { Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Handles } from './controllers/handles.ts'
import type { Workshop } from './controllers/workshop.ts'
import type { WorkLines } from './keys/work-lines.ts'
import type { LockSystems } from './providers/lock-systems.ts'

/** What is stored of the property, and its time. */
export interface Property {
  reader: Reader
  writer: Writer
  clock: Clock
  /** Reports an error that is no device's failure and that no caller waits for. */
  failed(error: unknown): void
}

/** The devices and lock systems of the property, and what they are opened with. */
export interface Machines {
  devices: Handles
  systems: LockSystems
  workshop: Workshop
}

/** The work at the controllers: who waits for which, and what goes on without a request. */
export interface Work {
  lines: WorkLines
  /** Resolves when the issuances that an earlier run of the program left open are recovered. */
  recovered: Promise<void>
  /** Starts the search for keys that are due, in doubt or to be revoked now, instead of in two seconds. */
  chase(): void
}

/** All three parts. A function names the parts that it needs. */
export type Access = Property & Machines & Work
