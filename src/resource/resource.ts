import type { Transaction } from './change.ts'
import type { Field, Fields, JsonSchema } from './fields.ts'
import { instant, integer } from './fields.ts'
import type { ProblemCode } from './problem.ts'

const operations = ['list', 'create', 'read', 'replace', 'patch', 'remove'] as const
export type Operation = (typeof operations)[number]

/** What every resource has besides its own fields. All are set by the store. */
export const common = {
  createdAt: instant({ readOnly: true }),
  updatedAt: instant({ readOnly: true }),
  revision: integer({ readOnly: true }),
} satisfies Fields

interface Index {
  fields: readonly string[]
  unique?: boolean
  /** How a second row with the same values is refused; validation-failed unless said otherwise. */
  problem?: ProblemCode
  /** An SQL condition for a partial index. */
  where?: string
  /** Which request is fast because of it. */
  why: string
}

/** Resources that point back at this one, shown as a relationship and followed by dotted filters. */
interface Children {
  type: string
  /** The reference field of theirs that points here. */
  by: string
  /** Also shown whole among the attributes. */
  inline?: boolean
}

export interface Resource<F extends Fields = Fields> {
  type: string
  table: string
  base: '/api/v2' | '/api/config/v1'
  /** The collection's path below the base, without a leading slash. */
  path: string
  fields: F
  /** Fields that ask for a scope, which follows from the fields. */
  guarded: readonly (readonly [name: string, scope: string])[]
  /** Fields that a path id may match besides the id. */
  lookup: readonly string[]
  children: Record<string, Children>
  /** Shorter names of dotted paths in filters. */
  aliases: Record<string, string>
  indexes: readonly Index[]
  operations: readonly Operation[]
  batch?: { limit: number; without: readonly string[] }
  /** `list` where looking through all of them asks for more than reading one by its id. */
  scopes: { read: string; write: string; list?: string }
  /** A body that a creation works with, for the documents of the interface. References are those of `exampleId`. */
  example?: Record<string, unknown>
  /** What the journal calls it when one is made or changed, where the field has a word of its own. */
  events: { created: string; changed: string }
  /** How something else is kept, and nothing that happens: the journal has no line about it. */
  bookkeeping?: true
  moment?: Moment
  /** SQL expressions over this resource's table for fields of other resources: see `FieldOptions.computed`. */
  computes: Readonly<Record<string, string>>
  rules: Rules<F>
  /** What its rules refuse a body with, besides validation-failed. */
  problems: readonly ProblemCode[]
}

/**
 * What is said of a document in its `meta` at the moment of the answer: it follows from the day as much as from the
 * document, so it is no part of a revision.
 */
export interface Moment<Facts = unknown> {
  schema: JsonSchema
  /** What of the attributes it depends on; remembered for the revision. */
  facts(attributes: Record<string, unknown>): Facts
  /** On a day of the property, YYYY-MM-DD. `hasChanged` when it may have been otherwise before in the same revision. */
  on(facts: Facts, today: string): { meta: Record<string, unknown>; hasChanged: boolean }
}

/** A row that is written: `before` is null for a new one, and `after` may be completed. */
export interface Writing<F extends Fields = Fields> {
  tx: Transaction
  id: string
  before: Attributes<F> | null
  after: Attributes<F>
}

/**
 * Runs inside the change's own transaction; refuses by throwing a Problem. It is the type of a method, so that a resource of
 * some fields is a `Resource`.
 */
export type Rule<F extends Fields = Fields> = { rule(writing: Writing<F>): void }['rule']

/** What holds whenever a resource is written, whoever writes it. */
interface Rules<F extends Fields = Fields> {
  /** Before an insert or an update: refuse, or fill in what is derived. */
  write?: readonly Rule<F>[]
  /** Before a removal: refuse. `after` is what is there now. */
  remove?: readonly Rule<F>[]
  /** After an insert or an update, for what follows elsewhere. */
  written?: readonly Rule<F>[]
}

type Value<F> = F extends Field<infer V, infer _> ? V : never
type NamesOf<F, Need> = { [K in keyof F]: F[K] extends Field<unknown, Need> ? K : never }[keyof F]

/** Attributes as TypeScript sees them. */
export type Attributes<F extends Fields> = { [K in NamesOf<F, 'required'>]: Value<F[K]> } & {
  [K in Exclude<keyof F, NamesOf<F, 'required' | 'documents'>>]?: Value<F[K]> | null
}

/** A kept resource: its attributes with its id and what the store adds. */
export type Row<F extends Fields = Fields> = Attributes<F> & {
  id: string
  createdAt: number
  updatedAt: number
  revision: number
}

type Declaration<F extends Fields> = Pick<Resource<F>, 'path' | 'fields' | 'scopes'> &
  Partial<
    Pick<
      Resource<F>,
      | 'base'
      | 'lookup'
      | 'children'
      | 'aliases'
      | 'indexes'
      | 'operations'
      | 'batch'
      | 'example'
      | 'events'
      | 'bookkeeping'
      | 'moment'
      | 'computes'
      | 'rules'
      | 'problems'
    >
  >

/** Declares a resource: types, schemas, tables, filters, documents and routes all follow from it. */
export function resource<const F extends Fields>(type: string, declaration: Declaration<F>): Resource<F> {
  return {
    type,
    table: type.replaceAll('-', '_'),
    base: '/api/v2',
    lookup: [],
    children: {},
    aliases: {},
    indexes: [],
    operations: [...operations],
    events: { created: 'created', changed: 'changed' },
    computes: {},
    rules: {},
    problems: [],
    guarded: Object.entries<Field>(declaration.fields).flatMap(([name, { options }]) =>
      options.scope === undefined ? [] : [[name, options.scope] as const],
    ),
    ...declaration,
  }
}

/** A reference field's name as a relationship: `unitTypeId` is `unitType`. */
export function relationshipName(field: string): string {
  return field.replace(/Id$/, '')
}
