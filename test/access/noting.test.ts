import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { announcingWrites } from '../../src/access/cards/encoder-maker.ts'
import type { CardEncoder } from '../../src/devices/capability.ts'

function encoder(asked: string[]): CardEncoder {
  const says = (name: string) => async () => void asked.push(name)
  return { readBlock: says('readBlock'), writeBlock: says('writeBlock') } as unknown as CardEncoder
}

describe('an encoder whose writes are noted', () => {
  it('is read at once, and written only when the note is kept', async () => {
    const asked: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const noted = announcingWrites(encoder(asked), () => promise)
    const written = noted.writeBlock(1, new Uint8Array(16))
    await noted.readBlock(1)
    assert.deepEqual(asked, ['readBlock'])
    resolve()
    await written
    assert.deepEqual(asked, ['readBlock', 'writeBlock'])
  })

  it('writes nothing when the note cannot be kept', async () => {
    const asked: string[] = []
    const noted = announcingWrites(encoder(asked), () => Promise.reject(new Error('the disk is full')))
    await assert.rejects(noted.writeBlock(1, new Uint8Array(16)), /the disk is full/)
    assert.deepEqual(asked, [])
  })
})
