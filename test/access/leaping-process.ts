/** As `appliance-process.ts`, with a clock on which its parent lets time go by: it is sent what `leap` takes, and answers then. */
import { readConfig } from '../../src/config.ts'
import { start } from '../../src/main.ts'
import { leapingClock } from '../leaping-clock.ts'
import { program as entry } from '../program.ts'
import { trustedClock } from '../test-clock.ts'

const [data = '', now = ''] = process.argv.slice(2)
const config = readConfig({ port: 0, logLevel: 'silent', data })
let pendingWork = () => 0
const clock = leapingClock(Number(now), () => pendingWork() > 0)
const { url, ...running } = await start(config, { entry, clock, judge: trustedClock })
pendingWork = running.pendingWork
process.on('message', async ([ms, skipMs]: [number, number]) => {
  await clock.leap(ms, skipMs)
  process.send?.('gone by')
})
process.stdout.write(`${url}\n`)
