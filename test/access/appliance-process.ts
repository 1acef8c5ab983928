/** The appliance as a process of its own, for tests that kill it: `node appliance-process.ts DATA NOW` says its URL. */
import { readConfig } from '../../src/config.ts'
import { start } from '../../src/main.ts'
import { program as entry } from '../program.ts'
import { settableClock, trustedClock } from '../test-clock.ts'

const [data = '', now = ''] = process.argv.slice(2)
const config = readConfig({ port: 0, logLevel: 'silent', data })
const { url } = await start(config, { entry, clock: settableClock(Number(now)), judge: trustedClock })
process.stdout.write(`${url}\n`)
