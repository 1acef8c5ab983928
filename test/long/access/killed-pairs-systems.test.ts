import { after, it } from 'node:test'
import { deskOf, onlineSystems } from '../../access/faults-online.ts'
import { pinLocks } from '../../access/pin-locks.ts'
import { sockets } from '../../access/sockets.ts'
import { playUntilKilled } from './pairs/killed.ts'
import { killedHouse } from './pairs/killed-house.ts'
import { onlinePlays, onlineWorld } from './pairs/online.ts'
import { pinPlays, pinWorld } from './pairs/pins.ts'

it('PINs: killed again and again, in its recovery too, the store says what is true at every lock', async () => {
  const house = await killedHouse()
  const { cloud, controllerId, unplug } = await pinLocks(house, ['301', '302'])
  after(unplug)
  await playUntilKilled(
    pinWorld({ ...house, cloud, controllerId }),
    pinPlays({ kills: true }),
    house.killed,
    6,
  )
})

for (const name of Object.keys(onlineSystems) as (keyof typeof onlineSystems)[])
  it(`${name}: killed again and again, the store says what is true by the books of the lock system`, async () => {
    const house = await killedHouse()
    const system = onlineSystems[name](house.clock)
    const plugs = sockets()
    after(plugs.close)
    const { controllerId } = await deskOf(house.ask, system, await plugs.plugIn(system.play))
    const place = { ...house, system, controllerId, dispenser: null }
    await playUntilKilled(onlineWorld(place), onlinePlays('desk', { kills: true }), house.killed, 4)
  })
