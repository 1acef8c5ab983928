import type { SharedReservation } from './shared-reservation.ts'

/** Where the house keeps otherwise what the PMS told: as long as it stands as it was kept, the house says what it was told. */
export interface Differing {
  /** By the place of a member: `/stays/<id>/ratePlanCode`, `/stays/<id>/guests/<id>/birthDate`. */
  members: Record<string, { kept: unknown; told: unknown }>
  /** Stays that the PMS has no more, and that are over here. */
  goneStays: string[]
}

/** The reservation as the house tells it to this PMS: as it is, with what it was told where it could not keep that. */
export type HouseView = SharedReservation
