import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DesfireFile, DesfireSettings } from '../../../src/devices/capability.ts'
import {
  cardFromImage,
  cardImage,
  desfireCard,
  ultralightCard,
} from '../../../src/simulators/devices/simulated-card.ts'

const uid = Uint8Array.fromHex('04E141124C2880')
const zeros = new Uint8Array(16)
const own = zeros.map((_, index) => index + 1)
const aes = (bytes: Uint8Array) => ({ type: 'AES', bytes }) as const
const aid = 0xf48120
const free: DesfireSettings = { rights: 0x0f, keys: 3, type: 'AES' }
const strict: DesfireSettings = { rights: 0x09, keys: 3, type: 'AES' }
const file: DesfireFile = { mode: 'enciphered', rights: [1, 2, 0xf, 0], size: 48 }
const data = Uint8Array.of(1, 2, 3, 4)

const onCard = (key: number | null = null) => ({ application: 0, key })
const at = (key: number | null) => ({ application: aid, key })
const chipOf = (card = desfireCard(uid)) => card.desfire!

/** A chip with our application, and a file of these rights in it. */
function made(settings = strict, rights = file.rights, mode = file.mode) {
  const chip = chipOf()
  assert.ok(chip.createApplication(onCard(), aid, settings))
  assert.ok(chip.createFile(at(0), 1, { ...file, rights, mode }))
  return chip
}

describe('a new DESFire', () => {
  it('is open: its master key is 3DES and zeros, and all may list and create', () => {
    const chip = chipOf()
    assert.deepEqual(chip.settings(onCard()), { rights: 0x0f, keys: 1, type: '3DES' })
    assert.ok(chip.authenticate(0, 0, { type: '3DES', bytes: zeros }))
    assert.equal(chip.authenticate(0, 0, aes(zeros)), false)
    assert.equal(chip.authenticate(0, 1, { type: '3DES', bytes: zeros }), false)
    assert.ok(chip.has(0))
    assert.equal(chip.has(aid), false)
  })
  it('is what no other card is', () => {
    assert.equal(ultralightCard(uid).desfire, null)
    assert.equal(desfireCard(uid).readPages(4), null)
    assert.equal(desfireCard(uid).login(1, 'A', zeros.subarray(0, 6)), false)
    assert.throws(() => desfireCard(uid.subarray(0, 4)), RangeError)
  })
})

describe('an application', () => {
  it('has new keys of its own, and cannot be made twice', () => {
    const chip = made()
    assert.ok(chip.has(aid))
    for (const number of [0, 1, 2]) assert.ok(chip.authenticate(aid, number, aes(zeros)))
    assert.equal(chip.authenticate(aid, 3, aes(zeros)), false)
    assert.equal(chip.createApplication(onCard(0), aid, strict), false)
    assert.equal(chip.createApplication(at(0), 0x11, strict), false, 'within another')
  })
  it('is made where all may, or by the master of the card', () => {
    const card = desfireCard(uid)
    card.memory[16 + 4] = 0x09
    assert.equal(chipOf(card).createApplication(onCard(), aid, strict), false)
    assert.ok(chipOf(card).createApplication(onCard(0), aid, strict))
  })
  it('shows itself to its master, or to all', () => {
    for (const key of [null, 1] as const) {
      assert.equal(made().settings(at(key)), null)
      assert.equal(made().file(at(key), 1), null)
      assert.equal(made().createFile(at(key), 2, file), false)
      assert.deepEqual(made(free).settings(at(key)), free)
      assert.deepEqual(made(free).file(at(key), 1), file)
    }
    assert.deepEqual(made().file(at(0), 1), file)
    assert.equal(made().file(at(0), 2), null)
  })
  it('has no room for an eighth, nor for more than its bytes', () => {
    const chip = chipOf()
    for (let number = 1; number <= 7; number++) assert.ok(chip.createApplication(onCard(), number, strict))
    assert.equal(chip.createApplication(onCard(), 8, strict), false)
    const into = { application: 3, key: 0 }
    assert.ok(chip.createFile(into, 0, { ...file, size: 100 }))
    assert.equal(chip.createFile(into, 1, { ...file, size: 29 }), false)
    assert.ok(chip.createFile(into, 1, { ...file, size: 28 }))
    assert.equal(chip.createFile(into, 1, { ...file, size: 0 }), false, 'the same again')
  })
  it('is gone once the master of the card has formatted it', () => {
    const chip = made()
    assert.equal(chip.format(onCard()), false)
    assert.equal(chip.format(at(0)), false)
    assert.ok(chip.format(onCard(0)))
    assert.equal(chip.has(aid), false)
  })
})

