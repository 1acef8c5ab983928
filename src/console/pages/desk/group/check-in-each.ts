import { apiErrorOf } from '../../lib/server/answer.ts'
import { refusalText } from '../../lib/server/refusal-text.ts'
import { readStay, roomsOf, withRoom, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { ChangedMeanwhile } from '../stay/write-over.ts'

/** How the check-in of one of several stays ended. */
export type Outcome = { isDone: true; rooms: string } | { isDone: false; why: string }

/**
 * Checks one stay in as its sheet does: a stay without a room gets one by the rules of the box. A stay that is in house already is
 * done, so a repeat does nothing twice.
 */
export async function checkInOne(stayId: string): Promise<Outcome> {
  try {
    const shown = await readStay(stayId)
    if (shown.stay.attributes.status === 'InHouse') return { isDone: true, rooms: roomsOf(shown.stay) }
    const { stay } = await withRoom(shown, '')
    await writeStay(stay, { status: 'InHouse' })
    return { isDone: true, rooms: roomsOf(stay) }
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return { isDone: false, why: g.value.changedTitle }
    return { isDone: false, why: refusalText(apiErrorOf(error)).text }
  }
}
