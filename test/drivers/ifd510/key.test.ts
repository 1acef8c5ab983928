import assert from 'node:assert/strict'
import { it } from 'node:test'
import { lockSystem } from '../../../drivers/hkr1/lock-system.ts'
import driver from '../../../drivers/ifd510/driver.ts'
import { reader, simulatedReports } from '../../../drivers/ifd510/simulator/simulator.ts'
import { reportWire } from '../../../src/devices/hid/hid-reports.ts'
import { testClock } from '../../test-clock.ts'
import { blankCard, grant, holding, makers, settings } from '../hkr1/house.ts'

const clock = testClock()

/** The reader logs in with each command anew, which no other encoder does. */
for (const technology of ['classic', 'ultralight'] as const)
  it(`a key is written, read back, replaced and erased on a card of the kind ${technology}`, async (t) => {
    const card = makers[technology]()
    const played = reader({ clock, antenna: { cards: () => [card] } })
    const encoder = driver.open(reportWire(simulatedReports(played, () => {})), {
      model: 'ifd510',
      patience: 1,
      options: {},
      clock,
    })
    t.after(() => encoder.close())
    const locks = lockSystem(settings)
    for (const content of [holding(grant), holding({ ...grant, sequence: 43 }), blankCard]) {
      const found = await encoder.find()
      assert.ok(found)
      if (content.grant) await locks.write(encoder, found, content.grant)
      else await locks.erase(encoder, found)
      const again = await encoder.find()
      assert.ok(again)
      const { blank, grant: held, defect } = await locks.read(encoder, again)
      assert.deepEqual({ blank, grant: held, defect }, content)
    }
  })
