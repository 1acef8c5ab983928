import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { simulatedClerk } from '../../../drivers/fias/simulator/simulated-clerk.ts'
import { simulatedLine } from '../../../drivers/fias/simulator/simulated-line.ts'
import { testClock } from '../../test-clock.ts'
import { until } from '../lock-system-contract.ts'
import { socketPair } from '../socket-pair.ts'

const clock = testClock()

describe('the clerk of a simulated PMS', () => {
  it('does what he is told, and the other side hears of it', async (test) => {
    const clerk = simulatedClerk(clock)
    const { near } = socketPair(clerk.play)
    test.after(() => near.destroy())
    const heard: string[] = []
    const line = simulatedLine(
      near,
      'tcp',
      { naks: 0, unacknowledged: 0 },
      {
        clock,
        receive({ id, fields: { RN = '', RO = '', GS = '', RS = '' } }) {
          heard.push([id, RN, RO, GS, RS].join(' ').trim())
          if (id === 'KR') line.send('KA|ASOK|KC1|$204A1B2C3|')
        },
        gone() {},
      },
    )
    line.send(
      'LD|IFDL|',
      'LR|RIGI|FLG#RNGS|',
      'LR|RIGC|FLG#RNRO|',
      'LR|RIGO|FLG#RN|',
      'LR|RIRE|FLRNRS|',
      'LA|',
    )
    await until(clock, () => heard.at(-1) === 'LA')
    const said = []
    for (const order of [
      'in 1 101 260601 260603 García Sofía',
      'in 2 101 260601 260603 Bru shared',
      'list',
      'move 1 102',
      'key 1 copy',
      'maid 101 3',
      'out 1',
      'out 9',
    ])
      said.push(await clerk.act(order))
    assert.deepEqual(said, [
      '1 is in 101',
      '2 is in 101',
      '1 101 García\n2 101 Bru',
      'sent',
      'OK 04A1B2C3',
      '101 is 3',
      'sent',
      'there is no 9',
    ])
    await until(clock, () => heard.at(-1) === 'GO 102')
    assert.deepEqual(heard.slice(2), [
      'GI 101  N',
      'GI 101  Y',
      'GC 102 101',
      'KR 102',
      'RE 101   3',
      'GO 102',
    ])
    assert.match(await clerk.act('constructor'), /a guest checks in/)
  })

  it('leaves the question for a swap unanswered when he is told to', async (test) => {
    const clerk = simulatedClerk(clock)
    clerk.misbehaviours.push({ at: 'DR', does: 'silence' })
    const { near } = socketPair(clerk.play)
    test.after(() => near.destroy())
    const heard: string[] = []
    const line = simulatedLine(
      near,
      'tcp',
      { naks: 0, unacknowledged: 0 },
      { clock, receive: ({ id }) => heard.push(id), gone() {} },
    )
    line.send('DR|', 'DR|')
    await until(clock, () => heard.includes('DE'))
    assert.deepEqual(heard, ['LS', 'DS', 'DE'])
  })
})
