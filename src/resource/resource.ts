import type { Transaction } from './command.ts'
import type { Field, Fields, JsonSchema } from './field.ts'
import { instant, integer } from './fields.ts'
import type { ProblemCode } from './problem.ts'
import type { SortKey } from './query.ts'

const operations = ['list', 'create', 'read', 'replace', 'patch', 'remove'] as const
export type Operation = (typeof operations)[number]

/** The fields that every resource has in addition to its own. The store sets them. */
export const common = {
  createdAt: instant({ readOnly: true }),
  updatedAt: instant({ readOnly: true }),
  revision: integer({ readOnly: true }),
} satisfies Fields

interface Index {
  fields: readonly string[]
  unique?: boolean
  /** The problem for a second row with the same values; default validation-failed. */
  problem?: ProblemCode
  /** The SQL condition of a partial index. */
  where?: string
  /** The request that needs this index. */
  why: string
}

/** Resources that refer to this one. They are shown as a relationship, and dotted filters can follow it. */
interface Children {
  type: string
  /** Their reference field that refers to this resource. */
  by: string
  /** Also shown in full among the attributes. */
  inline?: boolean
}

export interface Resource<F extends Fields = Fields> {
  type: string
  table: string
  base: '/api/v2' | '/api/config/v1'
  /** The collection's path below the base, without a leading slash. */
  path: string
  fields: F
  /** The fields that need a scope; derived from `fields`. */
  guarded: readonly (readonly [name: string, scope: string])[]
  /** Fields whose values a path accepts instead of the id. */
  lookup: readonly string[]
  children: Record<string, Children>
  /** Shorter names of dotted paths in filters. */
  aliases: Record<string, string>
  indexes: readonly Index[]
  operations: readonly Operation[]
  batch?: { limit: number; without: readonly string[] }
  /** Its bodies may have 1 MiB, because they contain a file. */
  largeBodies?: true
  /** `list` is the scope for listing, when that needs more than reading one resource by its id. */
  scopes: { read: string; write: string; list?: string }
  /** A body that a create accepts, for the OpenAPI document. Its references come from `exampleId`. */
  example?: Record<string, unknown>
  /** The order of a list that asks for no other, where one of these paths is filtered by a value. */
  sorted?: { by: readonly string[]; sort: readonly SortKey[] }
  /** The event names of a create and a change in the journal, when they differ from the default. */
  events: { created: EventName; changed: EventName }
  /** The resource records the state of other data and causes no events: the journal has no lines about it. */
  bookkeeping?: true
  moment?: DailyMeta
  /** SQL expressions on this resource's table for fields of other resources: see `FieldOptions.computed`. */
  computes: Readonly<Record<string, string>>
  rules: Rules<F>
  /** The problems that its rules raise, in addition to validation-failed. */
  problems: readonly ProblemCode[]
}

/** The name of an event, or a function that returns it for the row after the write. */
export type EventName = string | ((row: Record<string, unknown>) => string)

/**
 * The `meta` of a document that is computed for each answer. It depends on the day as well as on the
 * document, so it is not part of a revision.
 */
export interface DailyMeta<Facts = unknown> {
  schema: JsonSchema
  /** Extracts what the meta depends on from the text of a document with all its members; cached for the revision. */
  facts(text: string): Facts
  /**
   * Returns the meta for a day of the property, YYYY-MM-DD. `hasChanged`: an earlier answer with the same
   * revision may have had another meta.
   */
  on(facts: Facts, today: string): { meta: Record<string, unknown>; hasChanged: boolean }
}

/** A write of a row. `before` is null for a new row. A rule may complete `after`. */
export interface Writing<F extends Fields = Fields> {
  tx: Transaction
  id: string
  before: Attributes<F> | null
  after: Attributes<F>
}

/**
 * A rule. It runs in the transaction of the command, and refuses by throwing a Problem. It is declared as a
 * method type, so that TypeScript accepts a resource with certain fields as a `Resource`.
 */
type Rule<F extends Fields = Fields> = { rule(writing: Writing<F>): void }['rule']

/** The rules that apply to every write of a resource. */
interface Rules<F extends Fields = Fields> {
  /** Before an insert or an update: refuse, or set derived fields. */
  write?: readonly Rule<F>[]
  /** Before a delete: refuse. `after` is the current row. */
  remove?: readonly Rule<F>[]
  /** After an insert or an update: write what follows from it in other tables. */
  written?: readonly Rule<F>[]
}

type Value<F> = F extends Field<infer V, infer _> ? V : never
type NamesOf<F, Need> = { [K in keyof F]: F[K] extends Field<unknown, Need> ? K : never }[keyof F]

/** The TypeScript type of a resource's attributes. */
export type Attributes<F extends Fields> = { [K in NamesOf<F, 'required'>]: Value<F[K]> } & {
  [K in Exclude<keyof F, NamesOf<F, 'required' | 'documents'>>]?: Value<F[K]> | null
}

/** A stored resource: its attributes, its id and the common fields. */
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
      | 'largeBodies'
      | 'example'
      | 'sorted'
      | 'events'
      | 'bookkeeping'
      | 'moment'
      | 'computes'
      | 'rules'
      | 'problems'
    >
  >

/**
 * Declares a resource. Its types, schemas, tables, filters, documents and routes are derived from the
 * declaration.
 */
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

/** Returns the relationship name of a reference field: `unitType` for `unitTypeId`. */
export function relationshipName(field: string): string {
  return field.replace(/Id$/, '')
}
