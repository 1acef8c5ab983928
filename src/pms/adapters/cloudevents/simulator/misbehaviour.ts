import type { RequestType } from '../messages/messages.ts'

/**
 * What a PMS or its line can do instead of answering. `cut-before` and `cut-after`: the connection ends, and the request was
 * not or was carried out; `half`: it ends in the middle of the answer; `silence`: nothing ever comes.
 */
export const deeds = [
  'cut-before',
  'cut-after',
  'half',
  'silence',
  'late',
  'garbage',
  'huge',
  'busy',
  'too-many',
  'unauthorized',
  'forbidden',
  'fail',
  'redirect',
] as const
export type Deed = (typeof deeds)[number]

/** Of news: not told, told twice, told after the next one, told as rubbish. */
type NewsDeed = 'lose' | 'twice' | 'after-the-next' | 'garbage'

export type Asked = RequestType | 'events' | 'token'

export interface Fault {
  /** What has to be asked for; `*` is anything. */
  at: Asked | '*'
  does: Deed
  /** Once unless said otherwise. */
  times?: number
  /** Of `late`. */
  ms?: number
  /** Said with `busy` and `too-many`; nothing when absent. */
  retryAfterSeconds?: number
  /** Told when somebody has asked for it. */
  taken?(): void
}

/** Tells the PMS to misbehave: a plain object that a test or a person writes into. */
export interface Misbehaviour {
  faults: Fault[]
  news: NewsDeed[]
  /** Mixed into the next page of changes, whatever it is. */
  hostile: unknown[]
}

/** What is to become of a request that asks for this: the first fault that fits, which is used up. */
export function takeFault({ faults }: Misbehaviour, asked: Asked): Fault | null {
  const index = faults.findIndex(({ at }) => at === asked || at === '*')
  const fault = faults[index]
  if (!fault) return null
  if ((fault.times ?? 1) <= 1) faults.splice(index, 1)
  else fault.times = (fault.times ?? 1) - 1
  fault.taken?.()
  return fault
}
