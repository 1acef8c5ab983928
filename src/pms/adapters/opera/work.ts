import type { Offer } from '../../sync-contract.ts'
import type { CallParts } from './calls.ts'
import { type OperaClient, OperaRefusal } from './client.ts'
import type { OperaSettings } from './connection.ts'
import type { MapOptions } from './map-in.ts'
import type { OperaReservation } from './records.ts'

export interface StepOptions {
  client: OperaClient
  settings: Pick<OperaSettings, 'hotelId' | 'cashierId' | 'cancellationCode' | 'paymentMethods'>
  mapping: MapOptions
  /** Whether a unit is inspected here. */
  isInspected(unitName: string): boolean
}

/** A message that is being carried out, and the reservation as OPERA has it now. */
export interface Work {
  offer: Offer
  reservation: OperaReservation
}

export interface Done {
  is: 'done' | 'already-done' | 'not-expressible'
  /** What OPERA has said beside a success; it may mean that nothing was done. */
  warning?: string | null
}

/** Throws a refusal where no cashier is set: OPERA posts nothing without one. */
export function expectCashier({ settings }: StepOptions): void {
  if (settings.cashierId === null)
    throw new OperaRefusal(400, 'cashierId of the connection is not set. Do this in OPERA.')
}

/** What each request about the reservation of this work names. */
export function partsOf({ reservation }: Work, { settings }: StepOptions): CallParts {
  const { hotelId, cashierId } = settings
  return { hotelId, reservation, cashierId }
}
