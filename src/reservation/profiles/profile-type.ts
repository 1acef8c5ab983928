/** What a profile can stand for. */
export const profileTypes = ['Private', 'Company', 'TravelAgent', 'Group', 'Source'] as const

/**
 * The attributes of a profile in a body, which may say its profileType in the member `type`. Any other `type` is that
 * of the document, and is dropped.
 */
export function profileTypeOf({ type, ...attributes }: Record<string, unknown>): Record<string, unknown> {
  const isMeant = (profileTypes as readonly unknown[]).includes(type) && !attributes.profileType
  return isMeant ? { ...attributes, profileType: type } : attributes
}
