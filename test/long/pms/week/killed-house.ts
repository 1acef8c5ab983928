import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { systemClock } from '../../../../src/host/clock.ts'
import { type ApplianceChild, applianceChild } from '../../../access/appliance-child.ts'
import { until } from '../../../eventually.ts'
import { builtHouse } from './built-house.ts'
import { atRest } from './hotel.ts'
import type { OpenLine } from './line.ts'
import { houseBook } from './plain.ts'
import { cutsOverHttp, cutsOverMqtt, type Moment, type PowerCuts } from './power-cuts.ts'
import { stickAt, storedIn, unstick } from './stuck-writer.ts'
import { expectAgreement, expectedOf, listedConflicts, live, openWeek, remember, type Week } from './week.ts'

/** A house in a process of its own, kept in step with a PMS, and killed again and again. */
export interface KilledHouse {
  week: Week
  /**
   * Both sides change a few reservations without a line; then it is back, and the house is killed at a moment, and started
   * again. Fails unless both agree on everything afterwards. False where the moment never came.
   */
  killedAt(moment: Moment): Promise<boolean>
  /** The same where its writer hangs at a statement, in the middle of a transaction, and it is killed when `isThere`. */
  killedAtWrite(prepare: () => StuckWrite): Promise<void>
  /** One value of the store, as it is on the disk. */
  stored(sql: string): unknown
  /** How many changes the PMS tells at once. */
  pages: { limit: number }
}

export interface StuckWrite {
  /** As SQL: `INSERT ON reservation WHEN NEW.externalId = 'A'`. */
  at: string
  /** Whether it has come there by what can be seen of it. */
  isThere: () => boolean
  /** Looks at what it has left, before it is started again. */
  left?: () => void
}

export async function openKilledHouse(
  t: TestContext,
  options: { seed: number; reservations: number; line: OpenLine },
): Promise<KilledHouse> {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-killed-'))
  const child = await applianceChild(data, await builtHouse(data))
  t.after(async () => {
    await child.stop()
    rmSync(data, { recursive: true })
  })
  const clock = { ...systemClock, now: child.now, advance: () => {} }
  const house = async () => ({ ask: child.ask, stop: child.stop, clock })
  const week = await openWeek(t, { ...options, changes: 400, house })
  return killing(week, data, child, options.seed)
}

function killing(week: Week, data: string, child: ApplianceChild, seed: number): KilledHouse {
  const { pms, line, configurationId } = week
  const { ask } = child
  const cuts: PowerCuts = line.broker ? cutsOverMqtt(line.broker, child.kill) : cutsOverHttp(pms, child.kill)
  const pages = pagesOf(week)
  const known = new Set<string>()
  let deeds = 0

  const pull = () => ask('POST', `/api/config/v1/pms-configurations/${configurationId}/actions/pull`)

  /** What both sides have to say to each other, and what they will not agree on by themselves. */
  async function bothChange() {
    remember(week)
    await line.cut()
    const changes = 6
    await live(week, { changes, seed, firstDeed: deeds, spanMs: 0 })
    deeds += changes
    const book = await houseBook(ask)
    return { listed: await listedConflicts(ask, book), expected: expectedOf(week, book) }
  }

  /** False where it came to rest before it was killed. */
  async function isKilled(): Promise<boolean> {
    const rested = atRest(ask, configurationId, pms, { urge: true }).then(
      () => false,
      // Who is killed answers nothing any more.
      () => child.ended().then(() => true),
    )
    return Promise.race([child.ended().then(() => true), rested])
  }

  type Expected = Awaited<ReturnType<typeof bothChange>>

  async function expectTheSame({ listed: before, expected }: Expected): Promise<void> {
    await atRest(ask, configurationId, pms, { urge: true })
    const listed = await listedConflicts(ask, await expectAgreement(week))
    assert.deepEqual(
      expected.filter((each) => !listed.includes(each)),
      [],
    )
    assert.deepEqual(
      listed.filter((each) => !before.includes(each) && !expected.includes(each)),
      [],
    )
    await expectConflictsOnce()
  }

  /** The same words of the PMS about the same make one conflict. */
  async function expectConflictsOnce(): Promise<void> {
    const { body } = await ask('GET', '/api/config/v1/sync-conflicts?sort=-detectedAt&page[size]=100')
    const said = new Map<string, string>()
    for (const { id, attributes } of body.data) {
      if (known.has(id)) continue
      known.add(id)
      const { reservationId, stayId, fieldGroup, upstream } = attributes
      const same = JSON.stringify([reservationId, stayId, fieldGroup, upstream])
      assert.equal(said.get(same), undefined, attributes.sentence)
      said.set(same, attributes.sentence)
    }
  }

  return {
    week,
    async killedAt(moment) {
      const expected = await bothChange()
      await line.mend()
      cuts.at(moment)
      const wasKilled = await isKilled()
      cuts.at(null)
      if (wasKilled) await child.reboot(0)
      await expectTheSame(expected)
      return wasKilled
    },
    async killedAtWrite(prepare) {
      // A house that has noticed begins nothing before the line is back.
      await line.cut()
      assert.equal((await pull()).status, 502)
      const expected = await bothChange()
      const { at, isThere, left } = prepare()
      stickAt(data, at)
      await line.mend()
      // The request is cut off with the house.
      void pull().catch(() => {})
      await until(isThere)
      child.kill()
      await child.ended()
      left?.()
      unstick(data)
      await child.reboot(0)
      await expectTheSame(expected)
    },
    stored: (sql) => storedIn(data, sql),
    pages,
  }
}

/** Short ones, so that an exchange has several. */
function pagesOf({ pms }: Week): { limit: number } {
  const pages = { limit: 4 }
  const { answer } = pms
  pms.answer = (request) => {
    const { type, data } = request
    return answer(type === 'pms.changes.requested' ? { type, data: { ...data, ...pages } } : request)
  }
  return pages
}
