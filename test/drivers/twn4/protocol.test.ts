import assert from 'node:assert/strict'
import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { commands, type Twn4CommandName } from '../../../drivers/twn4/protocol.ts'
import { reader, type SimulatedTwn4, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import {
  classicCard,
  desfireCard,
  ntagCard,
  type SimulatedCard,
  ultralightCard,
} from '../../../src/simulators/devices/simulated-card.ts'
import { testClock } from '../../test-clock.ts'

const clock = testClock()
const hex = (text: string) => Buffer.from(text, 'hex')

describe('a twn4 answer', () => {
  // The vendor manual's own samples, without ERR.
  const samples: [Twn4CommandName, string, unknown][] = [
    ['usbType', '01', hex('01')],
    ['lastError', 'CB000000', hex('CB000000')],
    ['beep', '', hex('')],
    ['searchTag', '0180200466CF4DC2', { type: 0x80, uid: Uint8Array.from(hex('66CF4DC2')) }],
    ['searchTag', '0180380704E141124C2880', { type: 0x80, uid: Uint8Array.from(hex('04E141124C2880')) }],
    ['searchTag', '00', false],
    ['login', '01', hex('')],
    ['login', '00', false],
    ['readPages', '0100010203147870672E636F6D3A636172', hex('00010203147870672E636F6D3A636172')],
    ['sak', '0120', hex('20')],
    ['atqa', '010403', hex('0403')],
    ['version', '0454574E34', 'TWN4'],
    ['pageVersion', '010004040502011503', hex('0004040502011503')],
    ['unlockNtag', '01', hex('')],
    ['unlockEv1', '01', hex('')],
    ['readNtag', '0103B691028C537091016855016E78702E', hex('03B691028C537091016855016E78702E')],
    ['writeNtag', '01', hex('')],
    ['selectApplication', '01', hex('')],
    ['keySettings', '010F0100000000000000', hex('0F0100000000000000')],
    [
      'fileSettings',
      '010000EEEE20000000000000000000000036322F50',
      hex('0000EEEE20000000000000000000000036322F50'),
    ],
    ['readFile', '0103001122', hex('001122')],
    ['readFile', '00', false],
    ['writeFile', '00', false],
  ]
  for (const [name, result, value] of samples)
    it(`of ${name} reads ${result}`, () => assert.deepEqual(commands[name].read(hex(result)), value))

  const strange: [Twn4CommandName, string][] = [
    ['login', ''],
    ['login', '02'],
    ['login', '0101'],
    ['login', '0000'],
    ['readBlock', '01'],
    ['readBlock', `01${'00'.repeat(15)}`],
    ['readBlock', `00${'00'.repeat(16)}`],
    ['searchTag', '01'],
    ['searchTag', '0180200466CF4D'],
    ['searchTag', '0180280466CF4DC2'],
    ['searchTag', '01802000'],
    ['version', ''],
    ['version', '0554574E34'],
    ['beep', '00'],
    ['pageVersion', '0100'],
    ['keySettings', '010F01000000000000'],
    ['readFile', '01'],
    ['readFile', '01030011'],
    ['readFile', '0000'],
  ]
  for (const [name, result] of strange)
    it(`of ${name} is never ${JSON.stringify(result)}`, () =>
      assert.equal(commands[name].read(hex(result)), undefined))
})

describe('a simulated twn4', () => {
  const classic = () => classicCard(hex('66CF4DC2'))
  const ultralight = () => ultralightCard(hex('04E141124C2880'))
  const factory = '0B00FFFFFFFFFFFF0001'
  const blank = '00'.repeat(16)

  type Dialogue = [request: string, answer: string][]
  const dialogues: [name: string, card: SimulatedCard | null, dialogue: Dialogue][] = [
    [
      'says what it is',
      null,
      [
        ['0005', '0001'],
        ['0004FF', '001D54574E342F42312E30332F434346312E35372F505253312E30332F5049'],
        ['000404', '000454574E34'],
        ['0008', '000102030405060708090A0B0C'],
      ],
    ],
    [
      'takes both cases',
      classic(),
      [
        ['0b00ffffffffffff0001', '0000'],
        ['050010', '000180200466CF4DC2'],
        ['0b00ffffffffffff0001', '0001'],
      ],
    ],
    [
      'knows its functions and their parameters',
      null,
      [
        ['FF05', '01'],
        ['0555', '01'],
        ['05', '01'],
        ['0B00FFFF', '02'],
        ['0500', '02'],
        ['000500', '03'],
        ['05001000', '03'],
        ['0G05', '05'],
        ['005', '05'],
      ],
    ],
    [
      'finds no card',
      null,
      [
        ['050010', '0000'],
        ['1205', '0000'],
        ['0B0104', '0000'],
        ['0C0004', '0000'],
      ],
    ],
    [
      'tells a MIFARE Classic',
      classic(),
      [
        ['050010', '000180200466CF4DC2'],
        ['1205', '000108'],
        ['1204', '00010400'],
      ],
    ],
    [
      'tells an Ultralight',
      ultralight(),
      [
        ['050010', '00018038' + '0704E141124C2880'],
        ['1205', '000100'],
        ['1204', '00014400'],
      ],
    ],
    [
      'does nothing on a card that was not searched for',
      ultralight(),
      [
        ['1205', '0000'],
        ['0C0004', '0000'],
        ['0C010400010203', '0000'],
        ['000A', '00CB000000'],
      ],
    ],
    [
      'reads and writes a sector that is logged in',
      classic(),
      [
        ['050010', '000180200466CF4DC2'],
        [factory, '0001'],
        ['0B0104', `0001${blank}`],
        ['0B0204000102030405060708090A0B0C0D0E0F', '0001'],
        ['0B0104', '0001000102030405060708090A0B0C0D0E0F'],
        ['0B0107', '0001000000000000FF078069FFFFFFFFFFFF'],
      ],
    ],
    [
      'lets the next login end the last',
      classic(),
      [
        ['050010', '000180200466CF4DC2'],
        [factory, '0001'],
        ['0B00FFFFFFFFFFFF0002', '0001'],
        ['0B0104', '0000'],
      ],
    ],
    [
      'drops the card that refused a key',
      classic(),
      [
        ['050010', '000180200466CF4DC2'],
        ['0B00A0A1A2A3A4A50001', '0000'],
        [factory, '0000'],
        ['050010', '000180200466CF4DC2'],
        [factory, '0001'],
      ],
    ],
    [
      'reads and writes pages',
      ultralight(),
      [
        ['050010', '00018038' + '0704E141124C2880'],
        ['0C010400010203', '0001'],
        ['0C0004', `000100010203${'00'.repeat(12)}`],
        ['0C010000010203', '0000'],
        ['0C0004', '0000'],
      ],
    ],
    [
      'says the version of an NTAG, and reads and writes its pages',
      ntagCard(hex('04E141124C2880')),
      [
        ['050010', '00018038' + '0704E141124C2880'],
        ['2005', '00010004040201000F03'],
        ['200004', `00010103A00C340300FE${'00'.repeat(8)}`],
        ['20010400010203', '0001'],
        ['200004', `000100010203340300FE${'00'.repeat(8)}`],
        ['2006FFFFFFFF0000', '0001'],
        ['2006FFFFFFFF0001', '0000'],
        ['200004', '0000'],
      ],
    ],
    [
      'has no version of an Ultralight',
      ultralight(),
      [
        ['050010', '00018038' + '0704E141124C2880'],
        ['2005', '0000'],
        ['0C0004', '0000'],
      ],
    ],
    [
      'works on a DESFire',
      desfireCard(hex('04E141124C2880')),
      [
        ['050010', '00018038' + '0704E141124C2880'],
        ['1205', '000120'],
        ['1204', '00014403'],
        ['0F0500', '00010F0100000000000000'],
        [`0F04000010${blank}0000`, '0001'],
        ['0F0100907856000F0100000002000000', '0001'],
        ['0F030090785600', '0001'],
        [`0F04000010${blank}0201`, '0001'],
        ['0F1000050000EEEE0F000000000000000000000000000000', '0001'],
        ['0F070005', '00010000EEEE0F000000000000000000000000000000'],
        ['0F09000500000300112200', '0001'],
        ['0F08000500000300', '000103001122'],
        ['0F08000600000300', '0000'],
        ['0F0500', '0000'],
      ],
    ],
    [
      'knows how long what has a length is',
      desfireCard(hex('04E141124C2880')),
      [
        ['050010', '00018038' + '0704E141124C2880'],
        ['0F090000000003001122', '02'],
        ['0F0900000000030011220000', '03'],
        [`0F04000010${blank}00`, '02'],
      ],
    ],
    [
      'sees what it is told to look for',
      classic(),
      [
        ['05020000000000000000', '00'],
        ['050010', '0000'],
        ['05020000000001000000', '00'],
        ['050010', '000180200466CF4DC2'],
      ],
    ],
    [
      'drops its card with the field',
      classic(),
      [
        ['050010', '000180200466CF4DC2'],
        ['0501', '00'],
        ['1205', '0000'],
      ],
    ],
  ]
  for (const [name, card, dialogue] of dialogues)
    it(name, async (test) => {
      const ask = converse(test, { cards: card ? [card] : [] })
      for (const [request, answer] of dialogue) assert.equal(await ask(request), answer, request)
    })

  it('drops a card that leaves the field, for another too', async (test) => {
    const cards = [classic()]
    const ask = converse(test, { cards })
    await ask('050010')
    assert.equal(await ask(factory), '0001')
    cards[0] = classicCard(hex('0FCF4DC2'))
    assert.equal(await ask('0B0104'), '0000')
    assert.equal(await ask('050010'), '00018020040FCF4DC2')
    assert.equal(await ask('0B0104'), '0000', 'nobody has logged in to this one')
  })

  it('finds the first of several cards', async (test) => {
    const ask = converse(test, { cards: [ultralight(), classic()] })
    assert.equal(await ask('050010'), '000180380704E141124C2880')
  })

  it('shows lights and beeps', async (test) => {
    const played = reader({ clock, antenna: { cards: () => [] } })
    const ask = converse(test, { played })
    for (const request of ['0400070000', '040205', '040304', '0407646009F401F401'])
      assert.equal(await ask(request), '00')
    assert.deepEqual([played.lights, played.beeps], [0x01, 1])
  })

  it('refuses a line whose CRC is wrong', async (test) => {
    const ask = converse(test, { played: reader({ clock, antenna: { cards: () => [] }, crc: true }) })
    assert.equal(await ask('000515A7'), '000131E1')
    assert.match(await ask('000515A8'), /^05....$/)
    assert.match(await ask('0005'), /^05....$/)
  })

  it('answers with the error it is told to', async (test) => {
    const played = reader({ clock, antenna: { cards: () => [] } })
    played.misbehaviours.push({ at: 'usbType', skip: 1, does: 'refuse', code: '05' })
    const ask = converse(test, { played })
    assert.deepEqual([await ask('0005'), await ask('0005'), await ask('0005')], ['0001', '05', '0001'])
  })

  it('is over when the wire is', async () => {
    const [box, machine] = duplexPair()
    const over = simulateTwn4(machine, reader({ clock, antenna: { cards: () => [] } }))
    box.destroy()
    await over
  })

  /** Asks lines and resolves with their answers, both without CR. */
  function converse(test: TestContext, given: { cards?: SimulatedCard[]; played?: SimulatedTwn4 }) {
    const [box, machine] = duplexPair()
    test.after(() => box.destroy())
    const played = given.played ?? reader({ clock, antenna: { cards: () => given.cards ?? [] } })
    void simulateTwn4(machine, played)
    box.setEncoding('latin1')
    return async (request: string): Promise<string> => {
      box.write(`${request}\r`)
      const [answer] = (await once(box, 'data')) as [string]
      return answer.slice(0, -1)
    }
  }
})
