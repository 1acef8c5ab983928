import { DeviceFault } from '../../../devices/fault.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Call } from '../../call.ts'
import {
  type ChangePage,
  mostChanges,
  type Offer,
  type SyncNotifications,
  type SyncSide,
} from '../../sync-contract.ts'
import { nextIn, UnreadableAnswer } from '../../unreadable-answer.ts'
import { type Carrier, type CarrierNotifications, cursorGone, pageTooLarge } from './carrier.ts'
import { intake } from './intake.ts'
import { cursorSchema, epochSchema } from './messages/envelope.ts'
import { readChanges } from './messages/read-change.ts'
import { schemaErrors } from './messages/read-message.ts'
import { answersIn, batchesOf, wireOffer } from './offers.ts'

interface SyncOptions {
  carrier: Carrier
  /** True when the PMS lends units as an allotment. */
  lends: boolean
  /** Receives internal errors. */
  failed(error: unknown): void
  /** Receives the highest epoch of the property's boxes that the PMS knows, with each page that has it. */
  epochSeen?(epoch: number): void
}

/** The number of changes in one request; smaller when a page is too large. */
const limits = [500, 50, 5, 1]
/** The maximum bytes of the outbound changes of one request. */
const largestBatch = 1024 * 1024

/** Synchronises the appliance with a PMS that implements the open contract, over any carrier. */
export function cloudEventsSync({ carrier, lends, failed, epochSeen = () => {} }: SyncOptions) {
  let followed: CarrierNotifications | null = null
  /** What the PMS has said with its last page. A PMS of the first version may refuse members that it does not know. */
  let contract: 1 | 2 = 1

  async function pull(cursor: string | null, call: Call): Promise<ChangePage> {
    const page = await pageAfter(cursor, call)
    if (page.epoch !== undefined) epochSeen(page.epoch)
    contract = page.contract ?? 1
    const { changes, refused } = await readChanges(page.changes)
    return { changes, refused, isChecked: true, cursor: page.cursor, more: page.more }
  }

  async function pageAfter(after: string | null, call: Call): Promise<Page> {
    for (const [at, limit] of limits.entries()) {
      try {
        return await pageIn(await carrier.request('pms.changes.requested', { after, limit }, call))
      } catch (error) {
        const { vendorCode } = error instanceof DeviceFault ? error : {}
        if (vendorCode === cursorGone && after !== null)
          throw new Problem('page-cursor-unknown', 'The PMS no longer knows the cursor.')
        if (vendorCode !== pageTooLarge || at === limits.length - 1) throw error
      }
    }
    throw new Error('there is a limit to ask with')
  }

  async function push(offers: readonly Offer[], call: Call) {
    const answers = []
    const wireOffers = offers.map((offer) => wireOffer(offer, contract))
    for (const batch of batchesOf(wireOffers, largestBatch)) {
      const reply = await carrier.request('pms.reservations.offered', { offers: batch }, call)
      answers.push(...(await answersIn(reply, batch)))
    }
    return answers
  }

  function follow(news: SyncNotifications): () => void {
    const followers = intake(news, failed)
    followed = followers
    const stop = carrier.follow?.(followers)
    return () => {
      if (followed === followers) followed = null
      stop?.()
    }
  }

  const side: SyncSide = {
    pull,
    push,
    follow,
    publish: (events, call) => carrier.publish(events, call),
    notes: () => carrier.notes?.() ?? [],
    lends,
  }

  /** Handles a message that did not arrive through the carrier. */
  function hear(bytes: Uint8Array): void {
    followed?.message(bytes)
  }

  return { side, hear }
}

interface Page {
  changes: unknown[]
  cursor: string
  more: boolean
  /** The highest epoch of the property's boxes that the PMS has received. */
  epoch?: number
  contract?: 1 | 2
}

/** The page without its changes, which are validated one by one. */
const pageSchema = {
  type: 'object',
  properties: {
    changes: { type: 'array', maxItems: mostChanges },
    cursor: cursorSchema,
    more: { type: 'boolean' },
    epoch: epochSchema,
    contract: { enum: [1, 2] },
  },
  required: ['changes', 'cursor', 'more'],
}

async function pageIn(data: unknown): Promise<Page> {
  const wrong = await schemaErrors(pageSchema, data, 'the page')
  if (wrong === null) return data as Page
  throw new UnreadableAnswer(`The PMS sent changes that cannot be used: ${wrong}`, data, {
    next: nextIn(data),
  })
}
