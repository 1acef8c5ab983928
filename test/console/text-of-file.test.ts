import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { textOf } from '../../src/console/pages/setup/steps/rooms.ts'

const list = 'Süd 1;DBL'
const bytesOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer
const latin1 = (text: string) => bytesOf(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))
const utf16 = (isLittle: boolean) => {
  const view = new DataView(new ArrayBuffer(2 * (list.length + 1)))
  for (const [at, letter] of [...`\ufeff${list}`].entries())
    view.setUint16(2 * at, letter.charCodeAt(0), isLittle)
  return view.buffer
}

describe('The text of a file keeps its umlauts', () => {
  for (const [name, bytes] of [
    ['UTF-8', bytesOf(new TextEncoder().encode(list))],
    ['UTF-8 with a mark', bytesOf(new TextEncoder().encode(`\ufeff${list}`))],
    ['Windows-1252, as a spreadsheet saves it', latin1(list)],
    ['UTF-16, little end first', utf16(true)],
    ['UTF-16, big end first', utf16(false)],
  ] as const)
    it(name, () => assert.equal(textOf(bytes), list))

  it('and of another file than a text, only the start is sent', () => {
    const text = textOf(latin1(`PK\x03\x04${'\0'.repeat(100_000)}`))
    assert.equal(text.length, 4_096)
    assert.ok(text.startsWith('PK\x03\x04'))
  })

  it('of an empty file', () => assert.equal(textOf(new ArrayBuffer(0)), ''))
})
