import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DeviceFault } from '../../../src/devices/fault.ts'
import type { Call } from '../../../src/pms/call.ts'
import type { SharedReservation } from '../../../src/pms/sync/shared-reservation.ts'
import type {
  ChangePage,
  Offer,
  ReservationChange,
  SyncNotifications,
  SyncSide,
} from '../../../src/pms/sync-contract.ts'
import { nextUuid } from '../../uuid.ts'

/** An adapter's synchronising side at work, and the PMS at the other end as a person there would use it. */
export interface SyncBench {
  side: SyncSide
  /** Makes a reservation at the PMS, and gives the PMS's name for it. */
  book(reservation: SharedReservation): Promise<string>
  /** Changes the comment of one at the PMS. */
  comment(externalId: string, comment: string): Promise<void>
  /** How many reservations the PMS has. */
  count(): number
  /** The comment of one as the PMS has it. */
  commentOf(externalId: string): string | null
  /** The line is cut at the next offer: before the PMS has it, or before its answer arrives. */
  cutOffer(when: 'before' | 'after'): void
  /** The next request for changes is never answered. A promise of when the PMS has it, where the line is slower than the test. */
  hush(): unknown
  /** Opens another side on the same PMS, as after a start of the box; the one before is closed. */
  reopen(): Promise<void>
  close(): Promise<void>
}

export interface SyncAbilities {
  /** The PMS takes offers. */
  push: boolean
  /** It tells of changes by itself. */
  follow: boolean
  /** Opened anew it does not know what it has reported, and reports everything again. */
  forgets?: boolean
}

export const nobody = { by: 'test', requestId: null }

/** Somebody who waits for ever, unless a signal is given. */
export function calling(signal: AbortSignal = new AbortController().signal): Call {
  return { signal, actor: nobody }
}

/** A reservation of one stay that any PMS can have. */
export function aReservation(comment: string, more: Partial<SharedReservation> = {}): SharedReservation {
  return {
    externalId: null,
    comment,
    stays: [
      {
        externalId: null,
        status: 'Confirmed',
        startDate: '2026-06-03',
        endDate: '2026-06-05',
        units: [{ unitTypeCode: 'DBL', unitName: null }],
        guests: [{ role: 'PrimaryGuest', firstName: 'Sofía', lastName: 'García' }],
      },
    ],
    ...more,
  }
}

export function anOffer(value: SharedReservation, more: Partial<Offer> = {}): Offer {
  return {
    id: nextUuid(),
    localId: nextUuid(),
    externalId: value.externalId,
    baseRevision: null,
    value,
    changed: ['/comment'],
    leaseIds: [],
    intents: [],
    facts: [],
    ...more,
  }
}

/** Everything after a cursor, page by page. */
export async function pullAll({ pull }: SyncSide, cursor: string | null): Promise<ChangePage> {
  const all: ChangePage = { changes: [], refused: [], cursor: '', more: false }
  let at = cursor
  for (let pages = 0; pages < 100; pages++) {
    const page = await pull(at, calling())
    at = page.cursor
    Object.assign(all, {
      changes: [...all.changes, ...page.changes],
      refused: [...all.refused, ...page.refused],
      cursor: at,
    })
    if (!page.more) return all
  }
  assert.fail('there is no last page')
}

const reservationsIn = ({ changes }: ChangePage) =>
  changes.filter((each): each is ReservationChange => each.is === 'reservation')
const commentsIn = (page: ChangePage) => reservationsIn(page).map(({ value }) => value?.comment)
const isFault = (error: unknown) => error instanceof DeviceFault

