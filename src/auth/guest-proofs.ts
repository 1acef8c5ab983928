import type { GuestFactor, GuestProof, Guests, ShownCard } from '../jsonapi/guests.ts'
import { command, type Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { wrongAnswers } from './limits/wrong-answers.ts'

/** Two things are a proof. A name that a stranger has overheard, or a number on a label, is none. */
const enough = 2

interface Options {
  reader: Reader
  writer: Writer
  now(): number
  /** Whether the front desk has released a stay. */
  isReleased(stayId: string): boolean
  /** Called with each error of a write that is not a Problem. */
  failed(error: unknown): void
}

/** What a client has heard of a stay. */
interface Heard extends Omit<GuestProof, 'knowsNumber'> {
  factors: ReadonlySet<GuestFactor>
  isProven: boolean
  /** When its guest was here last, Unix milliseconds. */
  at: number
  /** When this was stored. */
  storedAt: number
}

/** What a client has heard, by the ids of the stays. */
type Known = ReadonlyMap<string, Heard>
type Asked = readonly GuestFactor[]
type Right = ReadonlyMap<string, ReadonlySet<GuestFactor>>

const minute = 60_000
/** What was heard is forgotten when nothing was asked about the stay for this long. */
const idleMs = 5 * minute
/** A proof from before a power cut counts this long: its guest may have been at the payment terminal since it was stored. */
const storedMs = 10 * minute
/** A number of a group finds many stays: the mistakes of one guest must not refuse the others. */
const fewStays = 3
const mostKept = 2_000

const actor = { by: 'gate', requestId: null }

/** Keeps what guests have said at each client. It is in memory, and a proof also in the store, so that it outlives a power cut. */
export class GuestProofs {
  readonly #options: Options
  readonly #now: () => number
  readonly #heardAt = new Map<string, Known>()
  readonly #wrong
  /** The number of requests about a stay that a client has open. */
  readonly #open = new Map<string, number>()
  readonly #startedAt

  constructor(options: Options) {
    this.#options = options
    this.#now = options.now
    this.#wrong = wrongAnswers(options.now)
    this.#startedAt = options.now()
  }

  /** What the guests at a client have said. */
  at(client: string): Guests {
    return {
      found: (asked, stays, said) => this.#found(client, asked, stays, said),
      has: (stayId) => this.#provenAt(client, stayId) !== null,
      proof: (stayId) => this.#proof(client, stayId),
      showed: (stayId, card) => this.#showed(client, stayId, card),
      checkedIn: (stayId) => {
        const heard = this.#provenAt(client, stayId)
        if (heard) heard.checkedInAt = this.#now()
      },
      during: (stayId, work) => this.#during(client, stayId, work),
      all: () => this.#all(client),
    }
  }

  // The clock may have been set back.
  #isWithin(at: number, limit: number): boolean {
    return Math.abs(this.#now() - at) < limit
  }

  #isFresh(client: string, stayId: string, { at }: Heard): boolean {
    if (this.#open.has(nameOf(client, stayId))) return true
    return this.#isWithin(at, at < this.#startedAt ? storedMs : idleMs)
  }

  /** What a client has heard. The first time since the start, it is what the store has. */
  #heardBy(client: string): Known {
    const known = this.#heardAt.get(client)
    if (known) return known
    const heard = new Map<string, Heard>()
    for (const [name, at] of this.#options.reader.counters(nameOf(client, ''), nameOf(client, last))) {
      const { stayId, ...proof } = storedProof(name.slice(nameOf(client, '').length))
      heard.set(stayId, { ...proof, isProven: true, since: at, checkedInAt: null, at, storedAt: at })
    }
    put(this.#heardAt, client, heard)
    return heard
  }

  async #found(client: string, asked: Asked, right: Right, said: string) {
    const before = this.#heardBy(client)
    const isTooMuch = this.#wrong.areTooMany(client, meantOf(right))
    const open = isTooMuch ? this.#releasedOf(asked, right) : right
    const isRefused = isTooMuch && open.size === 0
    const after = this.#heardNow(client, before, asked, open)
    const proven = [...after].filter(([, { isProven }]) => isProven).map(([id]) => id)
    for (const id of proven) this.#wrong.forget(id)
    if (proven.length === 0 && !isRefused) this.#countWrong(client, before, asked, right, said)
    put(this.#heardAt, client, after)
    if (proven.length > 0 || [...before.values()].some(({ isProven }) => isProven)) await this.#store(client)
    return isRefused ? 'refused' : 'noted'
  }

  /** The stays that are right as a whole and that the desk has released: it knows that their guest is the one who asks. */
  #releasedOf(asked: Asked, right: Right): Right {
    const { isReleased } = this.#options
    return new Map([...right].filter(([id, { size }]) => size === asked.length && isReleased(id)))
  }

  #heardNow(client: string, before: Known, asked: Asked, right: Right): Known {
    const now = this.#now()
    const after = new Map<string, Heard>()
    for (const [id, factors] of right) {
      const earlier = before.get(id)
      // A search after a proof is that of the next guest, who may have seen what the one before has typed.
      const isSame = earlier && !earlier.isProven && this.#isFresh(client, id, earlier)
      const all = new Set([...(isSame ? earlier.factors : []), ...factors])
      const isProven = factors.size === asked.length && all.size >= enough
      const none = { shown: null, checkedInAt: null }
      after.set(id, { factors: all, isProven, since: now, ...none, at: now, storedAt: now })
    }
    return after
  }

  /**
   * Counts a search for which no stay is right as a whole: against the client, and against the stays that the guest may
   * have meant. These are the ones for which a part is right, or if there is none, those of the search before.
   */
  #countWrong(client: string, before: Known, asked: Asked, right: Right, said: string): void {
    if ([...right.values()].some(({ size }) => size === asked.length)) return
    const fresh = [...before].filter(([id, heard]) => !heard.isProven && this.#isFresh(client, id, heard))
    const earlier = new Map(fresh.map(([id, { factors }]) => [id, factors]))
    this.#wrong.count(client, meantOf(right.size > 0 ? right : earlier), said)
  }

  /** Without the store, a search works all the same. */
  async #store(client: string): Promise<void> {
    const heard = this.#heardBy(client)
    const proofs = this.#all(client).map((id) => storedName(id, heard.get(id)!))
    for (const each of heard.values()) each.storedAt = this.#now()
    try {
      await this.#options.writer.execute(noteProofs, { client, proofs }, { actor })
    } catch (error) {
      if (!(error instanceof Problem)) this.#options.failed(error)
    }
  }

  /** What is known of a guest who has given a proof, and who is here now; null without one. */
  #provenAt(client: string, stayId: string): Heard | null {
    const heard = this.#heardBy(client).get(stayId)
    if (!heard?.isProven || !this.#isFresh(client, stayId, heard)) return null
    heard.at = this.#now()
    if (!this.#isWithin(heard.storedAt, minute)) void this.#store(client)
    return heard
  }

  #proof(client: string, stayId: string): GuestProof | null {
    const heard = this.#provenAt(client, stayId)
    if (!heard) return null
    const { factors, since, shown, checkedInAt } = heard
    return { knowsNumber: factors.has('number'), since, shown, checkedInAt }
  }

  async #showed(client: string, stayId: string, shown: ShownCard): Promise<void> {
    const heard = this.#provenAt(client, stayId)
    if (!heard) return
    heard.shown = shown
    await this.#store(client)
  }

  #all(client: string): string[] {
    const heard = [...this.#heardBy(client)]
    return heard.filter(([id, each]) => each.isProven && this.#isFresh(client, id, each)).map(([id]) => id)
  }

  async #during<Result>(client: string, stayId: string, work: () => Promise<Result> | Result) {
    const name = nameOf(client, stayId)
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const left = this.#open.get(name)! - 1
      if (left > 0) this.#open.set(name, left)
      else this.#open.delete(name)
      const heard = this.#heardBy(client).get(stayId)
      if (heard) heard.at = this.#now()
    }
  }
}

