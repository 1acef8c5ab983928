import { reportedUid } from '../../src/devices/driving/reported-uid.ts'
import type { LockSetup, ReadKey } from '../../src/devices/lock-system.ts'
import { wallOf } from './dates.ts'
import { roomsOnCard } from './protocol.ts'

/** The answers of LT for a card that is not, or no longer, a guest's. */
const others: Readonly<Record<string, string>> = {
  LC: 'A guest card that is not valid',
  LM: 'A master card or another card of the staff',
  LR: 'A spare card',
  LS: 'A diagnostic card for locks',
  LD: 'A card that the lock system cannot identify',
}

/** The codes that LT returns in the place of a room's name. */
export const reservedRooms: readonly string[] = Object.keys(others)

/**
 * Reads the answer to LT; null for one that is none.
 *
 *   LT¦enc¦room¦room¦room¦room¦CI or CO¦copy¦authorizations¦start¦expiry¦operator[¦uid]
 *   LT¦enc¦LC or LM, LR, LS, LD
 *
 * The operator is left out: some sites write the password behind his name.
 */
export function readKey(fields: readonly string[], instantOf: LockSetup['instantOf']): ReadKey | null {
  const [, , ...contents] = fields
  const state = contents[roomsOnCard]
  if (state !== 'CI' && state !== 'CO') {
    const remark = others[contents[0] ?? '']
    return remark === undefined ? null : { uid: null, blank: false, found: null, remarks: [remark] }
  }
  const [copy = '', authorizations = '', start = '', expiry = '', , uid] = contents.slice(roomsOnCard + 1)
  return {
    uid: reportedUid(uid),
    blank: false,
    found: {
      locks: contents.slice(0, roomsOnCard).filter((room) => room !== ''),
      validFrom: momentOf(start, 'start', instantOf),
      validUntil: momentOf(expiry, 'end', instantOf),
    },
    remarks: [
      ...(state === 'CO' ? ['The guest has been checked out'] : []),
      ...(copy === '' ? [] : [`Copy ${copy}`]),
      ...(authorizations === '' ? [] : [`Authorizations ${authorizations}`]),
    ],
  }
}

function momentOf(text: string, edge: 'start' | 'end', instantOf: LockSetup['instantOf']): number | null {
  const wall = wallOf(text)
  return wall && instantOf(wall, edge)
}
