import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { letterFile, letterText } from '../../src/console/pages/desk/papers/letter.ts'
import fc, { seed } from '../seed.ts'

/** Reads a message as a mail program does: headers with encoded words, and the body. */
function opened(text: string) {
  const [head = '', ...bodies] = text.split('\r\n\r\n')
  const lines = text.split('\r\n')
  assert.ok(
    lines.every((line) => line.length <= 78 || line.startsWith('To: ')),
    'no line is too long',
  )
  const headers = Object.fromEntries(
    head
      .replaceAll('\r\n ', ' ')
      .split('\r\n')
      .map((line) => line.split(/: (.*)/s).slice(0, 2)),
  )
  const words = (headers.Subject as string).split(' ').map((word) => {
    assert.ok(word.length <= 75)
    const bytes = Buffer.from(/^=\?utf-8\?B\?(.*)\?=$/.exec(word)![1]!, 'base64')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  })
  return {
    headers,
    subject: words.join(''),
    html: Buffer.from(bodies.join(''), 'base64').toString(),
  }
}

describe('A letter with a receipt', () => {
  it('is read as it was written, with any subject and text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 })
    fc.assert(
      fc.property(text, text, (subject, html) => {
        assert.partialDeepStrictEqual(opened(letterText({ to: 'a@example.com', subject }, html)), {
          headers: { To: 'a@example.com', 'X-Unsent': '1', 'Content-Type': 'text/html; charset=utf-8' },
          subject,
          html,
        })
      }),
      { seed },
    )
  })

  it('has no address where none is known, and none that begins another header', () => {
    assert.equal(opened(letterText({ to: null, subject: 'Receipt' }, '')).headers.To, undefined)
    for (const end of ['\r\n', '\n', '\r', '\u0085', '\u2028']) {
      const { headers } = opened(letterText({ to: `a@b.example${end}Bcc: c@d.example`, subject: 'R' }, ''))
      assert.deepEqual(Object.keys(headers).slice(0, 2), ['To', 'Subject'])
      assert.equal(headers.Bcc, undefined)
    }
  })

  it('has a file name that every file system takes', () => {
    for (const [number, file] of [
      ['NP-1001', 'receipt-NP-1001.eml'],
      ['Ä/7', 'receipt-A-7.eml'],
      ['Straße 5\\..', 'receipt-Strasse-5.eml'],
      ['..', 'receipt.eml'],
      ['予約', 'receipt.eml'],
    ] as const)
      assert.equal(letterFile(number), file)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (number) =>
        assert.match(letterFile(number), /^receipt(-\w[\w.-]*)?\.eml$/),
      ),
      { seed },
    )
  })
})
