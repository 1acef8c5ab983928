/**
 * The appliance with the open contract as a process of its own, for tests that kill it: `node house.js DATA NOW` says its
 * URL. It comes back to a broker at once.
 */
import { readConfig } from '../../../../src/config.ts'
import { start } from '../../../../src/main.ts'
import { cloudEvents } from '../../../../src/pms/adapters/cloudevents/cloudevents.ts'
import { standalone } from '../../../../src/pms/adapters/standalone/standalone.ts'
import { noLimits } from '../../../no-limits.ts'
import { settableClock, trustedClock } from '../../../test-clock.ts'
import { quickCloudEvents } from './quick-adapter.ts'

const [data = '', now = ''] = process.argv.slice(2)
const config = readConfig({ port: 0, logLevel: 'silent', rateLimits: noLimits, data })
const either: typeof cloudEvents = {
  ...cloudEvents,
  open: (setup) => (setup.configuration.transport === 'mqtt' ? quickCloudEvents : cloudEvents).open(setup),
}
const { url } = await start(config, {
  // Beside it in the bundle.
  entry: new URL('./nightporter.js', import.meta.url),
  clock: settableClock(Number(now)),
  judge: trustedClock,
  adapters: [standalone, either],
})
process.stdout.write(`${url}\n`)
