import type { Key } from '../resources/key.ts'
import type { KeyRequest } from './routes/key-request.ts'

/** The request that would make a stored key again, as an original. */
export function storedRequest(row: Key): KeyRequest {
  return {
    unitName: row.unitName ?? null,
    original: true,
    startDate: row.startDate,
    startTime: row.startTime ?? null,
    endDate: row.endDate,
    endTime: row.endTime ?? null,
    // The current authorizations of the unit and the provider are added again when the order is built.
    authorizations: row.authorizations ?? [],
    deAuthorizations: row.deAuthorizations ?? [],
    extraUnits: row.extraUnits ?? [],
    externalId: row.externalId ?? null,
    stayName: row.stayName ?? undefined,
    usage: row.usage ?? 'Guest',
    printText: row.printText ?? null,
  }
}