/** The stays that a guest may mean: those with the name, and those with the number unless it is that of a group. */
function meantOf(right: Right): string[] {
  return [...right].filter(([, factors]) => factors.has('name') || right.size <= fewStays).map(([id]) => id)
}

function put<Value>(map: Map<string, Value>, name: string, value: Value): void {
  if (map.size >= mostKept && !map.has(name)) map.clear()
  map.set(name, value)
}

/** A proof is a counter with the time at which it was stored, Unix milliseconds. Its name ends with what is known of the guest. */
const prefix = 'guest-proof:'
/** It sorts after every id. */
const last = '~'
const nameOf = (client: string, proof: string) => `${prefix}${client}:${proof}`

/** The end of the name of a stored proof: the stay, the factors, and the key of a card that was shown or returned. */
function storedName(stayId: string, { factors, shown }: Pick<Heard, 'factors' | 'shown'>): string {
  const card = shown ? [`${shown.isReturned ? 'returned' : 'card'}=${shown.keyId}`] : []
  return [stayId, ...factors, ...card].join('+')
}

function storedProof(name: string): Pick<Heard, 'factors' | 'shown'> & { stayId: string } {
  const [stayId = '', ...rest] = name.split('+')
  const cards = rest.flatMap((each) => {
    const [how, keyId] = each.split('=')
    return keyId ? [{ keyId, isReturned: how === 'returned' }] : []
  })
  const factors = new Set(rest.filter((each) => !each.includes('=')) as GuestFactor[])
  return { stayId, factors, shown: cards[0] ?? null }
}

/** Replaces the proofs of a client, and drops those of others that have ended. */
const noteProofs = command(
  'guest-proof/noted',
  (tx, { client, proofs }: { client: string; proofs: readonly string[] }): void => {
    tx.forget(nameOf(client, ''), nameOf(client, last))
    for (const [name, at] of tx.counters(prefix, prefix + last))
      if (Math.abs(tx.now - at) >= storedMs) tx.forget(name, name)
    for (const proof of proofs) tx.add(nameOf(client, proof), tx.now)
  },
)

export const guestProofCommands = [noteProofs]
