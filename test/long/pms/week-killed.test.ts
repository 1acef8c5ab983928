import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seed } from '../../seed.ts'
import { booking, dayAfter } from './week/clerk-deeds.ts'
import { type KilledHouse, openKilledHouse } from './week/killed-house.ts'
import { httpLine, mqttLine } from './week/line.ts'
import type { Moment } from './week/power-cuts.ts'

/** Another one: `TEST_SEED=7 node --test test/long/pms/week-killed.test.ts`. */

const lines = { HTTP: httpLine, MQTT: mqttLine }

/** Which of each kind: the first, and every how many further ones. What is not named here is another's moment as well. */
type Moments = [of: Moment['of'], when: Moment['when'], first: number, step: number][]
const moments: Record<keyof typeof lines, Moments> = {
  HTTP: [
    ['request', 'arrives', 1, 1],
    ['request', 'done', 3, 1],
    ['request', 'half', 1, 2],
    ['request', 'answered', 1, 1],
    ['events', 'done', 1, 1],
    ['events', 'answered', 1, 1],
  ],
  MQTT: [
    ['entrance', 'arrives', 2, 1],
    ['entrance', 'answered', 1, 1],
    ['news', 'half', 1, 5],
    ['news', 'answered', 1, 4],
    ['request', 'arrives', 1, 2],
    ['request', 'done', 2, 1],
    ['request', 'half', 1, 2],
    ['request', 'answered', 1, 1],
    ['events', 'arrives', 9, 30],
    ['events', 'done', 1, 12],
    ['events', 'answered', 5, 12],
  ],
}

describe(`a house that is killed while it gets in step, with seed ${seed}`, { concurrency: 2 }, () => {
  for (const name of ['HTTP', 'MQTT'] as const) {
    it(`ends where it would have over ${name}, whatever it was about to say or to hear, and to write`, async (t) => {
      const house = await openKilledHouse(t, { seed, reservations: 15, line: lines[name] })
      const kills: string[] = []
      for (const [of, when, first, step] of moments[name]) {
        const before = kills.length
        for (let nth = first; await house.killedAt({ of, nth, when }); nth += step)
          kills.push(`${of} ${nth} ${when}`)
        assert.ok(kills.length > before, `${of} ${when}`)
      }
      t.diagnostic(kills.join(', '))
      if (name === 'HTTP') await whileItWrites(house)
    })
  }
})

const many = 200

/** Killed while its store is in the middle of writing something. */
async function whileItWrites({ week, stored, killedAtWrite, pages }: KilledHouse): Promise<void> {
  const { pms } = week
  const kept = () => Number(stored('SELECT count(*) FROM sync_record'))
  const place = (name: 'pullCursor' | 'publishedTo') => stored(`SELECT ${name} FROM sync_link`)
  pages.limit = 500

  await killedAtWrite(() => {
    const [before, cursor, made] = [kept(), place('pullCursor'), bookMany(week)]
    return {
      at: `INSERT ON reservation WHEN NEW.externalId = '${made[150]}'`,
      isThere: () => kept() > before + 4,
      left() {
        assert.ok(kept() < before + many, 'half of the page')
        assert.equal(place('pullCursor'), cursor)
      },
    }
  })
  await killedAtWrite(() => {
    const [last, cursor] = [bookMany(week).at(-1), place('pullCursor')]
    return {
      at: 'UPDATE ON sync_link WHEN NEW.pullCursor IS NOT OLD.pullCursor',
      isThere: () => stored(`SELECT 1 FROM sync_record WHERE externalId = '${last}'`) === 1,
      left: () => assert.equal(place('pullCursor'), cursor),
    }
  })
  await killedAtWrite(() => {
    const cursor = place('pullCursor')
    return {
      at: 'UPDATE ON sync_offer WHEN NEW.offer IS NOT OLD.offer',
      isThere: () => place('pullCursor') !== cursor,
      left: () => assert.ok(Number(stored('SELECT count(*) FROM sync_offer WHERE offer IS NULL')) > 0),
    }
  })
  await killedAtWrite(() => {
    const answered = pms.book.answers.size
    return {
      at: 'UPDATE ON sync_offer WHEN NEW.offer IS NULL AND OLD.offer IS NOT NULL',
      isThere: () => pms.book.answers.size > answered,
      left: () => assert.ok(Number(stored('SELECT count(*) FROM sync_offer WHERE offer IS NOT NULL')) > 0),
    }
  })
  await killedAtWrite(() => {
    const [heard, published] = [pms.received.length, place('publishedTo')]
    return {
      at: 'UPDATE ON sync_link WHEN NEW.publishedTo IS NOT OLD.publishedTo',
      isThere: () => pms.received.length > heard,
      left: () => assert.equal(place('publishedTo'), published),
    }
  })
}

/** Names of reservations that the PMS has made by itself, when the house has room. */
function bookMany({ pms, desk, did }: KilledHouse['week']): string[] {
  did.clerk.books = (did.clerk.books ?? 0) + many
  const first = 200_000 + pms.book.reservations.size
  return Array.from({ length: many }, (_, number) => {
    const whole = booking(desk.next, first + number, dayAfter(desk.today(), 100))
    return pms.book.make(whole).externalId
  })
}
