import type { SharedReservation } from '../../../../src/pms/sync/shared-reservation.ts'
import type { ChangePage, SyncSide } from '../../../../src/pms/sync-contract.ts'
import { adapterContract, type SyncBench } from '../adapter-contract.ts'
import { operaBench } from './bench.ts'

/** Comments are not in the list of reservations: the channel stands for one. */
function commented(page: ChangePage): ChangePage {
  const changes = page.changes.map((change) =>
    change.is === 'reservation' && change.value
      ? { ...change, value: { ...change.value, comment: change.value.channel ?? null } }
      : change,
  )
  return { ...page, changes }
}

async function bench(): Promise<SyncBench> {
  const made = await operaBench()
  const { there } = made
  const sideOf = ({ side }: typeof made): SyncSide => ({
    pull: async (cursor, call) => commented(await side.pull(cursor, call)),
  })
  const contracted: SyncBench = {
    side: sideOf(made),
    book: async ({ comment }: SharedReservation) => there.book({ channel: comment ?? null }),
    comment: async (id, comment) => there.change(id, { channel: comment }),
    count: () => there.stays.size,
    commentOf: (id) => there.stays.get(id)?.channel ?? null,
    cutOffer() {},
    hush: () =>
      new Promise<void>((taken) => {
        there.faults.push({ at: '/reservations', does: 'silence', taken })
      }),
    async reopen() {
      made.reopen()
      contracted.side = sideOf(made)
    },
    close: made.close,
  }
  return contracted
}

adapterContract('OPERA', bench, { push: false, follow: false })
