import type { Duplex } from 'node:stream'
import type { BayEvent } from '../../devices/bay/bay-event.ts'
import type { Driver, LockDriver } from '../../devices/driver.ts'
import type { Clock } from '../../host/clock.ts'
import type { Recorder } from '../../recorder/recorder.ts'

/** The parts with which devices and lock systems are opened. */
export interface Workshop {
  drivers: readonly Driver[]
  lockDrivers: readonly LockDriver[]
  /** Opens a wire by its address. Rejects with an Error whose message is for people. */
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
  /** Encrypts, decrypts and hashes small secrets with the keys of the vault. */
  seal(text: string, context: string): string
  unseal(sealed: string, context: string): string
  mark(text: string, context: string): string
  clock: Clock
  log(event: BayEvent): void
  /** Returns the other programs that may use a line. Default: those that this machine shows. */
  lineUsers?(path: string): Promise<string[]>
  /** Records the traffic on the wires; absent when nothing is recorded. */
  recorder?: Recorder
}
