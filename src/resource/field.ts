import type { ProblemCode } from './problem.ts'

/** The value of a column in SQLite. */
export type Stored = string | number | null

export type JsonSchema = Record<string, unknown>

/** How a column becomes JSON in a document. The store has the SQL for each word. */
export type Shown = 'plain' | 'flag' | 'json' | 'instant' | 'decimal' | 'reference' | 'sealed'

/** A field type: describes one kind of value for JSON, SQL, filters and error messages. */
export interface FieldType<Value> {
  kind: 'scalar' | 'object' | 'list' | 'parts'
  /** The JSON Schema of the value in a request body. */
  schema: JsonSchema
  column: 'TEXT' | 'INTEGER' | 'BLOB'
  shown: Shown
  /** Completes "expected …" in the error for an invalid filter value. */
  form: string
  /** Parses a filter value; returns undefined when it is invalid. */
  read(text: string): Stored | undefined
  encode(value: Value): Stored
  /**
   * Checks what a JSON Schema cannot express well. Returns the problem with a value of the right type, or
   * null.
   */
  check?(value: Value): { code: ProblemCode; detail: string } | null
}

/** A reference to an SQL expression that the resource `by` declares in its `computes` under the name `as`. */
interface ComputedElsewhere {
  by: string
  as: string
}

/** A part of a value that is compared by `like`. One of its texts must be in the searched text. */
export interface LikePart {
  texts: readonly string[]
  /** The searched text is that of `Likeness.asWritten`, which has no index. */
  isAsWritten?: true
}

/**
 * A comparison by `like`: a stored text matches when its searched text contains all parts of the value. A value without
 * parts matches nothing. All texts are in lower case.
 */
export interface Likeness {
  parts(value: string): LikePart[]
  /** The searched text of a stored one. The search index contains it. */
  text(stored: string): string
  /** The SQL that yields the same text of a column. */
  sql(column: string): string
  /** The SQL that yields another searched text, of the row that has the column. */
  asWritten?(column: string): string
}

export interface FieldOptions {
  required?: boolean
  /** Set at creation; a different later value is refused. */
  immutable?: boolean
  unique?: boolean
  /** Never shown, but filterable. */
  hidden?: boolean
  /** The field by which readers see a hidden one. An event names it as changed; the change of other hidden fields has no name. */
  shownAs?: string
  /**
   * The scope that a reader needs to see the field, in any document, also in the answer to the reader's own
   * write.
   */
  scope?: string
  filterable?: boolean
  /** Set by commands only. In a body it is ignored, so that a client may send back what it read. */
  readOnly?: boolean
  /**
   * A count that the appliance changes. A person may set it, but the audit of the configuration leaves it out.
   */
  operational?: boolean
  /** A change of only such fields writes no journal line and so causes no event. The revision is bumped. */
  unremarked?: boolean
  /**
   * An event of a change says the former and the new value, that of `money` with the `currency` of its row. Not for a field that
   * says something about a person, or that not every reader of the resource may see.
   */
  traced?: true | 'money'
  default?: unknown
  /**
   * Whether the field says something about a person. Erasing the person then sets `erased`. Every free text of a resource that is
   * about a person, or refers to a stay, declares it.
   */
  personal?: boolean
  /** What a personal field has once the person is erased; default null. */
  erased?: unknown
  /** The meaning of the field, for readers of the OpenAPI document, when the name does not say it. */
  note?: string
  /** What a filter by the field finds, for readers of the OpenAPI document, when its operators do not say it. */
  filterNote?: string
  /**
   * An SQL expression on the resource's own table, or a reference to one that another resource declares,
   * because it reads the table of that resource. Such a field is read-only and has no column.
   */
  computed?: string | ComputedElsewhere
  /**
   * The referenced resource gets a new revision when this one changes, because its document shows data of
   * this one.
   */
  touches?: boolean
  /**
   * The field's number in the search index, which finds any part of its text. A number is never reused for
   * another field.
   */
  search?: number
  /** How `like` compares the field, where a text matches in more ways than by containing the value. */
  like?: Likeness
  /**
   * The column that filters compare instead of the field's own, and the SQL of SQLite's own functions that generates it.
   * `read` and `like` return its form.
   */
  comparedBy?: { column: string; sql: string }
  /**
   * The name of a sibling member with `comparedBy` and an index. Items with equal values of this member have equal values
   * there, so a filter by this member can use that index.
   */
  foundBy?: string
}

/**
 * A field type with its options. The type parameter Need tells TypeScript which attributes are required, and
 * which appear only in documents.
 */
export interface Field<Value = unknown, Need = unknown> extends FieldType<Value> {
  options: FieldOptions & { need?: Need }
  /** The type of the referenced resource, when the field is a reference. */
  to?: string
  /** The members of an object, of a list of objects, or of parts. */
  members?: Fields
  /** Only for parts: their table, and the member that is shown instead of an object. */
  table?: string
  only?: string
}

export type Fields = Record<string, Field>

/** Whether the options make a field required. */
export type Requirement<Options> = Options extends { required: true } ? 'required' : 'optional'
