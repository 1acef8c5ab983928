import type { Resources } from '../../resource/path.ts'
import type { Resource } from '../../resource/resource.ts'
import { perResource } from '../per-resource.ts'
import { targetOf } from '../query/expression.ts'
import type { RowReader } from '../row.ts'
import type { Places } from '../row-versions.ts'
import type { statements } from '../statements.ts'
import type { Attributes } from './row-writer.ts'

/**
 * Bumps the revision of every document that shows data of a changed row: the targets of its references with
 * `touches`, their targets, and so on upwards. A document never changes without a new revision.
 */
export function revisions(
  resources: Resources,
  prepare: ReturnType<typeof statements>,
  rows: RowReader,
  places: Places,
) {
  function bump(resource: Resource, rid: number): void {
    prepare(`UPDATE ${resource.table} SET revision = revision + 1 WHERE rid = ?`).run(rid)
    places.moved(resource, rid)
    for (const [name, field] of touching(resource)) {
      const above = prepare(`SELECT ${name} FROM ${resource.table} WHERE rid = ?`).pluck().get(rid)
      if (typeof above === 'number') bump(targetOf(resources, field), above)
    }
  }

  /** Bumps the targets of the attributes, and the previous targets where a reference changed. */
  function touchTargets(resource: Resource, now: Attributes, before: Attributes = {}): void {
    for (const [name, field] of touching(resource)) {
      const target = targetOf(resources, field)
      for (const id of new Set([now[name], before[name]])) {
        const rid = typeof id === 'string' ? rows.rid(target, id) : null
        if (rid !== null) bump(target, rid)
      }
    }
  }

  return { bump, touchTargets }
}

const touching = perResource(({ fields }) =>
  Object.entries(fields).filter(([, { options }]) => options.touches),
)
