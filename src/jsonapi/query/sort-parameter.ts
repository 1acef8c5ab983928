import type { Field } from '../../resource/field.ts'
import { didYouMean } from '../../resource/nearest.ts'
import { type Resources, resolvePath } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import type { SortKey } from '../../resource/query.ts'
import { common, type Resource } from '../../resource/resource.ts'

const mostKeys = 6

/** Reads `sort=a,-b` and checks it against the resource. Throws invalid-sort-field with the allowed names. */
export function readSort(resources: Resources, resource: Resource, value: string): SortKey[] {
  const parts = value.split(',').filter((part) => part !== '')
  if (parts.length > mostKeys)
    throw new Problem('malformed-request', `At most ${mostKeys} sort keys.`, { parameter: 'sort' })
  return parts.map((part) => {
    const path = part.replace(/^[-+]/, '')
    const found = resolvePath(resources, resource, path)
    const sortable = found?.steps.every(({ via }) => via === 'object') && isSortable(found.field)
    if (!sortable) {
      const allowed = sortableNames(resource)
      throw new Problem('invalid-sort-field', `The list cannot be sorted by ${path.slice(0, 100)}.`, {
        parameter: 'sort',
        meta: { allowed },
        didYouMean: didYouMean(path, allowed),
      })
    }
    return { path, descending: part.startsWith('-') }
  })
}

function isSortable(field: Field | null): boolean {
  return (
    field === null ||
    (field.kind === 'scalar' &&
      !['json', 'sealed'].includes(field.shown) &&
      !field.options.hidden &&
      field.options.scope === undefined)
  )
}

/** Returns the names by which a list of the resource can be sorted; members stand for objects. */
export function sortableNames(resource: Resource): string[] {
  const fields = Object.entries({ ...resource.fields, ...common }).flatMap(([name, field]) =>
    fieldsIn(name, field),
  )
  return ['id', ...fields.filter(([, field]) => isSortable(field)).map(([name]) => name)]
}

function fieldsIn(name: string, field: Field): [name: string, field: Field][] {
  if (field.kind !== 'object') return [[name, field]]
  return Object.entries(field.members ?? {}).map(([member, inside]) => [`${name}.${member}`, inside])
}
