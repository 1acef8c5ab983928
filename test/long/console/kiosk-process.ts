/** The appliance as a process that keeps its port when it is started again: `node kiosk-process.ts DATA NOW` says its URL. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readConfig } from '../../../src/config.ts'
import { start } from '../../../src/main.ts'
import { program as entry } from '../../program.ts'
import { settableClock, trustedClock } from '../../test-clock.ts'

const [data = '', now = ''] = process.argv.slice(2)
const kept = `${data}.port`
const port = existsSync(kept) ? Number(readFileSync(kept, 'utf8')) : 0
const config = readConfig({ port, logLevel: 'silent', data })
const { url } = await start(config, { entry, clock: settableClock(Number(now)), judge: trustedClock })
writeFileSync(kept, new URL(url).port)
process.stdout.write(`${url}\n`)
