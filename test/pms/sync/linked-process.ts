/**
 * The appliance as a process of its own with a PMS that lives in another, for tests that kill it:
 * `node linked-process.ts DATA NOW PMS-URL` says its URL.
 */
import { readConfig } from '../../../src/config.ts'
import { start } from '../../../src/main.ts'
import { standalone } from '../../../src/pms/adapters/standalone/standalone.ts'
import type { SyncSide } from '../../../src/pms/sync-contract.ts'
import { noLimits } from '../../no-limits.ts'
import { program as entry } from '../../program.ts'
import { settableClock, trustedClock } from '../../test-clock.ts'
import { scriptedAdapter } from '../adapters/scripted-adapter.ts'

const [data = '', now = '', pms = ''] = process.argv.slice(2)

async function asked<T>(call: string, input: unknown): Promise<T> {
  const reply = await fetch(`${pms}/${call}`, { method: 'POST', body: JSON.stringify(input) })
  if (!reply.ok) throw new Error(`${call}: ${reply.status}`)
  return (await reply.json()) as T
}

const sync: SyncSide = {
  pull: (cursor) => asked('pull', cursor),
  push: (offers) => asked('push', offers),
  async publish(events) {
    await asked('publish', events)
  },
}
const adapter = scriptedAdapter({ assignsUnits: false })
adapter.script = { sync }
const config = readConfig({ port: 0, logLevel: 'silent', rateLimits: noLimits, data })
const { url } = await start(config, {
  entry,
  clock: settableClock(Number(now)),
  judge: trustedClock,
  adapters: [standalone, adapter],
})
process.stdout.write(`${url}\n`)
