import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { blankCards, type SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { encoders, type FaultHouse, faultDesk } from '../../access/faults-lobby.ts'
import { heal, keyOf, newStay, said } from '../../access/faults-played.ts'
import { eachCell, type FaultLine } from '../../access/faults-table.ts'
import { until } from '../../access/house-with-doors.ts'

/** The answer, and the status of the key by then: a hand has the card, which may be written. */
const tables: Record<keyof typeof encoders, { codes: Record<string, string>; lines: FaultLine[] }> = {
  twn4: {
    codes: { writeBlock: '0000' },
    lines: [
      [
        'searchTag',
        1,
        'encoder-timeout failed',
        'encoder-timeout failed',
        '200 live',
        'encoder-offline failed',
        'unsupported-operation failed',
      ],
      [
        'login',
        1,
        'encoder-timeout failed',
        'encoder-timeout failed',
        '200 live',
        'encoder-offline failed',
        'unsupported-operation failed',
      ],
      [
        'writeBlock',
        1,
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? unknown',
        'card-write-protected failed',
      ],
      [
        'writeBlock',
        4,
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? unknown',
        'card-write-protected failed',
      ],
      [
        'readBlock',
        8,
        'encoder-timeout failed',
        'encoder-timeout failed',
        '200 live',
        'encoder-offline failed',
        'unsupported-operation failed',
      ],
      [
        'rfOff',
        1,
        'encoder-timeout failed',
        'encoder-timeout failed',
        '200 live',
        'encoder-offline? unknown',
        'unsupported-operation failed',
      ],
    ],
  },
  ifd510: {
    codes: { writeBlock: '84' },
    lines: [
      [
        'request',
        1,
        'encoder-timeout failed',
        'encoder-timeout failed',
        '200 live',
        'encoder-offline failed',
        'unsupported-operation failed',
      ],
      [
        'serialOf',
        1,
        'encoder-timeout failed',
        'encoder-timeout failed',
        '200 live',
        'encoder-offline failed',
        'unsupported-operation failed',
      ],
      [
        'writeBlock',
        1,
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? unknown',
        'card-write-protected failed',
      ],
      [
        'writeBlock',
        4,
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? failed',
        'encoder-timeout-writing? unknown',
        'card-write-protected failed',
      ],
      [
        'readBlock',
        12,
        'encoder-timeout failed',
        'encoder-timeout failed',
        '200 live',
        'encoder-offline failed',
        'unsupported-operation failed',
      ],
      [
        'halt',
        1,
        'encoder-timeout failed',
        'encoder-timeout failed',
        '200 live',
        'encoder-offline? unknown',
        'unsupported-operation failed',
      ],
    ],
  },
}

let turn = 0
for (const [model, table] of Object.entries(tables) as [keyof typeof encoders, (typeof tables)['twn4']][])
  describe(`${model} at a desk`, () => {
    const onDesk: SimulatedCard[] = []
    let desk: FaultHouse
    before(async () => {
      desk = await faultDesk(encoders[model]({ cards: () => onDesk }))
    })
    after(() => desk.stop())

    eachCell({ ...table, player: () => desk.encoder, how: 'once' }, async (wrong, cell) => {
      const { house } = desk
      const unitName = String(201 + (turn++ % 16))
      const stay = newStay()
      const [first, second] = blankCards(2, null, 'classic')
      onDesk.splice(0, 1, first!)
      await until(
        'the encoder',
        () => house.ask('GET', `/api/v2/access/controllers/${desk.controllerId}/key`),
        ({ status }) => status === 200,
      )
      await wrong()
      const reply = await desk.put(stay, unitName)
      heal(desk)
      const row = await keyOf(desk, stay)
      assert.equal(`${said(reply)} ${row?.status ?? 'none'}`, cell, reply.text)
      const opens = house.present(first!, unitName).startsWith('opened')
      if (reply.status === 200) assert.equal(opens, true)
      if (opens) assert.equal(row?.mayOpen, true, 'a key that is gone opens')
      if (row?.mayOpen && reply.status === 502) assert.equal(reply.body.meta.outcomeUnknown, true)

      // The hand lays another card down, and the same is asked again.
      onDesk.splice(0, 1, second!)
      const again = await until(
        'a card',
        () => desk.put(stay, unitName),
        ({ status }) => status === 200,
      )
      const card = reply.status === 200 ? first! : second!
      assert.match(house.present(card, unitName), /^opened/)
      if (card === second) assert.doesNotMatch(house.present(first!, unitName), /^opened/)
      else assert.doesNotMatch(house.present(second!, unitName), /^opened/)
      assert.equal((await desk.put(stay, unitName)).body.data.id, again.body.data.id)
      const live = `/api/v2/access/keys?filter[externalId]=${stay}&filter[status]=live`
      assert.equal((await house.ask('GET', live)).body.data.length, 1)
    })
  })
