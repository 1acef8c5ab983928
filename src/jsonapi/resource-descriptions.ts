import type { Operation, Resource } from '../resource/resource.ts'
import type { Description } from './description.ts'

/**
 * The descriptions of a resource's standard operations for the OpenAPI document. A route with further rules
 * adds to them.
 */
export function resourceDescriptions(resource: Resource): Record<Operation | 'batch', Description> {
  const one = words(resource.type)
  const all = words(resource.path.split('/').at(-1) ?? '')
  const path = pathOf(resource)
  return {
    list: { summary: `List ${all}`, answers: { 200: { list: resource } } },
    create: { summary: `Create ${aOr(one)}`, body: { of: resource }, answers: { 201: { one: resource } } },
    read: { summary: `Read ${aOr(one)}`, path, answers: { 200: { one: resource, queried: true } } },
    replace: {
      summary: `Replace ${aOr(one)}`,
      notes: 'Fields that the body omits get their defaults or are cleared.',
      path,
      body: { of: resource },
      answers: { 204: {} },
    },
    patch: {
      summary: `Change some fields of ${aOr(one)}`,
      notes: 'Fields that the body omits are not changed; null clears a field.',
      path,
      body: { of: resource, partial: true },
      answers: { 204: {} },
    },
    remove: { summary: `Delete ${aOr(one)}`, path, answers: { 204: {} } },
    batch: {
      id: `createMany-${resource.path.split('/').at(-1)}`,
      summary: `Create many ${all}`,
      notes: `Either all are created, or none. A request contains at most ${resource.batch?.limit ?? 100}. For more, send several requests one after the other, each with an Idempotency-Key of its own: a request whose answer was lost can then be sent again.`,
      body: { of: resource, many: resource.batch?.limit ?? 100 },
      answers: { 201: { made: resource } },
    },
  }
}

/** The description of the path's id, when other fields are accepted besides the id. */
function pathOf({ lookup }: Resource): NonNullable<Description['path']> {
  if (lookup.length === 0) return {}
  return { id: { schema: { type: 'string' }, notes: `The id or the ${lookup.join(' or the ')}.` } }
}

/** The words of a hyphenated name. */
function words(name: string): string {
  return name.replaceAll('-', ' ').replace(/^pms\b/, 'PMS')
}

function aOr(noun: string): string {
  if (noun === 'settings') return 'the settings'
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
}
