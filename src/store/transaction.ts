import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import type { Actor, Document, Transaction } from '../resource/change.ts'
import type { Field, Fields, Stored } from '../resource/fields.ts'
import type { Resources } from '../resource/path.ts'
import { Problem } from '../resource/problem.ts'
import type { Filter, SortKey } from '../resource/query.ts'
import type { Resource, Row } from '../resource/resource.ts'
import type { Shape } from '../resource/shape.ts'
import type { Connection } from './connection.ts'
import { documentSql } from './document.ts'
import { targetOf } from './expression.ts'
import { holdersOf } from './holders.ts'
import { missing } from './reader.ts'
import { rowReader } from './row.ts'
import { selectPage } from './select.ts'
import { statements } from './statements.ts'
import { entomb, nextRid } from './tombstone.ts'
import { toBlob, uuids } from './uuid.ts'

export type ShapeOf = (resource: Resource) => Shape

type Attributes = Record<string, unknown>

/** What changes work with on the writing connection. `begin` gives the transaction of one change. */
export function transactions(db: Connection, resources: Resources, shapeOf: ShapeOf) {
  const prepare = statements(db)
  const rows = rowReader(resources, prepare)
  const newId = uuids()
  const rids = nextRid(prepare)

  function begin(now: number, actor: Actor): Transaction {
    const tx: Transaction = {
      now,
      actor,
      insert: (resource, attributes) => insert(resource, attributes as Attributes) as never,
      find: (resource, id) => rows.read(resource, ridOf(resource, id)) as never,
      select: (resource, where, sort, limit) => select(resource, where, sort, limit) as never,
      patch: (resource, id, changes) => patch(resource, id, changes as Attributes) as never,
      remove,
      touch: (resource, id) => bump(resource, ridOf(resource, id)),
      journal,
      next,
      document,
      count: (sql, ...values) =>
        Number(
          prepare(sql)
            .pluck()
            .get(...values) ?? 0,
        ),
    }
    return tx

    function insert(resource: Resource, attributes: Attributes): Row {
      const id = newId(now)
      const after = { ...defaultsOf(resource), ...attributes }
      for (const rule of resource.rules.write ?? []) rule({ tx, id, before: null, after })
      const rid = rids(resource)
      const columns = columnsOf(resource).filter(
        ([name]) => after[name] !== undefined && after[name] !== null,
      )
      const names = ['rid', 'id', 'createdAt', 'updatedAt', 'revision', ...columns.map(([name]) => name)]
      const values = columns.map(([name, field]) => stored(`/${name}`, field, after[name]))
      guarded(resource, after, () =>
        prepare(`INSERT INTO ${resource.table} (${names}) VALUES (${names.map(() => '?')})`).run(
          rid,
          toBlob(id),
          now,
          now,
          1,
          ...values,
        ),
      )
      for (const [name, field] of partsOf(resource)) writeParts(rid, name, field, after[name])
      touchTargets(resource, after)
      journal(`${resource.type}.created`, `${resource.path}/${id}`, { revision: 1 })
      const row = { ...after, id, createdAt: now, updatedAt: now, revision: 1 } as Row
      for (const rule of resource.rules.written ?? []) rule({ tx, id, before: null, after: row })
      return row
    }

    function patch(resource: Resource, idOrLookup: string, changes: Attributes): Row {
      const rid = ridOf(resource, idOrLookup)
      const before = rows.read(resource, rid)
      const after: Attributes = { ...before, ...changes }
      for (const rule of resource.rules.write ?? []) rule({ tx, id: before.id, before, after })
      const changed = Object.entries(resource.fields).filter(
        ([name, { options }]) => !options.computed && differs(after[name], (before as Attributes)[name]),
      )
      if (changed.length === 0) return before
      refuseImmutable(changed, before)
      const columns = changed.filter(([, { kind }]) => kind !== 'parts')
      const sets = ['updatedAt = ?', 'revision = revision + 1', ...columns.map(([name]) => `${name} = ?`)]
      const values = columns.map(([name, field]) => stored(`/${name}`, field, after[name]))
      guarded(resource, after, () =>
        prepare(`UPDATE ${resource.table} SET ${sets} WHERE rid = ?`).run(now, ...values, rid),
      )
      for (const [name, field] of changed)
        if (field.kind === 'parts') writeParts(rid, name, field, after[name])
      touchTargets(resource, before as Attributes)
      touchTargets(resource, after, before as Attributes)
      journal(`${resource.type}.changed`, `${resource.path}/${before.id}`, {
        revision: before.revision + 1,
        changed: changed.map(([name]) => name),
      })
      const row = { ...after, updatedAt: now, revision: before.revision + 1 } as Row
      for (const rule of resource.rules.written ?? []) rule({ tx, id: before.id, before, after: row })
      return row
    }

    function remove(resource: Resource, idOrLookup: string): void {
      const rid = ridOf(resource, idOrLookup)
      const row = rows.read(resource, rid)
      for (const rule of resource.rules.remove ?? []) rule({ tx, id: row.id, before: row, after: row })
      refuseWhileHeld(resource, rid)
      entomb(prepare, resource, rid, now)
      for (const [, { table }] of partsOf(resource)) prepare(`DELETE FROM ${table} WHERE owner = ?`).run(rid)
      prepare(`DELETE FROM ${resource.table} WHERE rid = ?`).run(rid)
      touchTargets(resource, row as Attributes)
      journal(`${resource.type}.deleted`, `${resource.path}/${row.id}`, { revision: row.revision })
    }

    function journal(type: string, subject: string, data: Record<string, unknown> = {}): void {
      prepare(
        'INSERT INTO journal (at, type, subject, data, actor, requestId) VALUES (?, ?, ?, ?, ?, ?)',
      ).run(now, type, subject, JSON.stringify(data), actor.by, actor.requestId)
    }
  }

  function ridOf(resource: Resource, id: string): number {
    const rid = rows.rid(resource, id)
    if (rid === null) throw missing(resource, id)
    return rid
  }

  function select(resource: Resource, where: Filter[], sort: SortKey[] = [], limit = 1000): Row[] {
    const query = { filters: where, sort, page: { size: limit } }
    const [statement] = selectPage(resources, resource, query, null)
    const found = prepare(statement!.sql)
      .raw()
      .all(...statement!.values, limit) as [number, number][]
    return found.map(([rid]) => rows.read(resource, rid))
  }

  function document(resource: Resource, id: string): Document {
    const rid = ridOf(resource, id)
    const revision = prepare(`SELECT revision FROM ${resource.table} WHERE rid = ?`)
      .pluck()
      .get(rid) as number
    const text = prepare(documentSql(resources, resource, shapeOf(resource)))
      .pluck()
      .get(rid) as string
    return { id: rows.read(resource, rid).id, revision, text }
  }

  function next(counter: string): number {
    return prepare(
      'INSERT INTO counter (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value',
    )
      .pluck()
      .get(counter) as number
  }

  /** A column's value; a reference becomes the row number of what it points at. */
  function stored(pointer: string, field: Field, value: unknown): Stored {
    if (value === undefined || value === null) return null
    if (!field.to) return field.encode(value)
    const target = targetOf(resources, field)
    const rid = rows.rid(target, String(value))
    if (rid === null) {
      throw new Problem('reference-unknown', `There is no ${target.type} ${value}.`, { pointer })
    }
    return rid
  }

  function writeParts(owner: number, name: string, field: Field, value: unknown): void {
    prepare(`DELETE FROM ${field.table} WHERE owner = ?`).run(owner)
    const items = (value ?? []) as unknown[]
    items.forEach((item, position) => {
      const attributes = field.only ? { [field.only]: item } : (item as Attributes)
      const columns = Object.entries(field.members ?? {}).filter(([, { options }]) => !options.computed)
      const values = columns.map(([member, each]) =>
        stored(
          field.only ? `/${name}/${position}` : `/${name}/${position}/${member}`,
          each,
          attributes[member] ?? each.options.default,
        ),
      )
      const names = ['owner', 'position', ...columns.map(([member]) => member)]
      prepare(`INSERT INTO ${field.table} (${names}) VALUES (${names.map(() => '?')})`).run(
        owner,
        position,
        ...values,
      )
    })
  }

  /** What this row's references say is shown by what they point at. */
  function touchTargets(resource: Resource, attributes: Attributes, unless: Attributes = {}): void {
    for (const [name, field] of Object.entries(resource.fields)) {
      const id = attributes[name]
      if (!field.options.touches || !id || id === unless[name]) continue
      const target = targetOf(resources, field)
      bump(target, ridOf(target, String(id)))
    }
  }

  /** A new revision, here and in whatever shows this one. */
  function bump(resource: Resource, rid: number): void {
    prepare(`UPDATE ${resource.table} SET revision = revision + 1 WHERE rid = ?`).run(rid)
    for (const [name, field] of Object.entries(resource.fields)) {
      if (!field.options.touches) continue
      const above = prepare(`SELECT ${name} FROM ${resource.table} WHERE rid = ?`).pluck().get(rid)
      if (typeof above === 'number') bump(targetOf(resources, field), above)
    }
  }

  function refuseWhileHeld(resource: Resource, rid: number): void {
    for (const { table, column, by } of holdersOf(resources, resource)) {
      const holders = prepare(`SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT 1000)`)
        .pluck()
        .get(rid) as number
      if (holders > 0) {
        throw new Problem('resource-referenced', `${holders} ${by} still refer to this ${resource.type}.`, {
          meta: { by, count: holders },
        })
      }
    }
  }

  /** Turns a broken uniqueness into the problem that the index declares. */
  function guarded(resource: Resource, after: Attributes, work: () => unknown): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error
      const columns = [...error.message.matchAll(/\w+\.(\w+)/g)].map(([, column = '']) => column)
      const name = columns.at(-1) ?? 'id'
      const index = resource.indexes.find(({ fields }) => fields.join() === columns.join())
      throw new Problem(
        index?.problem ?? 'validation-failed',
        `Another ${resource.type} has ${name} ${after[name]}.`,
        {
          pointer: `/${name}`,
          cause: error,
        },
      )
    }
  }

  return { begin, prepare }
}

function defaultsOf(resource: Resource): Attributes {
  const entries = Object.entries(resource.fields as Fields)
  return Object.fromEntries(
    entries
      .filter(([, { options }]) => options.default !== undefined)
      .map(([name, { options }]) => [name, options.default]),
  )
}

function columnsOf(resource: Resource): [string, Field][] {
  return Object.entries(resource.fields).filter(
    ([, { kind, options }]) => kind !== 'parts' && !options.computed,
  )
}

function partsOf(resource: Resource): [string, Field][] {
  return Object.entries(resource.fields).filter(([, { kind }]) => kind === 'parts')
}

/** Absent and null are the same; so are an empty list and none. */
function differs(after: unknown, before: unknown): boolean {
  return !isDeepStrictEqual(plain(after), plain(before))
}

function plain(value: unknown): unknown {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null
  return value
}

function refuseImmutable(changed: [string, Field][], before: Row): void {
  for (const [name, { options }] of changed) {
    if (!options.immutable || (before as Attributes)[name] === null) continue
    throw new Problem(
      name === 'providerId' ? 'provider-immutable' : 'validation-failed',
      `${name} cannot change.`,
      {
        pointer: `/${name}`,
      },
    )
  }
}
