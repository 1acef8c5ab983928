import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sectorTrailer, transportConditions, transportKey } from '../../src/devices/mifare-classic.ts'
import { onBehalfOf } from '../../src/devices/on-behalf.ts'
import { readEntries } from '../../src/recorder/entry.ts'
import { run } from '../cli/command-line.ts'
import { type RecordedLobby, recordedLobby } from './recorded-lobby.ts'

const keyA = Uint8Array.from([0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6])
const keyB = Uint8Array.from([0x51, 0x62, 0x73, 0x84, 0x95, 0xa6])
const data = new Uint8Array(16).fill(0x11)

/** What a day brings: a card is written, and then everything goes wrong in turn. */
async function day(house: RecordedLobby): Promise<void> {
  const { lobby, desk } = house
  const dispenser = house.dispenser()
  const encoder = house.encoder()
  const ends = (work: Promise<unknown>) => work.catch(() => {})
  await dispenser.initialise('leave')
  await encoder.identify()
  await onBehalfOf('first-card', async () => {
    await dispenser.move('encoder')
    await encoder.find()
    await encoder.authenticate(1, 'A', transportKey)
    await encoder.writeBlock(4, data)
    await encoder.writeBlock(7, sectorTrailer(keyA, transportConditions, keyB))
    await encoder.authenticate(1, 'A', keyA)
    await encoder.readBlock(7)
    await dispenser.move('front')
  })
  lobby.misbehaviours.push({ at: 'status', does: 'silence' }, { at: 'status', does: 'silence' })
  await ends(dispenser.status())
  lobby.misbehaviours.push({ at: 'move-capture', does: 'late' })
  await ends(dispenser.move('capture'))
  lobby.misbehaviours.push({ at: 'move-encoder', does: 'refuse', code: '10' })
  await ends(dispenser.move('encoder'))
  await ends(dispenser.move('encoder'))
  await encoder.find()
  desk.misbehaviours.push({ at: 'readBlock', does: 'garble' }, { at: 'writeBlock', does: 'silence' })
  await encoder.authenticate(2, 'A', transportKey)
  await ends(encoder.readBlock(8))
  await ends(encoder.writeBlock(8, data))
  await encoder.find()
  const then = () => void Object.assign(lobby, { card: null, at: 'none' })
  desk.misbehaviours.push({ at: 'writeBlock', does: 'pass', then })
  await encoder.authenticate(3, 'A', transportKey)
  await ends(encoder.writeBlock(12, data))
  desk.misbehaviours.push({ at: '*', does: 'close' })
  await ends(encoder.find())
  await ends(encoder.find())
}

