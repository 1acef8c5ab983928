import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { decode, encode, lines, receiver } from '../../../drivers/twn4/framing.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

/** What `lines` makes of these chunks and the end of the wire. */
async function heard(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const wire = new PassThrough()
  const all = lines(wire).toArray() as Promise<string[]>
  for (const chunk of chunks) {
    wire.write(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk)
    await turn()
  }
  wire.end()
  return all
}

describe('a twn4 line', () => {
  const plain = ['0005', '0001', '050010', '000180200466CF4DC2', '0B00A0A1A2A3A4A50000', '00CB000000', '01']
  for (const text of plain)
    it(`${text} is its bytes in hex`, () => {
      assert.equal(encode(hex(text), false).toString('latin1'), `${text}\r`)
      assert.deepEqual(decode(text, false), hex(text))
      assert.deepEqual(decode(text.toLowerCase(), false), hex(text))
    })

  // Bytes, and the CRC that goes after them on the wire.
  const checked = [
    ['0005', '15A7'],
    ['0001', '31E1'],
    ['050010', '0F10'],
    ['0B00FFFFFFFFFFFF0001', '93E7'],
    ['0B0104', '694F'],
    ['0000', 'B8F0'],
    ['000180200466CF4DC2', 'E960'],
    // The check value of the algorithm, 6F91, for the text 123456789; low byte first.
    [Buffer.from('123456789').toString('hex').toUpperCase(), '916F'],
  ] as const
  for (const [text, crc] of checked)
    it(`${text} has the CRC ${crc}`, () => {
      assert.equal(encode(hex(text), true).toString('latin1'), `${text}${crc}\r`)
      assert.deepEqual(decode(text + crc, true), hex(text))
      assert.equal(decode(text, true), null)
    })

  for (const text of [
    '',
    '0',
    '000',
    '00 1',
    '0G',
    '0x01',
    '\n0001',
    '0001\n',
    '\u00b0001',
    '00'.repeat(260),
  ])
    it(`${JSON.stringify(text.slice(0, 12))} is none`, () => assert.equal(decode(text, false), null))

  it('that is only a CRC is none', () => {
    assert.equal(decode('FFFF', true), null)
    assert.equal(decode('00', true), null)
  })

  it('with any single bit flipped fails its CRC', () => {
    const line = encode(hex('000180200466CF4DC2'), true).subarray(0, -1)
    for (let at = 0; at < line.length * 8; at++) {
      const text = flipped(line, at).toString('latin1')
      // Bit 5 of a letter is its case.
      if (text.toUpperCase() !== line.toString('latin1')) assert.equal(decode(text, true), null, text)
    }
  })
})

describe('a twn4 frame in binary mode', () => {
  // The vendor manual's reference messages.
  const references: [crc: boolean, body: string, frame: string][] = [
    [false, '0005', '02000005'],
    [false, '0001', '02000001'],
    [true, '0005', '0400000515A7'],
    [true, '0001', '0400000131E1'],
  ]
  for (const [crc, body, frame] of references)
    it(`of ${body} is ${frame}`, async () => {
      assert.deepEqual(encode(hex(body), crc, true), hex(frame))
      const [line] = await heardInBinary(hex(frame))
      assert.deepEqual(decode(line!, crc), hex(body))
    })

  const two = hex('0900000180200466CF4DC2' + '02000001')
  for (const cut of two.keys())
    it(`is joined when cut at ${cut}`, async () =>
      assert.deepEqual(await heardInBinary(two.subarray(0, cut), two.subarray(cut)), [
        '000180200466cf4dc2',
        '0001',
      ]))

  it('is joined out of single bytes', async () =>
    assert.deepEqual(
      await heardInBinary(...[...two].map((byte) => hex(byte.toString(16).padStart(2, '0')))),
      ['000180200466cf4dc2', '0001'],
    ))

  for (const noise of ['0000', 'FFFF', '0401AABBCC'])
    it(`is none whose length is that of ${noise}, and all that came with it`, async () => {
      const [bad, good] = await heardInBinary(hex(noise), hex('02000001'))
      assert.equal(decode(bad!, false), null)
      assert.equal(good, '0001')
    })

  it('takes the longest legal one', async () => {
    const longest = Buffer.concat([Buffer.of(0x00, 0xff), Buffer.alloc(255, 'T')])
    assert.deepEqual(decode((await heardInBinary(encode(longest, true, true)))[0]!, true), longest)
  })

  it('that is not whole is forgotten when it is told to', async () => {
    const wire = new PassThrough()
    const { lines: all, forget } = receiver(wire, true)
    const gathered = all.toArray()
    wire.write(hex('04000001'))
    await turn()
    forget()
    wire.end(hex('02000001'))
    assert.deepEqual(await gathered, ['0001'])
  })
})

describe('a twn4 wire', () => {
  const two = Buffer.from('000180200466CF4DC2\r0001\r', 'latin1')
  for (const cut of two.keys())
    it(`joins lines cut at ${cut}`, async () =>
      assert.deepEqual(await heard(two.subarray(0, cut), two.subarray(cut)), ['000180200466CF4DC2', '0001']))

  it('joins single bytes', async () =>
    assert.deepEqual(await heard(...[...two].map((byte) => Uint8Array.of(byte))), [
      '000180200466CF4DC2',
      '0001',
    ]))

  it('leaves out empty lines', async () =>
    assert.deepEqual(await heard('\r\r0001\r\r', '\r0000\r'), ['0001', '0000']))

  it('leaves out a line that was never closed', async () =>
    assert.deepEqual(await heard('0001\r00'), ['0001']))

  it('keeps the top bit of noise, so that it is not taken for a digit', async () => {
    const [line] = await heard(Uint8Array.of(0x30, 0xb0, 0x30, 0x31, 0x0d))
    assert.equal(decode(line!, false), null)
  })

  it('is in step after any single flipped bit', async () => {
    for (let at = 0; at < 19 * 8; at++) {
      const all = await heard(flipped(two, at), '0002\r')
      assert.equal(all.at(-1), '0002')
      assert.equal(all.at(-2), at >= 18 * 8 ? all[0] : '0001', 'only a broken CR takes the next line with it')
    }
  })

  it('holds no more of a line than the longest legal one', async () => {
    const noise = Buffer.alloc(1_000_000, 'A')
    const all = await heard(noise, noise, '\r0001\r')
    assert.equal(all.length, 2)
    assert.ok(all[0]!.length < 600)
    assert.equal(decode(all[0]!, false), null)
    assert.equal(all[1], '0001')
  })

  it('takes the longest legal line', async () => {
    const longest = Buffer.concat([Buffer.of(0x00, 0xff), Buffer.alloc(255, 'T')])
    const [line] = await heard(encode(longest, true))
    assert.deepEqual(decode(line!, true), longest)
  })

  it('ends when the wire breaks', async () => {
    const wire = new PassThrough()
    const all = lines(wire).toArray()
    wire.write('0001\r00')
    await turn()
    wire.destroy(new Error('unplugged'))
    assert.deepEqual(await all, ['0001'])
  })
})

/** What is heard of these chunks in binary mode. */
async function heardInBinary(...chunks: Uint8Array[]): Promise<string[]> {
  const wire = new PassThrough()
  const all = receiver(wire, true).lines.toArray() as Promise<string[]>
  for (const chunk of chunks) {
    wire.write(chunk)
    await turn()
  }
  wire.end()
  return all
}

function flipped(bytes: Uint8Array, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bit >>> 3]! ^= 1 << (bit & 7)
  return copy
}
