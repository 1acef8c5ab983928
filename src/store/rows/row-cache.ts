import { memoized } from '../../host/memoized.ts'
import type { Fields } from '../../resource/field.ts'
import type { Resource, Row } from '../../resource/resource.ts'

/** The row number and the revision of a row. */
export type RowVersion = readonly [rid: number, revision: number]

/** The largest number of cached entries. */
const mostVersions = 4_000
const noMore = -1

type KeptVersion = [rid: number, revision: number]

export type RowVersions = ReturnType<typeof rowVersions>

/**
 * Caches row number and revision by id, across commands: each command looks up people, types and plans. A cache for one
 * command only would make a create and a change of a stay 9 % slower. Only the writing connection may use this cache. It
 * must call `moved` when a row gets its next revision, `gone` when a row is deleted, and
 * `forget` after a rollback.
 */
export function rowVersions() {
  const byId = new Map<Resource, Map<string, KeptVersion>>()
  const byRid = new Map<Resource, Map<number, KeptVersion>>()
  let size = 0

  function known(resource: Resource, id: string): RowVersion | null {
    const version = byId.get(resource)?.get(id)
    return version && version[1] !== noMore ? version : null
  }

  function keep(resource: Resource, id: string, [rid, revision]: RowVersion): void {
    if (++size > mostVersions) forget()
    const versions = byRid.getOrInsertComputed(resource, () => new Map())
    // The same id may be written in several ways.
    const version = versions.getOrInsert(rid, [rid, revision])
    byId.getOrInsertComputed(resource, () => new Map()).set(id, version)
  }

  function moved(resource: Resource, rid: number): void {
    const version = byRid.get(resource)?.get(rid)
    if (version) version[1]++
  }

  function gone(resource: Resource, rid: number): void {
    const version = byRid.get(resource)?.get(rid)
    if (version) version[1] = noMore
  }

  function forget(): void {
    byId.clear()
    byRid.clear()
    size = 0
  }

  return { known, keep, moved, gone, forget }
}

const mostSeen = 1_000

/**
 * Caches the rows that commands read. A row with the same revision is the same row, so a command reads it
 * once. Rows of configuration without computed fields stay cached for later commands, until `forget`, which
 * must be called after a rollback. Without this cache a change of a stay is 40 % slower. Without the lasting
 * part a create is 10 % slower.
 */
export function rowCache(read: (resource: Resource, rid: number) => Row | null) {
  const lasting = new Map<string, Row>()
  return { ofOneCommand: () => new CommandRows(read, lasting), forget: () => lasting.clear() }
}

/** The rows that one command reads and writes. */
export class CommandRows {
  readonly #read: (resource: Resource, rid: number) => Row | null
  readonly #lasting: Map<string, Row>
  readonly #seen = new Map<string, Row>()
  readonly #revised = new Set<string>()
  readonly #outer: CommandRows | null

  constructor(
    read: (resource: Resource, rid: number) => Row | null,
    lasting: Map<string, Row>,
    outer: CommandRows | null = null,
  ) {
    this.#read = read
    this.#lasting = lasting
    this.#outer = outer
  }

  /** Returns the rows of an attempt of the command. They are forgotten with it, unless `adopt` is called. */
  ofAttempt(): CommandRows {
    return new CommandRows(this.#read, this.#lasting, this)
  }

  /** The attempt has succeeded: what it has revised and read is what the command has revised and read. */
  adopt(attempt: CommandRows): void {
    for (const key of attempt.#revised) {
      this.#seen.delete(key)
      this.#revised.add(key)
    }
    for (const [key, row] of attempt.#seen) this.#seen.set(key, row)
  }

  /**
   * Returns a copy of the row with this number and this revision. Changes to one copy do not affect another.
   */
  at(resource: Resource, rid: number, revision: number): Row {
    const all = isLasting(resource) ? this.#lasting : this.#seen
    const key = `${resource.table}/${rid}`
    const kept = all.get(key) ?? this.#seenOutside(key)
    if (kept?.revision === revision) return { ...kept }
    // No other connection writes, so a row that was found is there.
    const row = this.#read(resource, rid)!
    if (all.size >= mostSeen) all.clear()
    all.set(key, all === this.#lasting ? frozen(row) : row)
    return { ...row }
  }

  /**
   * Whether the row has a new revision from this command. A command gives each row at most one, because nobody
   * sees the states between its writes.
   */
  isRevised(resource: Resource, rid: number): boolean {
    return this.#revised.has(`${resource.table}/${rid}`) || (this.#outer?.isRevised(resource, rid) ?? false)
  }

  /** A row that the command had read before the attempt, and that the attempt has not changed. */
  #seenOutside(key: string): Row | undefined {
    const outer = this.#outer
    if (!outer || this.#revised.has(key)) return undefined
    return outer.#seen.get(key) ?? outer.#seenOutside(key)
  }

  /** Records that the row has changed, and has a new revision. */
  revised(resource: Resource, rid: number): void {
    const key = `${resource.table}/${rid}`
    this.#seen.delete(key)
    this.#lasting.delete(key)
    this.#revised.add(key)
  }
}

/** Freezes a value and everything in it, so that one command cannot change what another reads. */
function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}

/**
 * Whether the resource is configuration without computed fields. A computed value could change without a new
 * revision.
 */
const isLasting = memoized(
  ({ base, bookkeeping, fields }: Resource) =>
    base === '/api/config/v1' &&
    !bookkeeping &&
    Object.values(fields as Fields).every(
      ({ options, members = {} }) =>
        !options.computed && Object.values(members).every((member) => !member.options.computed),
    ),
)
