import type { Interface } from './jsonapi/server.ts'
import type { SimulatedLobby } from './simulated-lobby.ts'

/** The whole program at work. */
export interface Appliance {
  url: string
  /** What is worth saying at the start, a line each. */
  notes: string[]
  /** The eight digits that make an administrator now, in an empty house with which nobody has paired; else null. */
  readonly pairingCode: string | null
  /** The confirmation number of a guest to try the sample property with; null elsewhere, or when all have left. */
  sampleGuest(): string | null
  lobby: SimulatedLobby
  /** Commands and searches that are under way in another thread, or wait for it, and a backup that is being made. */
  pendingWork(): number
  /** False while the writer does not answer: who watches over the appliance should start it again when it stays so. */
  isWriting(): boolean
  /** Every operation it answers to. */
  interfaces: readonly Interface[]
  /** Rejects when the appliance cannot go on; the daemon then ends, and is started again. */
  broken: Promise<never>
  close(): Promise<void>
}
