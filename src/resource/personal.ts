import type { Fields } from './field.ts'
import type { Attributes, Resource } from './resource.ts'

/** Returns the names of the fields of a resource that say something about a person. */
export function personalFields({ fields }: Pick<Resource, 'fields'>): string[] {
  return Object.keys(fields).filter((name) => fields[name]!.options.personal)
}

/** Whether a row says something about a person. */
export function isPersonal(of: Pick<Resource, 'fields'>, row: Record<string, unknown>): boolean {
  return personalFields(of).some((name) => row[name] != null)
}

/** Returns the SQL condition of `isPersonal`, for rows of the table of the resource. */
export function personalCondition(of: Pick<Resource, 'table' | 'fields'>): string {
  const conditions = personalFields(of).map((name) => `${of.table}.${name} IS NOT NULL`)
  return `(${conditions.join(' OR ')})`
}

/** Returns the attributes that erase what a resource says about a person. */
export function erasedAttributes<F extends Fields>(of: Pick<Resource<F>, 'fields'>): Partial<Attributes<F>> {
  const values = personalFields(of).map((name) => [name, of.fields[name]!.options.erased ?? null])
  return Object.fromEntries(values) as Partial<Attributes<F>>
}
