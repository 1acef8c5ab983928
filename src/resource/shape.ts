/**
 * What a document's text is made of, without saying how it is spoken or kept: the speaker draws it from a resource, the
 * keeper fills it in where the data lies.
 */
export type Shape =
  | { is: 'literal'; value: string }
  | { is: 'object'; members: Record<string, Shape> }
  /** The id of the row. */
  | { is: 'id' }
  /** Text, the row's id, and text again: a link. */
  | { is: 'path'; before: string; after: string }
  /** A field's value as JSON. */
  | { is: 'field'; name: string }
  /** The resource a reference field points at, or null. */
  | { is: 'one'; field: string; of: Shape }
  /** The children of a relationship, in the order of their creation. */
  | { is: 'many'; relationship: string; of: Shape }
  /** The resources that the items of parts point at through a member, in their order. */
  | { is: 'listed'; field: string; member: string; of: Shape }

export function literal(value: string): Shape {
  return { is: 'literal', value }
}

export function members(members: Record<string, Shape>): Shape {
  return { is: 'object', members }
}
