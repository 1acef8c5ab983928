/** The roles of a profile in a stay. */
export const profileRoles = ['Booker', 'PrimaryGuest', 'AdditionalGuest', 'Company'] as const
export type ProfileRole = (typeof profileRoles)[number]