describe('a recorded day', () => {
  let house: RecordedLobby
  let text = ''
  const file = (name: string, content: string) => {
    const path = join(house.data, name)
    writeFileSync(path, content)
    return path
  }
  before(async () => {
    house = await recordedLobby()
    await day(house)
    text = await house.text()
  })
  after(async () => {
    await house.recorder.close()
    house.remove()
  })

  it('contains the faults, and the request of each entry', () => {
    const entries = readEntries(text)
    const codes = entries.flatMap((each) =>
      each.kind === 'outcome' && 'fault' in each ? each.fault.code : [],
    )
    assert.deepEqual(
      ['dispenser-jam', 'encoder-timeout-writing', 'card-removed', 'encoder-offline'].filter(
        (code) => !codes.includes(code as never),
      ),
      [],
    )
    const first = entries.filter(({ request }) => request === 'first-card')
    assert.deepEqual(
      new Set(first.map(({ kind }) => kind)),
      new Set(['call', 'out', 'in', 'outcome']),
      'every frame of the request names it',
    )
    assert.deepEqual(
      entries.map(({ n }) => n),
      entries.map(({ n }) => n).toSorted((one, other) => one - other),
    )
  })

  it('contains no card key, and nothing that a card holds', () => {
    const heard = text.toLowerCase()
    for (const key of [keyA, keyB, new Uint8Array(16).fill(0x11)]) {
      const hex = Buffer.from(key).toString('hex')
      // On this wire bytes are digits, which the recording has as bytes again.
      const onTheWire = Buffer.from(hex.toUpperCase()).toString('hex')
      assert.ok(!heard.includes(hex) && !heard.includes(onTheWire))
    }
  })

  it('is replayed with the same decisions', async () => {
    const { code, stdout, stderr } = await run('replay', file('day.jsonl', text))
    assert.equal(code, 0, stdout + stderr)
    const calls = readEntries(text).filter(({ kind }) => kind === 'call').length
    assert.match(stdout, new RegExp(`^${calls} calls replayed, all with the recorded outcome\\.$`, 'm'))
    assert.match(stdout, /first-card writeBlock\(7, 000000000000.* → - \| -/)
    assert.match(stdout, /move\("encoder"\) → dispenser-jam, 10 \| dispenser-jam, 10/)
    assert.match(stdout, /card-removed.*outcome unknown \| card-removed/)
  })

  it('is replayed for one device alone', async () => {
    const { code, stdout } = await run('replay', file('day.jsonl', text), '--device', 'Desk')
    assert.equal(code, 0)
    assert.match(stdout, /^Desk: twn4/)
    assert.ok(!stdout.includes('Lobby'))
    assert.equal((await run('replay', file('day.jsonl', text), '--device', 'Bar')).code, 66)
  })

  it('shows the result of another answer of the device', async () => {
    const entries = readEntries(text)
    const jam = entries.findIndex(
      (each) =>
        each.kind === 'in' && 'hex' in each && /^f2....4e/.test(each.hex.slice(0, 2) + each.hex.slice(4)),
    )
    const refused = entries[jam]
    assert.ok(refused?.kind === 'in' && 'hex' in refused)
    // N 32 32 "10" becomes N 32 32 "A0": the stacker is empty. The check is put right.
    const bytes = Buffer.from(refused.hex, 'hex')
    bytes[7]! ^= 0x31 ^ 0x41
    bytes[bytes.length - 1]! ^= 0x31 ^ 0x41
    entries[jam] = { ...refused, hex: bytes.toString('hex') }
    const { code, stdout } = await run('replay', file('changed.jsonl', lines(entries)))
    assert.equal(code, 1)
    assert.match(stdout, /^! .* move\("encoder"\) → dispenser-jam, 10 \| dispenser-empty, A0$/m)
    assert.match(stdout, / calls replayed, 1 with another outcome\.$/m)
  })

  it('shows a driver that sends other bytes', async () => {
    const entries = readEntries(text)
    const index = entries.findIndex((each) => each.kind === 'out' && each.request === 'first-card')
    const out = entries[index]
    assert.ok(out?.kind === 'out' && 'hex' in out)
    entries[index] = { ...out, hex: `${out.hex.slice(0, -2)}99` }
    const { code, stdout } = await run('replay', file('changed.jsonl', lines(entries)))
    assert.equal(code, 1)
    assert.match(stdout, /the bytes sent to the device differ/)
  })

  it('continues after missing entries', async () => {
    const entries = readEntries(text)
    const ended = (method: string) => {
      const call = entries.find((each) => each.kind === 'call' && each.method === method)!
      return entries.find((each) => each.kind === 'outcome' && each.call === call.n)!
    }
    const from = ended('initialise')
    const without = (first: number, last: number) =>
      entries.filter(({ line, k, kind }) => line !== from.line || k <= first || k > last || kind === 'open')
    // The first card is gone whole; and then one with its call still under way.
    const whole = entries.findLast(
      ({ line, kind, request }) => line === from.line && kind === 'outcome' && request === 'first-card',
    )!
    const gap = await run('replay', file('gap.jsonl', lines(without(from.k, whole.k))))
    assert.equal(gap.code, 0, gap.stdout)
    assert.doesNotMatch(gap.stdout, /first-card move/)
    const cut = await run('replay', file('cut.jsonl', lines(without(from.k + 2, whole.k))))
    assert.equal(cut.code, 0, cut.stdout)
    assert.match(cut.stdout, /calls not replayed: earlier entries that they need are overwritten/)
  })

  it('is refused when it is invalid, except for an incomplete end', async () => {
    assert.equal((await run('replay', file('torn.jsonl', text.slice(0, -9)))).code, 0)
    const broken = text.replace('"kind":"in"', '"kind":"on"')
    const { code, stderr } = await run('replay', file('broken.jsonl', broken))
    assert.equal(code, 65)
    assert.match(stderr, /line \d+ is no entry of a recording/)
    assert.equal((await run('replay', join(house.data, 'nothing.jsonl'))).code, 66)
  })
})

function lines(entries: readonly object[]): string {
  return `${entries.map((each) => JSON.stringify(each)).join('\n')}\n`
}
