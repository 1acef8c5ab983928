/** What somebody is in a stay. */
export const profileRoles = ['Booker', 'PrimaryGuest', 'AdditionalGuest', 'Company'] as const
