import type { Clock } from '../../src/host/clock.ts'
import type { Asking } from './asking.ts'
import type { Sensors } from './state-word.ts'

/** A machine on an open wire. */
export interface K720 extends Asking {
  model: string
  preFeeds: boolean
  sensors: Sensors
  /** The bits that show that something moves. */
  busyBits: number
  /** True also until the entry was set on this wire. */
  isEntryOpen: boolean
  clock: Clock
  /** Stretches or shortens every pause. */
  patience: number
}
