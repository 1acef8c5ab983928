import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { desfireCard, ntagCard } from '../../src/simulators/devices/simulated-card.ts'
import {
  acknowledgement,
  application,
  block,
  type CardMethod,
  type EncoderBench,
  fault,
  file,
  found,
  governed,
  guardedNtag,
  inApplication,
  madeDesfire,
  newCardKey,
  newKey,
  ownKey,
  page,
  password,
  ultralight,
  unacknowledged,
  when,
} from './encoder-calls.ts'

type Bench = (test: TestContext, patience?: number) => EncoderBench

/** What an encoder must keep that has methods for NTAG or DESFire. */
export function cardContract(
  name: string,
  commands: Partial<Record<CardMethod | 'find', string>>,
  bench: Bench,
): void {
  if (commands.unlockPages) ntagContract(name, bench)
  if (commands['desfire.select'])
    desfireContract(name, commands as Record<CardMethod | 'find', string>, bench)
}

function ntagContract(name: string, bench: Bench): void {
  const uid = ultralight().uid

  describe(`${name} and NTAG`, () => {
    for (const chip of ['NTAG213', 'NTAG215', 'NTAG216'] as const)
      it(`tells an ${chip} from an Ultralight, and writes its pages`, async (test) => {
        const { encoder, cards } = bench(test)
        cards.push(ntagCard(uid, chip))
        assert.deepEqual(await encoder.find(), { uid, format: 'MifareUltralight', chip })
        await encoder.writePage(39, page)
        assert.deepEqual((await encoder.readPages(39)).subarray(0, 4), page)
        assert.deepEqual(cards[0]!.memory.slice(39 * 4, 40 * 4), page)
      })

    it('writes where the password is asked for only once it was given', async (test) => {
      const made = bench(test)
      await found(made, guardedNtag())
      const { encoder } = made
      await assert.rejects(encoder.writePage(4, page), fault('card-write-protected', false))
      assert.equal(await encoder.unlockPages?.(Uint8Array.of(0, 0, 0, 0), acknowledgement), false)
      assert.equal(await encoder.unlockPages?.(password, Uint8Array.of(0, 0)), false)
      await assert.rejects(encoder.writePage(4, page), fault('card-write-protected', false))
      assert.equal(await encoder.unlockPages?.(password, acknowledgement), true)
      await encoder.writePage(4, page)
      assert.deepEqual((await encoder.readPages(4)).subarray(0, 4), page)
      await encoder.find()
      await assert.rejects(encoder.writePage(5, page), fault('card-write-protected', false))
    })

    it('goes on writing behind a password when an acknowledgement was lost', async (test) => {
      const made = bench(test)
      await found(made, unacknowledged(guardedNtag()))
      assert.equal(await made.encoder.unlockPages?.(password, acknowledgement), true)
      await made.encoder.writePage(4, page)
      await made.encoder.writePage(5, page)
      assert.deepEqual(made.cards[0]!.memory.slice(16, 24), Uint8Array.of(...page, ...page))
    })

    it('has no card when it left before the password', async (test) => {
      const made = bench(test)
      await found(made, guardedNtag())
      made.cards.pop()
      await assert.rejects(
        async () => made.encoder.unlockPages?.(password, acknowledgement),
        fault('no-card', false),
      )
    })

    it('refuses what is no password', async (test) => {
      const made = bench(test)
      await found(made, guardedNtag())
      const short = async () => made.encoder.unlockPages?.(password.subarray(1), acknowledgement)
      await assert.rejects(short, fault('unsupported-operation', false))
    })
  })
}