describe('a file', () => {
  it('is read and written by the keys that may, as it wants to travel, and nowhere else', () => {
    const chip = made()
    assert.ok(chip.write(at(2), 1, 44, data, 'enciphered'))
    assert.deepEqual(chip.read(at(1), 1, 44, 4, 'enciphered'), data)
    for (const key of [null, 0, 1]) assert.equal(chip.write(at(key), 1, 0, data, 'enciphered'), false)
    for (const key of [null, 0, 2]) assert.equal(chip.read(at(key), 1, 0, 4, 'enciphered'), null)
    for (const mode of ['plain', 'maced'] as const) {
      assert.equal(chip.write(at(2), 1, 0, data, mode), false)
      assert.equal(chip.read(at(1), 1, 0, 4, mode), null)
    }
    assert.equal(chip.write(at(2), 1, 45, data, 'enciphered'), false)
    assert.equal(chip.read(at(1), 1, 45, 4, 'enciphered'), null)
    assert.equal(chip.read(at(1), 2, 0, 4, 'enciphered'), null)
  })
  it('may have a key that does both', () => {
    const chip = made(strict, [0xf, 0xf, 1, 0])
    assert.ok(chip.write(at(1), 1, 0, data, 'enciphered'))
    assert.deepEqual(chip.read(at(1), 1, 0, 4, 'enciphered'), data)
  })
  it('is open to all in plain, whatever it wants of those with a key', () => {
    const chip = made(strict, [0xe, 0xe, 0xf, 0])
    assert.ok(chip.write(at(null), 1, 0, data, 'plain'))
    assert.deepEqual(chip.read(at(null), 1, 0, 4, 'plain'), data)
    assert.equal(chip.read(at(null), 1, 0, 4, 'enciphered'), null)
  })
})

describe('a key', () => {
  it('is changed by the master, who must know the old one', () => {
    const chip = made()
    assert.equal(chip.changeKey(at(1), 1, zeros, aes(own)), false)
    assert.equal(chip.changeKey(at(0), 1, own, aes(own)), false)
    assert.ok(chip.changeKey(at(0), 1, zeros, aes(own)))
    assert.ok(chip.authenticate(aid, 1, aes(own)))
    assert.equal(chip.authenticate(aid, 1, aes(zeros)), false)
    assert.equal(chip.changeKey(at(0), 2, zeros, { type: '3DES', bytes: own }), false)
    assert.equal(chip.changeKey(at(0), 3, zeros, aes(own)), false)
  })
  it('is the master itself, as long as it may change', () => {
    const chip = made()
    assert.ok(chip.changeKey(at(0), 0, zeros, aes(own)))
    assert.ok(chip.authenticate(aid, 0, aes(own)))
    assert.equal(made({ ...strict, rights: 0x08 }).changeKey(at(0), 0, zeros, aes(own)), false)
  })
  it('is changed by itself, or by none, where the application says so', () => {
    const each = made({ ...strict, rights: 0xe9 })
    assert.equal(each.changeKey(at(0), 1, zeros, aes(own)), false)
    assert.ok(each.changeKey(at(1), 1, zeros, aes(own)))
    assert.equal(made({ ...strict, rights: 0xf9 }).changeKey(at(0), 1, zeros, aes(own)), false)
  })
  it('of the card may become one of AES', () => {
    const chip = chipOf()
    assert.ok(chip.changeKey(onCard(0), 0, zeros, aes(own)))
    assert.ok(chip.authenticate(0, 0, aes(own)))
    assert.equal(chip.authenticate(0, 0, { type: '3DES', bytes: zeros }), false)
  })
})

it('a DESFire in a file keeps its applications, keys and files', () => {
  const card = desfireCard(uid)
  const chip = chipOf(card)
  assert.ok(chip.createApplication(onCard(), aid, strict))
  assert.ok(chip.createFile(at(0), 1, file))
  assert.ok(chip.changeKey(at(0), 2, zeros, aes(own)))
  assert.ok(chip.write(at(2), 1, 0, data, 'enciphered'))
  const again = chipOf(cardFromImage(JSON.parse(JSON.stringify(cardImage(card)))))
  assert.ok(again.authenticate(aid, 2, aes(own)))
  assert.deepEqual(again.read(at(1), 1, 0, 4, 'enciphered'), data)
  assert.deepEqual(again.file(at(0), 1), file)
})
