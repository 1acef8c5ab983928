/** The types of a profile. */
export const profileTypes = ['Private', 'Company', 'TravelAgent', 'Group', 'Source'] as const

/**
 * Returns the attributes of a profile in a body. A profile type in the member `type` is used as profileType. Any other
 * `type` is the type of the document and is dropped.
 */
export function profileTypeOf({ type, ...attributes }: Record<string, unknown>): Record<string, unknown> {
  const isMeant = (profileTypes as readonly unknown[]).includes(type) && !attributes.profileType
  return isMeant ? { ...attributes, profileType: type } : attributes
}
