import { randomUUID } from 'node:crypto'
import { DeviceFault } from '../../../../devices/fault.ts'
import { cursorGone } from '../carrier.ts'
import { capabilitiesRepliedSchema } from '../messages/message-schemas.ts'
import { schemaErrors } from '../messages/read-message.ts'
import { type Check, expect, type Scene, Skipped, Unmet } from './check.ts'

/** The checks that change nothing at the PMS. */
export const readChecks: readonly Check[] = [
  {
    name: 'Capabilities',
    expected: 'A valid answer with flags and extensions.',
    writes: false,
    run: async ({ ask, now }) => {
      const ids = { requestId: randomUUID(), configurationId: randomUUID(), adapter: 'cloudevents' }
      const versions = { adapterVersion: '1.0.0', interfaceVersion: '2.0' }
      const deadline = new Date(now() + 10_000).toISOString()
      const reply = await ask('pms.capabilities.requested', { ...ids, ...versions, deadline })
      const wrong = await schemaErrors(capabilitiesRepliedSchema, reply, 'the answer')
      if (wrong !== null) throw new Unmet(wrong)
    },
  },
  {
    name: 'All changes without a cursor',
    expected: 'Pages of valid messages, a cursor that moves, and an end.',
    writes: false,
    run: async (scene) => {
      scene.cursor = (await scene.allAfter(null)).cursor
    },
  },
  {
    name: 'Small pages',
    expected: 'With limit=2 the same reservations in the same revisions as with limit=500.',
    writes: false,
    run: async (scene) => {
      const whole = latest(await scene.allAfter(null))
      const small = latest(await scene.allAfter(null, 2))
      const lost = [...whole].find(([id, revision]) => (small.get(id) ?? -1) < revision)
      expect(!lost, `${lost?.[0]} is not in the small pages in revision ${lost?.[1]}.`)
    },
  },
  {
    name: 'Nothing new',
    expected: 'No changes after the last cursor, and more: false.',
    writes: false,
    run: async (scene) => {
      const { changes, more } = await scene.page(lastCursor(scene))
      expect(!more, 'There is more after the last cursor.')
      expect(changes.length === 0, `There are ${changes.length} changes after the last cursor.`)
    },
  },
  {
    name: 'An unknown cursor',
    expected: 'The status 410 over HTTP, the code cursor-gone over MQTT.',
    writes: false,
    run: async ({ ask }) => {
      const after = `check-pms-${randomUUID()}`
      try {
        await ask('pms.changes.requested', { after, limit: 1 })
      } catch (error) {
        if (error instanceof DeviceFault && error.vendorCode === cursorGone) return
        throw error
      }
      throw new Unmet('The cursor was accepted: after a loss of your data the property would miss changes.')
    },
  },
]

function lastCursor({ cursor }: Scene): string {
  if (cursor !== null) return cursor
  throw new Skipped('It needs the cursor of an earlier check.')
}

/** The last revision of each reservation. */
function latest({ changes }: Awaited<ReturnType<Scene['allAfter']>>): Map<string, number> {
  return new Map(
    changes.flatMap((each) => (each.is === 'reservation' ? [[each.externalId, each.revision]] : [])),
  )
}
