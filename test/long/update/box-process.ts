import { readConfig } from '../../../src/config.ts'
import { virtualClock } from '../../../src/host/virtual-clock.ts'
import { start } from '../../../src/main.ts'
import { trustedClock } from '../../test-clock.ts'
import { simulatedGround } from '../../update/box.ts'

/** `box-process.ts DATA SLOTS`: the program on a simulated image, until it is killed. Its time goes by ten times as fast. */
const [, , data = '', slots = ''] = process.argv
const clock = virtualClock(Date.now())
setInterval(() => {
  const until = clock.monotonic() + 500
  for (let next = clock.next(); next !== null && next <= until; next = clock.next()) clock.fire()
  clock.advance(until - clock.monotonic())
}, 50)
const { url } = await start(readConfig({ data, port: 0, logLevel: 'silent' }), {
  entry: new URL('../../../src/nightporter.js', import.meta.url),
  clock,
  judge: trustedClock,
  ground: simulatedGround(slots).ground,
})
console.log(`listens on ${url}`)
