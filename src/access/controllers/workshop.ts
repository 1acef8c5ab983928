import type { Duplex } from 'node:stream'
import type { BayEvent } from '../../devices/bay-event.ts'
import type { Driver, LockDriver } from '../../devices/driver.ts'
import type { Clock } from '../../host/clock.ts'
import type { Recorder } from '../../recorder/recorder.ts'

/** What the appliance's devices are opened with. */
export interface Workshop {
  drivers: readonly Driver[]
  lockDrivers: readonly LockDriver[]
  /** Opens a wire by its address; rejects with an Error in words. */
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
  /** Small secrets, as the vault keeps them. */
  seal(text: string, context: string): string
  unseal(sealed: string, context: string): string
  mark(text: string, context: string): string
  clock: Clock
  log(event: BayEvent): void
  /** Keeps what passes on the wires; nothing does where there is none. */
  recorder?: Recorder
}
