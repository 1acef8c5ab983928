import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import driver from '../../../drivers/twn4/driver.ts'
import type { Twn4CommandName } from '../../../drivers/twn4/protocol.ts'
import { ofNewerFirmware, reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import { testClock } from '../../test-clock.ts'
import { when } from '../encoder-calls.ts'

const clock = testClock()
const pins: Twn4CommandName[] = ['configureOutputs', 'setOutputs', 'clearOutputs']

describe('the lights and sounds of a twn4', () => {
  const firmwares: [name: string, lacks: readonly Twn4CommandName[], lights: boolean, beeps: number][] = [
    ['older', ofNewerFirmware, true, 2],
    ['newer', [], true, 2],
    ['newer, without pins to set', pins, true, 2],
    ['newer, without the older beep', ['beep'], true, 2],
    ['that has neither', [...ofNewerFirmware, ...pins, 'beep'], false, 0],
  ]
  for (const [name, lacks, lights, beeps] of firmwares)
    it(`with firmware that is ${name}`, async () => {
      const [box, machine] = duplexPair()
      const played = reader({ clock, antenna: { cards: () => [] }, lacks })
      void simulateTwn4(machine, played)
      const encoder = driver.open(box, { model: 'twn4', patience: 1, options: {}, clock })
      const shown = [
        ['good', 0x02],
        ['bad', 0x01],
        ['ready', 0x04],
      ] as const
      for (const [kind, light] of shown) {
        await encoder.signal(kind)
        assert.equal(played.lights, lights ? light : 0, kind)
      }
      assert.equal(played.beeps, beeps)
      encoder.close()
    })

  it('asks older firmware but once for what it lacks', async () => {
    const [box, machine] = duplexPair()
    const played = reader({ clock, antenna: { cards: () => [] } })
    void simulateTwn4(machine, played)
    const encoder = driver.open(box, { model: 'twn4', patience: 1, options: {}, clock })
    await encoder.signal('ready')
    const met: string[] = []
    played.lacks = []
    played.misbehaviours.push(when('initLights', () => void met.push('initLights')))
    await encoder.signal('ready')
    assert.deepEqual(met, [])
    encoder.close()
  })
})
