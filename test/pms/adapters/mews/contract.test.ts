import type { SharedReservation } from '../../../../src/pms/sync/shared-reservation.ts'
import type { ChangePage, SyncSide } from '../../../../src/pms/sync-contract.ts'
import { adapterContract, type SyncBench } from '../adapter-contract.ts'
import { mewsBench } from './bench.ts'

/** Comments are not fetched from there: the name of the channel stands for one. */
function commented(page: ChangePage): ChangePage {
  const changes = page.changes.map((change) =>
    change.is === 'reservation' && change.value
      ? { ...change, value: { ...change.value, comment: change.value.channel ?? null } }
      : change,
  )
  return { ...page, changes }
}

async function bench(): Promise<SyncBench> {
  const made = await mewsBench()
  const { there } = made
  const sideOf = ({ side }: typeof made): SyncSide => ({
    pull: async (cursor, call) => commented(await side.pull(cursor, call)),
  })
  const contracted: SyncBench = {
    side: sideOf(made),
    book: async ({ comment }: SharedReservation) => there.book({ ChannelManager: comment ?? '' }),
    comment: async (id, comment) => there.change(id, { ChannelManager: comment }),
    count: () => there.reservations.size,
    commentOf: (id) => there.reservations.get(id)?.ChannelManager ?? null,
    cutOffer() {},
    hush: () =>
      new Promise<void>((taken) => {
        there.faults.push({ at: 'reservations/getAll/2023-06-06', does: 'silence', taken })
      }),
    async reopen() {
      made.reopen()
      contracted.side = sideOf(made)
    },
    close: made.close,
  }
  return contracted
}

adapterContract('Mews', bench, { push: false, follow: false })
