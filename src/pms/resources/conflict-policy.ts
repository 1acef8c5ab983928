export const owners = ['Pms', 'Local'] as const
export type Owner = (typeof owners)[number]

/** The side that wins by default when both have changed a reservation: the PMS plans, and the appliance knows what has happened. */
export const defaultOwners = {
  dates: 'Pms',
  guests: 'Pms',
  rates: 'Pms',
  services: 'Pms',
  units: 'Pms',
  comments: 'Pms',
  status: 'Local',
  payments: 'Local',
} as const satisfies Record<string, Owner>

export type FieldGroup = keyof typeof defaultOwners
export type ConflictPolicy = Record<FieldGroup, Owner>

/** The groups of fields that are decided together when both sides have changed a reservation. */
export const fieldGroups = Object.keys(defaultOwners) as readonly FieldGroup[]

/** JSON Schema of a `conflictPolicy`; a group without a member has its default owner. */
export const conflictPolicySchema = {
  type: 'object',
  properties: Object.fromEntries(Object.keys(defaultOwners).map((group) => [group, { enum: owners }])),
  additionalProperties: false,
}
