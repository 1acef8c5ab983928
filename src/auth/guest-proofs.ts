import type { GuestFactor, Guests } from '../jsonapi/guests.ts'
import { command, type Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'

/** Two things that belong together are a proof. A name that a stranger overheard, or a number on a label, is none. */
const proofs: readonly (readonly GuestFactor[])[] = [
  ['name', 'number'],
  ['name', 'onFile'],
]

interface Options {
  reader: Reader
  writer: Writer
  now(): number
  /** Called with each error of a write that is not a Problem. */
  failed(error: unknown): void
}

interface Given {
  factors: Set<GuestFactor>
  at: number
}

const minute = 60_000
/** A proof ends when nothing was asked about its stay for this long. */
const idleMs = 5 * minute
/** After so many wrong answers within `refusedMs`, a stay gets no proof until that time has gone by. */
const mostFailures = 5
const refusedMs = 15 * minute
/** A number of a group finds many stays: the mistakes of one guest must not refuse the others. */
const fewStays = 3
const mostKept = 2_000

const actor = { by: 'gate', requestId: null }

/** Keeps the proofs of guests. What a client has heard so far is in memory, a complete proof in the store. */
export function guestProofs({ reader, writer, now, failed }: Options): (client: string) => Guests {
  const given = new Map<string, Map<string, Given>>()
  const failures = new Map<string, number[]>()
  const usedAt = new Map<string, number>()

  // The clock may have been set back.
  const isWithin = (at: number, limit: number) => Math.abs(now() - at) < limit

  function isRefused(stayId: string): boolean {
    const recent = (failures.get(stayId) ?? []).filter((at) => isWithin(at, refusedMs))
    return recent.length >= mostFailures
  }

  function fail(stayId: string): void {
    const recent = (failures.get(stayId) ?? []).filter((at) => isWithin(at, refusedMs))
    put(failures, stayId, [...recent, now()].slice(-mostFailures))
  }

  async function found(
    client: string,
    asked: readonly GuestFactor[],
    stays: ReadonlyMap<string, ReadonlySet<GuestFactor>>,
  ): Promise<void> {
    const before = given.get(client) ?? new Map<string, Given>()
    const factorsOf = (stayId: string) => {
      const earlier = before.get(stayId)
      return new Set([
        ...(earlier && isWithin(earlier.at, idleMs) ? earlier.factors : []),
        ...(stays.get(stayId) ?? []),
      ])
    }
    const after = new Map([...stays.keys()].map((id) => [id, { factors: factorsOf(id), at: now() }]))
    const proven = [...after].filter(([id, { factors }]) => isProof(factors) && !isRefused(id))
    if (proven.length === 0) {
      const tried = [...new Set([...before.keys(), ...stays.keys()])].filter((id) => {
        const factors = factorsOf(id)
        return factors.size > 0 && asked.some((factor) => !factors.has(factor))
      })
      if (tried.length <= fewStays) for (const id of tried) fail(id)
    }
    for (const [id] of proven) failures.delete(id)
    put(given, client, after)
    const stayIds = proven.map(([id]) => id)
    if (stayIds.length === 0 && stored(client).size === 0) return
    await writer.execute(noteProofs, { client, stayIds }, { actor })
  }

  function has(client: string, stayId: string): boolean {
    const name = nameOf(client, stayId)
    const at = reader.counters(name, name).get(name)
    if (at === undefined) return false
    if (!isWithin(at, idleMs) && !isWithin(usedAt.get(name) ?? 0, idleMs)) return false
    put(usedAt, name, now())
    const heard = given.get(client)?.get(stayId)
    if (heard) heard.at = now()
    if (!isWithin(at, minute))
      writer
        .execute(proofUsed, { name }, { actor })
        .catch((error) => error instanceof Problem || failed(error))
    return true
  }

  const stored = (client: string) => reader.counters(nameOf(client, ''), nameOf(client, '~'))

  return (client) => ({
    found: (asked, stays) => found(client, asked, stays),
    has: (stayId) => has(client, stayId),
    keep: (stayId) => put(usedAt, nameOf(client, stayId), now()),
    all: () =>
      [...stored(client).keys()]
        .map((name) => name.slice(nameOf(client, '').length))
        .filter((stayId) => has(client, stayId)),
  })
}

function isProof(factors: ReadonlySet<GuestFactor>): boolean {
  return proofs.some((proof) => proof.every((factor) => factors.has(factor)))
}

function put<Value>(map: Map<string, Value>, name: string, value: Value): void {
  if (map.size >= mostKept && !map.has(name)) map.clear()
  map.set(name, value)
}

/** A complete proof is a counter with the time of its last use, Unix milliseconds. */
const nameOf = (client: string, stayId: string) => `guest-proof:${client}:${stayId}`

/** Replaces the proofs of a client. */
const noteProofs = command(
  'guest-proof/noted',
  (tx, { client, stayIds }: { client: string; stayIds: readonly string[] }): void => {
    tx.forget(nameOf(client, ''), nameOf(client, '~'))
    for (const stayId of stayIds) tx.add(nameOf(client, stayId), tx.now)
  },
)

const proofUsed = command('guest-proof/used', (tx, { name }: { name: string }): void => {
  const before = tx.counters(name, name).get(name)
  if (before !== undefined) tx.add(name, tx.now - before)
})

export const guestProofCommands = [noteProofs, proofUsed]
