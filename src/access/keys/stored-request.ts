import type { Key } from '../resources/key.ts'
import type { KeyRequest } from './routes/key-request.ts'

/** What would be asked for to get a kept key again. */
export function storedRequest(row: Key): KeyRequest {
  return {
    unitName: row.unitName ?? null,
    original: true,
    startDate: row.startDate,
    startTime: row.startTime ?? null,
    endDate: row.endDate,
    endTime: row.endTime ?? null,
    // Those of its unit and of the provider come by themselves, as they are now.
    authorizations: row.authorizations ?? [],
    deAuthorizations: row.deAuthorizations ?? [],
    extraUnits: row.extraUnits ?? [],
    externalId: row.externalId ?? null,
    usage: row.usage ?? 'Guest',
    printText: row.printText ?? null,
  }
}
