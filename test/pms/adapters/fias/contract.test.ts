import { pms } from '../../../../drivers/fias/simulator/pms-simulator.ts'
import { frontDesk } from '../../../../drivers/fias/simulator/simulated-front-desk.ts'
import type { SharedReservation } from '../../../../src/pms/sync/shared-reservation.ts'
import type { ChangePage, SyncSide } from '../../../../src/pms/sync-contract.ts'
import { until } from '../../../eventually.ts'
import { testClock } from '../../../test-clock.ts'
import { adapterContract, type SyncBench } from '../adapter-contract.ts'
import { guestOf } from './guests.ts'
import { lineTo, listening, noon } from './pms-line.ts'

/** No comments pass over such a line: the guest's last name stands for the comment of his reservation. */
function commented(page: ChangePage): ChangePage {
  const changes = page.changes.map((change) => {
    if (change.is !== 'reservation' || !change.value) return change
    const comment = change.value.stays[0]?.guests?.[0]?.lastName ?? null
    return { ...change, value: { ...change.value, comment } }
  })
  return { ...page, changes }
}

async function bench(): Promise<SyncBench> {
  const endings: (() => unknown)[] = []
  const ending = { after: (end: () => unknown) => void endings.push(end) }
  const clock = testClock({ wallMs: noon, always: false })
  const closed = Promise.withResolvers<void>()
  void clock.during(closed.promise)
  const foreign = pms({ clock })
  const path = await listening(ending, foreign)
  const desk = frontDesk(foreign)
  const open = () => lineTo(ending, foreign, path, { clock, desk })
  let line = await open()
  /** What was reported before is heard once the link has answered whether it is there. */
  async function arrived(): Promise<void> {
    const answers = () => foreign.received.filter(({ id }) => id === 'LA').length
    const before = answers()
    foreign.alive()
    await until(() => answers() > before)
  }
  const nameOf = (externalId: string) => desk.guests.get(externalId)?.GN ?? null
  const sideOf = ({ feed }: typeof line): SyncSide => ({
    pull: async (cursor, { signal }) => commented(await feed.pull(cursor, signal)),
    follow: (next) => feed.follow(next),
  })
  const made: SyncBench = {
    side: sideOf(line),
    async book({ comment }: SharedReservation) {
      const number = String(1_000 + desk.guests.size)
      line.house.rooms.add(number)
      desk.checkIn(guestOf(number, number, { GN: comment ?? '' }))
      await arrived()
      return number
    },
    async comment(externalId, comment) {
      desk.change(externalId, { GN: comment })
      await arrived()
    },
    count: () => desk.guests.size,
    commentOf: nameOf,
    cutOffer() {},
    hush() {
      desk.manners.silent = 1
    },
    async reopen() {
      const { rooms } = line.house
      line.feed.close()
      await line.link.close()
      line = await open()
      for (const room of rooms) line.house.rooms.add(room)
      made.side = sideOf(line)
    },
    async close() {
      for (const end of endings.reverse()) await end()
      closed.resolve()
    },
  }
  return made
}

adapterContract('a FIAS line', bench, { push: false, follow: true, forgets: true })