/** What the synchronising side of every adapter holds. */
export function adapterContract(name: string, open: () => Promise<SyncBench>, can: SyncAbilities): void {
  describe(`the sync side of ${name}`, () => {
    let bench: SyncBench
    before(async () => {
      bench = await open()
    })
    after(() => bench.close())

    it('tells everything without a cursor, and nothing twice with the one it gave', async () => {
      await bench.book(aReservation('first'))
      const all = await pullAll(bench.side, null)
      assert.ok(commentsIn(all).includes('first'))
      assert.deepEqual(all.refused, [])
      assert.deepEqual((await pullAll(bench.side, all.cursor)).changes, [])
    })

    it('tells after a cursor what has changed since, in higher revisions', async () => {
      const externalId = await bench.book(aReservation('as booked'))
      const before = await pullAll(bench.side, null)
      await bench.comment(externalId, 'as changed')
      const since = await pullAll(bench.side, before.cursor)
      const [one] = reservationsIn(before).filter((each) => each.externalId === externalId)
      const [other] = reservationsIn(since)
      assert.deepEqual([other?.externalId, other?.value?.comment], [externalId, 'as changed'])
      assert.ok(other!.revision > one!.revision)
    })

    it('tells the same to who asks with the same cursor again', async () => {
      const { cursor } = await pullAll(bench.side, null)
      await bench.book(aReservation('sent twice'))
      const once = await pullAll(bench.side, cursor)
      assert.deepEqual(await pullAll(bench.side, cursor), once)
      assert.deepEqual(commentsIn(once), ['sent twice'])
    })

    it('goes on from a cursor after it was opened anew', async () => {
      const { cursor } = await pullAll(bench.side, null)
      await bench.reopen()
      await bench.book(aReservation('while away'))
      const comments = commentsIn(await pullAll(bench.side, cursor))
      assert.deepEqual(can.forgets ? comments.filter((each) => each === 'while away') : comments, [
        'while away',
      ])
    })

    it('gives up when nobody waits any longer, and answers the next', async () => {
      const heard = bench.hush()
      const patience = new AbortController()
      const failed = assert.rejects(bench.side.pull(null, calling(patience.signal)), isFault)
      await heard
      patience.abort()
      await failed
      assert.ok((await pullAll(bench.side, null)).cursor)
    })

    if (can.push) pushing(() => bench)
    if (can.follow) following(() => bench)

    it('fails what is asked of it when it is closed, and whatever is asked afterwards', async () => {
      const heard = bench.hush()
      const { side } = bench
      const failed = assert.rejects(side.pull(null, calling()), isFault)
      await heard
      await bench.reopen()
      await failed
      await assert.rejects(async () => side.pull(null, calling()), isFault)
    })
  })
}

function pushing(open: () => SyncBench): void {
  const push = async (offer: Offer) => (await open().side.push!([offer], calling()))[0]!

  it('has an offer of something new kept there once, however often it is sent', async () => {
    const offer = anOffer(aReservation('made here'))
    const first = await push(offer)
    assert.ok(first.is === 'accepted', JSON.stringify(first))
    const count = open().count()
    assert.deepEqual(await push(offer), first)
    assert.equal(open().count(), count)
    assert.equal(open().commentOf(first.externalId), 'made here')
  })

  it('has a change kept that was made to what the PMS has now', async () => {
    const made = await push(anOffer(aReservation('to be changed')))
    assert.ok(made.is === 'accepted')
    const { externalId, revision: baseRevision } = made
    const value = { ...aReservation('changed here'), externalId }
    const changed = await push(anOffer(value, { baseRevision }))
    assert.ok(changed.is === 'accepted' && changed.revision > baseRevision, JSON.stringify(changed))
    assert.equal(open().commentOf(externalId), 'changed here')
  })

  it('receives what the PMS has when that has changed meanwhile, and the PMS keeps it', async () => {
    const made = await push(anOffer(aReservation('in dispute')))
    assert.ok(made.is === 'accepted')
    const { externalId, revision: baseRevision } = made
    await open().comment(externalId, 'changed there')
    const value = { ...aReservation('changed here'), externalId }
    const answer = await push(anOffer(value, { baseRevision }))
    assert.ok(answer.is === 'outdated', JSON.stringify(answer))
    assert.deepEqual([answer.change.externalId, answer.change.value?.comment], [externalId, 'changed there'])
    assert.ok(answer.change.revision > baseRevision)
    assert.equal(open().commentOf(externalId), 'changed there')
  })

  it('gives one answer to each offer, in their order', async () => {
    const offers = ['one', 'two', 'three'].map((comment) => anOffer(aReservation(comment)))
    const answers = await open().side.push!(offers, calling())
    const comments = answers.map((each) => each.is === 'accepted' && open().commentOf(each.externalId))
    assert.deepEqual(comments, ['one', 'two', 'three'])
  })

  for (const when of ['before', 'after'] as const) {
    it(`has an offer kept once when the line was cut ${when} the PMS had it and it is sent again`, async () => {
      const offer = anOffer(aReservation(`cut ${when}`))
      const count = open().count()
      open().cutOffer(when)
      // A carrier may tell it again by itself.
      const first = await push(offer).catch((error) => {
        assert.ok(isFault(error), error)
        return null
      })
      if (!first) assert.equal(open().count(), when === 'after' ? count + 1 : count)
      const answer = await push(offer)
      assert.ok(answer.is === 'accepted', JSON.stringify(answer))
      assert.equal(open().count(), count + 1)
    })
  }
}

function following(open: () => SyncBench): void {
  it('says by itself that something has changed', async () => {
    const heard = Promise.withResolvers<void>()
    const news: SyncNotifications = {
      changes: () => heard.resolve(),
      poke: () => heard.resolve(),
      line: () => {},
    }
    const stop = open().side.follow!(news)
    try {
      await open().book(aReservation('news'))
      await heard.promise
    } finally {
      stop()
    }
  })
}
