/**
 * A projection: the structure of a document's text, independent of JSON:API and of SQL. The serializer builds
 * it from a resource, and the store fills it with data.
 */
export type Shape =
  | { is: 'literal'; value: string }
  | { is: 'object'; members: Record<string, Shape> }
  /** The id of the row. */
  | { is: 'id' }
  /** A text, the row's id, and another text: a link. */
  | { is: 'path'; before: string; after: string }
  /** A field's value as JSON. */
  | { is: 'field'; name: string }
  /** The resource that a reference field refers to, or null. */
  | { is: 'one'; field: string; of: Shape }
  /** The children of a relationship, in the order of creation. */
  | { is: 'many'; relationship: string; of: Shape }
  /** The resources that the items of parts refer to through a member, in the order of the parts. */
  | { is: 'listed'; field: string; member: string; of: Shape }

export function literal(value: string): Shape {
  return { is: 'literal', value }
}

export function members(members: Record<string, Shape>): Shape {
  return { is: 'object', members }
}
