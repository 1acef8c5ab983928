/**
 * A projection: the structure of a document's text, independent of JSON:API and of SQL. The serializer builds
 * it from a resource, and the store fills it with data.
 */
export type Projection =
  | { is: 'literal'; value: string }
  | { is: 'object'; members: Record<string, Projection> }
  /** The id of the row. */
  | { is: 'id' }
  /** A text, the row's id, and another text: a link. */
  | { is: 'path'; before: string; after: string }
  /** A field's value as JSON. */
  | { is: 'field'; name: string }
  /** The resource that a reference field refers to, or null. */
  | { is: 'one'; field: string; of: Projection }
  /** The children of a relationship, in the order of creation. */
  | { is: 'many'; relationship: string; of: Projection }
  /** The resources that the items of parts refer to through a member, in the order of the parts. */
  | { is: 'listed'; field: string; member: string; of: Projection }

/** A text that is the same in each document. */
export function literal(value: string): Projection {
  return { is: 'literal', value }
}

/** An object with these members. */
export function members(members: Record<string, Projection>): Projection {
  return { is: 'object', members }
}
