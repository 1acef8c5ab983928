/** All capability flags of a PMS. An absent flag means false. */
export const flags = [
  'reservations.read',
  'reservations.write',
  'profiles.read',
  'profiles.write',
  'units.assign',
  'units.assign-change',
  'housekeeping.read',
  'housekeeping.write',
  'payments.record',
  'folio.read',
  'keys.push',
  'webhooks',
  'streaming',
  'sync.full',
  'sync.delta',
  'checkin',
  'checkout',
  'room-move',
] as const

export type Flag = (typeof flags)[number]
