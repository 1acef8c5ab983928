/** The roles of a profile in a stay. */
export const profileRoles = ['Booker', 'PrimaryGuest', 'AdditionalGuest', 'Company'] as const
export type ProfileRole = (typeof profileRoles)[number]

/** Whether a profile of a stay is a person who sleeps in the house, and not who booked or pays. */
export const isGuest = ({ role }: { role?: ProfileRole | null }): boolean =>
  role === 'PrimaryGuest' || role === 'AdditionalGuest'