function desfireContract(name: string, commands: Record<CardMethod | 'find', string>, bench: Bench): void {
  const uid = ultralight().uid

  describe(`${name} and DESFire`, () => {
    it('makes an application, a file and keys, and writes and reads the file', async (test) => {
      const { encoder, cards } = bench(test)
      cards.push(desfireCard(uid))
      assert.deepEqual(await encoder.find(), { uid, format: 'Desfire' })
      const desfire = encoder.desfire!
      assert.deepEqual(await desfire.settings(), { rights: 0x0f, keys: 1, type: '3DES' })
      await desfire.createApplication(application, governed)
      assert.equal(await desfire.select(application), true)
      assert.equal(await desfire.authenticate(0, newKey), true)
      assert.deepEqual(await desfire.settings(), governed)
      await desfire.createFile(1, file)
      assert.deepEqual(await desfire.file(1), file)
      await desfire.changeKey(2, newKey.bytes, ownKey, governed)
      assert.equal(await desfire.authenticate(2, ownKey), true)
      await desfire.write(1, 16, block, 'enciphered')
      assert.equal(await desfire.authenticate(1, newKey), true)
      const held = await desfire.read(1, 0, 48, 'enciphered')
      assert.deepEqual(held, Uint8Array.of(...new Uint8Array(16), ...block, ...new Uint8Array(16)))
      const session = { application, key: 1 }
      assert.deepEqual(cards[0]!.desfire!.read(session, 1, 16, 16, 'enciphered'), block)
    })

    it('says which application, key and file there is not, and stays where it was', async (test) => {
      const made = bench(test)
      const desfire = await inApplication(made, 0)
      assert.equal(await desfire.file(7), null)
      assert.equal(await desfire.settings(), null, 'whoever was refused is no longer authenticated')
      assert.equal(await desfire.authenticate(0, ownKey), false)
      assert.equal(await desfire.authenticate(0, newKey), true, 'in the same application')
      assert.deepEqual(await desfire.file(1), file)
      assert.equal(await desfire.select(0x77), false)
      assert.equal(await desfire.authenticate(0, newKey), true)
      assert.equal(await desfire.select(0), true)
      assert.equal(await desfire.authenticate(0, newKey), false, 'the card itself has another sort of key')
      assert.equal(await desfire.authenticate(0, newCardKey), true)
      await desfire.format()
      assert.equal(await desfire.select(application), false)
    })

    it('ends the authentication with a key that is changed', async (test) => {
      const made = bench(test)
      const desfire = await inApplication(made, 0)
      await desfire.changeKey(0, newKey.bytes, ownKey, governed)
      assert.equal(await desfire.settings(), null)
      assert.equal(await desfire.authenticate(0, newKey), false)
      assert.equal(await desfire.authenticate(0, ownKey), true)
    })

    it('reads and writes nothing for a key that may not', async (test) => {
      const made = bench(test)
      const desfire = await inApplication(made, 2)
      await assert.rejects(desfire.read(1, 0, 48, 'enciphered'), fault('card-incompatible', false))
      assert.ok(await desfire.authenticate(1, newKey))
      const before = made.cards[0]!.memory.slice()
      // The card holds zeros there and not the block: it was asked, with the same key.
      await assert.rejects(desfire.write(1, 16, block, 'enciphered'), fault('card-write-protected', false))
      assert.deepEqual(made.cards[0]!.memory, before)
    })

    it('does not know of a write that it cannot read back', async (test) => {
      const made = bench(test)
      const desfire = await inApplication(made, 2, unacknowledged(madeDesfire()))
      await assert.rejects(desfire.write(1, 16, block, 'enciphered'), fault('card-verify-failed', true))
      assert.deepEqual(made.cards[0]!.desfire!.read({ application, key: 1 }, 1, 16, 16, 'enciphered'), block)
      assert.ok(await desfire.authenticate(1, newKey), 'in the same application')
    })

    it('does not know of what it was to make', async (test) => {
      const made = bench(test)
      const desfire = await inApplication(made, 0, unacknowledged(madeDesfire()))
      await assert.rejects(desfire.createFile(2, file), fault('card-verify-failed', true))
      assert.ok(await desfire.authenticate(0, newKey), 'in the same application')
      assert.deepEqual(await desfire.file(2), file)
    })

    it('knows that a card left between two writes, or another was put there', async (test) => {
      for (const then of ['nothing', 'another'] as const) {
        const made = bench(test)
        const desfire = await inApplication(made, 2)
        await desfire.write(1, 0, block, 'enciphered')
        const other = desfireCard(Uint8Array.of(0x04, 1, 2, 3, 4, 5, 6))
        const before = other.memory.slice()
        const swap = () => void made.cards.splice(0, 1, ...(then === 'another' ? [other] : []))
        made.misbehaviours.push(when(commands['desfire.write'], swap))
        await assert.rejects(desfire.write(1, 16, block, 'enciphered'), fault('card-removed', true))
        await assert.rejects(desfire.select(0), fault('card-removed', true), 'until it is found anew')
        assert.deepEqual(other.memory, before)
      }
    })

    it('has no card when it left before anything was written', async (test) => {
      const made = bench(test)
      const desfire = await inApplication(made, 0)
      made.cards.pop()
      await assert.rejects(desfire.settings(), fault('no-card', false))
    })

    it('does not refuse the key of a card that was lifted and put back', async (test) => {
      const made = bench(test)
      const desfire = await inApplication(made, 0)
      const card = made.cards.pop()!
      made.misbehaviours.push(when(commands.find, () => void made.cards.push(card)))
      assert.equal(await desfire.authenticate(0, newKey), true)
      assert.deepEqual(await desfire.settings(), governed)
    })

    it('refuses what no card has, and asks the encoder nothing', async (test) => {
      const made = bench(test)
      const desfire = await inApplication(made, 0)
      const before = made.cards[0]!.memory.slice()
      const asked = [
        () => desfire.select(0x100_0000),
        () => desfire.authenticate(14, newKey),
        () => desfire.authenticate(0, { type: 'AES', bytes: new Uint8Array(15) }),
        () => desfire.file(32),
        () => desfire.read(1, 0, 0, 'enciphered'),
        () => desfire.write(1, 0, new Uint8Array(), 'enciphered'),
        () => desfire.createApplication(0, governed),
        () => desfire.createFile(2, { ...file, rights: [1, 2, 16, 0] }),
        () => desfire.changeKey(1, newKey.bytes.subarray(1), ownKey, governed),
      ]
      for (const ask of asked) await assert.rejects(ask, fault('unsupported-operation', false), String(ask))
      assert.deepEqual(made.cards[0]!.memory, before)
      assert.deepEqual(await desfire.settings(), governed, 'still authenticated')
    })
  })
}
