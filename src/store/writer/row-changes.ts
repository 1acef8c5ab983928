import type { Transaction } from '../../resource/command.ts'
import type { Observers } from '../../resource/observer.ts'
import { Problem } from '../../resource/problem.ts'
import type { EventName, Resource, Row } from '../../resource/resource.ts'
import { missing } from '../rows/row.ts'
import type { RowVersion } from '../rows/row-cache.ts'
import { changedFields, configAudit, tracedValues } from './changed-fields.ts'
import { holdersOf } from './holders.ts'
import { deleteRow, insertRow, type RowTools, updateRow } from './row-writer.ts'
import { type AttributeValues, type Named, planOf } from './table-plan.ts'
import { entomb } from './tombstone.ts'

/** What a write of a row needs. */
export interface RowWriting extends RowTools {
  newId(now: number): string
  observers: Observers
}

/** Inserts a row with the defaults of its resource, and adds a journal line. Returns the row. */
export function createRow(
  writing: RowWriting,
  tx: Transaction,
  resource: Resource,
  attributes: AttributeValues,
  id = writing.newId(tx.now),
): Row {
  const { now } = tx
  const after = { ...planOf(resource).defaults, ...attributes }
  for (const rule of resource.rules.write ?? []) rule({ tx, id, before: null, after })
  insertRow(writing, resource, id, now, after)
  if (!resource.bookkeeping) {
    const audit = configAudit(tx, resource, planOf(resource).stored, {}, after)
    tx.journal(eventOf(resource, resource.events.created, after), `${resource.path}/${id}`, {
      revision: 1,
      ...audit,
    })
  }
  const row = { ...after, id, createdAt: now, updatedAt: now, revision: 1 } as Row
  for (const rule of resource.rules.written ?? []) rule({ tx, id, before: null, after: row })
  writing.observers.get(resource)?.(tx, { before: null, after: row, changed: [] })
  return row
}

/**
 * Sets fields of a row, and adds a journal line. Writes nothing when no field differs. Returns the row. A row
 * that the same command has created keeps its revision, and its first line says enough: whoever reads the row
 * finds it complete. The audit of the configuration, which shows values, has both lines.
 */
export function patchRow(
  writing: RowWriting,
  tx: Transaction,
  resource: Resource,
  before: Row,
  changes: AttributeValues,
): Row {
  const { id } = before
  const after: AttributeValues = { ...before, ...changes }
  for (const rule of resource.rules.write ?? []) rule({ tx, id, before, after })
  const changed = changedFields(resource, before, after)
  if (changed.length === 0) return before
  refuseImmutable(changed, before)
  const rid = ridOf(writing, resource, id)
  const values = { changed, before: before as AttributeValues, after }
  const isRevised = updateRow(writing, resource, rid, tx.now, values)
  const revision = isRevised ? before.revision + 1 : before.revision
  const isNew = revision === 1 && resource.base !== '/api/config/v1'
  if (!resource.bookkeeping && !isNew && !changed.every(([, { options }]) => options.unremarked)) {
    const audit = configAudit(tx, resource, changed, values.before, after)
    const traced = tracedValues(changed, values.before, after)
    const data = {
      revision,
      changed: changed.map(([name]) => name),
      ...(traced && { values: traced }),
      ...audit,
    }
    tx.journal(eventOf(resource, resource.events.changed, after), `${resource.path}/${id}`, data)
  }
  const row = { ...after, updatedAt: tx.now, revision } as Row
  for (const rule of resource.rules.written ?? []) rule({ tx, id, before, after: row })
  writing.observers.get(resource)?.(tx, { before, after: row, changed: changed.map(([name]) => name) })
  return row
}

function eventOf({ type }: Resource, name: EventName, row: AttributeValues): string {
  return `${type}.${typeof name === 'string' ? name : name(row)}`
}

/** Sets fields of a row without its rules, and without a line in the journal. */
export function overwriteRow(
  writing: RowWriting,
  tx: Transaction,
  resource: Resource,
  before: Row,
  changes: AttributeValues,
): void {
  const after: AttributeValues = { ...before, ...changes }
  const changed = changedFields(resource, before, after)
  if (changed.length === 0) return
  const rid = ridOf(writing, resource, before.id)
  updateRow(writing, resource, rid, tx.now, { changed, before: before as AttributeValues, after })
}

/** Deletes a row and journals it. Throws not-found, and resource-referenced while a row refers to it. */
export function removeRow(
  writing: RowWriting,
  tx: Transaction,
  resource: Resource,
  idOrLookup: string,
): void {
  const { resources, prepare, rows } = writing
  const rid = ridOf(writing, resource, idOrLookup)
  const row = rows.read(resource, rid)!
  for (const rule of resource.rules.remove ?? []) rule({ tx, id: row.id, before: row, after: row })
  refuseWhileHeld(writing, resource, rid)
  entomb(prepare, resources, resource, rid, tx.now)
  deleteRow(writing, resource, rid, row as AttributeValues)
  writing.observers.get(resource)?.(tx, { before: row, after: null, changed: [] })
  if (resource.bookkeeping) return
  const audit = configAudit(tx, resource, planOf(resource).stored, row as AttributeValues, {})
  const data = { revision: row.revision, ...wholeOf(resource, row as AttributeValues), ...audit }
  tx.journal(`${resource.type}.deleted`, `${resource.path}/${row.id}`, data)
}

/** Returns the number and the revision of a row. Throws not-found. */
export function located({ rows }: Pick<RowWriting, 'rows'>, resource: Resource, id: string): RowVersion {
  const found = rows.find(resource, id)
  if (found === null) throw missing(resource, id)
  return found
}

/** Returns the number of a row. Throws not-found. */
export function ridOf(writing: Pick<RowWriting, 'rows'>, resource: Resource, id: string): number {
  return located(writing, resource, id)[0]
}

function refuseWhileHeld({ resources, prepare }: RowWriting, resource: Resource, rid: number): void {
  for (const { table, column, by } of holdersOf(resources, resource)) {
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT 1000)`
    const count = prepare(sql).pluck().get(rid) as number
    if (count === 0) continue
    throw new Problem(
      'resource-referenced',
      `Still in use: resources of type ${by} that refer to this ${resource.type}: ${count}.`,
      {
        meta: { by, count },
      },
    )
  }
}

/**
 * Returns the references of a deleted row to its owners, by field name. A consumer of the event can no longer
 * look them up.
 */
function wholeOf({ fields }: Resource, row: AttributeValues): AttributeValues {
  const pointing = Object.entries(fields).filter(([, { options }]) => options.touches)
  return Object.fromEntries(pointing.map(([name]) => [name, row[name] ?? null]))
}

function refuseImmutable(changed: Named[], before: Row): void {
  for (const [name, { options }] of changed) {
    if (!options.immutable || (before as AttributeValues)[name] === null) continue
    const code = name === 'providerId' ? 'provider-immutable' : 'validation-failed'
    throw new Problem(code, `${name} cannot change.`, { pointer: `/${name}` })
  }
}

/** The refusal of a change by a client that has not seen the newest revision. */
export function changedMeanwhile({ type }: Resource, revision: number): Problem {
  return new Problem('revision-mismatch', `The ${type} has revision ${revision} by now.`, {
    header: 'If-Match',
    meta: { revision },
  })
}
