import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { refuseCardNumbers } from '../../../src/reservation/payments/payment-card-number.ts'
import type { ReceiptObject } from '../../../src/reservation/values/payment-receipt.ts'
import { Problem } from '../../../src/resource/problem.ts'

/** A published test number, and the same masked. */
const pan = '4111 1111 1111 1111'
const digits = '4111111111111111'
const masked = '************1111'

const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64')
const encoded = (format: ReceiptObject['format'], bytes: string | Buffer): ReceiptObject => ({
  format,
  encoding: 'base64',
  content: base64(bytes),
})
const plain = (format: ReceiptObject['format'], content: string): ReceiptObject => ({
  format,
  encoding: 'utf-8',
  content,
})

/** The smallest of PDFs that shows these operators, packed as printers pack them. */
function pdf(operators: string, info = ''): Buffer {
  const stream = deflateSync(operators)
  return Buffer.concat([
    Buffer.from(`%PDF-1.4\n1 0 obj <</Length ${stream.length}/Filter/FlateDecode>>\nstream\n`),
    stream,
    Buffer.from(`\nendstream endobj\n2 0 obj <<${info}>> endobj\ntrailer <</Root 1 0 R>>`),
  ])
}

const escPos = `\u001b@\u001b!0VISA\n\u001bE\u00014111\u001bE\u0000 1111 1111 1111\n\u001dV\u0001`
const utf16 = Buffer.from(`Card ${pan}`, 'utf16le')
const toArabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))

const refused: [form: string, receipt: string | ReceiptObject, at?: string][] = [
  ['a text', `VISA\n${pan}\nThank you`],
  ['a text in base64', base64(`VISA ${pan}`)],
  ['a data URL', `data:text/plain;base64,${base64(pan)}`],
  ['a text object', plain('Text', pan), '/content'],
  ['an encoded text', encoded('Text', pan), '/content'],
  ['an encoded text of UTF-16', encoded('Text', utf16), '/content'],
  ['an encoded text of Latin-1', encoded('Text', Buffer.from(`Gebühr ${pan}`, 'latin1')), '/content'],
  ['HTML with tags between the digits', plain('Html', '<b>4111</b><i class="x">1111</i><br/>1111 1111')],
  ['HTML digit by digit', plain('Html', [...digits].map((digit) => `<td>${digit}</td>`).join('\n'))],
  ['HTML entities', plain('Html', '&#52;111&nbsp;1111&#x20;1111&#160;1111')],
  ['HTML in a plain string', '<p>4111 <b>1111</b> 1111 1111</p>'],
  ['HTML in an attribute', plain('Html', `<img alt="${digits}">`)],
  ['encoded HTML', encoded('Html', `<td>4111</td><td>1111</td><td>11111111</td>`)],
  ['ESC/POS with commands between the digits', encoded('EscPos', escPos)],
  ['ESC/POS as it is', plain('EscPos', escPos)],
  ['a PDF, packed', encoded('Pdf', pdf(`BT (${pan}) Tj ET`)), '/content'],
  ['a PDF with kerning', encoded('Pdf', pdf('BT [(4111)-250(1111)30(1111)(1111)] TJ ET'))],
  ['a PDF in hexadecimal', encoded('Pdf', pdf(`BT <${Buffer.from(digits).toString('hex')}> Tj ET`))],
  ['a PDF with escapes', encoded('Pdf', pdf('BT (\\064111 1111\\0401111 1111) Tj ET'))],
  ['what a PDF says of itself', encoded('Pdf', pdf('', `/Title (${digits})`))],
  ['wide digits', '４１１１１１１１１１１１１１１１'],
  ['Arabic digits', toArabic(pan)],
  ['thin spaces and dashes', '4111\u20091111\u20131111\u20121111'],
  ['an invisible character', `4111\u200b${digits.slice(4)}`],
  ['tabs', pan.replaceAll(' ', '\t')],
  ['the number of a receipt', { ...plain('Text', 'x'), number: digits }, '/number'],
  ['the name of a terminal', { ...plain('Text', 'x'), terminalId: digits }, '/terminalId'],
]

const operators = 'q 0.24 0 0 0.24 72 720 cm 1 0 0 1 4111 1111 1111 1111 re'

const spared: [form: string, receipt: string | ReceiptObject][] = [
  ['a masked text', `VISA ${masked} 21.11.2026 18:43 EUR 109.00`],
  [
    'a masked PDF',
    encoded('Pdf', pdf(`${operators} BT (${masked}) Tj ET`, '/CreationDate (D:20261121184310Z)')),
  ],
  ['HTML', plain('Html', `<table><tr><td>2 x</td><td>14.50</td></tr></table>${masked}`)],
  ['ESC/POS', encoded('EscPos', `\u001b@${masked}\n\u001dV\u0001`)],
  ['what only looks like base64', 'ABCDEFGHIJKLMNOP'],
  ['what only looks like a PDF', encoded('Pdf', '%PDF-1.4 stream\nxxxx endstream')],
  ['bytes of no text', encoded('Pdf', Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
]

const found = (work: () => void): Problem => {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error
  }
  assert.fail('nothing was found')
}

describe('A whole card number is refused in', () => {
  for (const [form, receipt, at] of refused) {
    it(form, () => {
      for (const name of ['customerReceipt', 'merchantReceipt']) {
        const { code, options, message } = found(() => refuseCardNumbers({ [name]: receipt }))
        assert.equal(code, 'receipt-contains-pan')
        assert.ok(options.pointer?.startsWith(`/${name}`))
        if (at) assert.equal(options.pointer, `/${name}${at}`)
        assert.doesNotMatch(message + JSON.stringify(options), /\d{4}/)
      }
    })
  }

  for (const name of ['brandText', 'terminalTransactionId']) {
    it(name, () => {
      const { code, options } = found(() => refuseCardNumbers({ [name]: `x ${pan}` }))
      assert.deepEqual([code, options.pointer], ['receipt-contains-pan', `/${name}`])
    })
  }

  it('every place at once', () => {
    const problem = found(() => refuseCardNumbers({ brandText: pan, customerReceipt: pan }))
    assert.deepEqual(
      [problem, ...problem.others].map(({ options }) => options.pointer),
      ['/brandText', '/customerReceipt'],
    )
  })
})

describe('No card number is seen in', () => {
  for (const [form, receipt] of spared) {
    it(form, () => assert.doesNotThrow(() => refuseCardNumbers({ customerReceipt: receipt })))
  }
})

/** What would keep every other guest waiting if it were looked at without a limit. */
const heavy: [form: string, receipt: ReceiptObject][] = [
  ['nothing but digits', plain('Text', '1'.repeat(65_536))],
  ['digits with spaces', plain('Text', '1 '.repeat(32_768))],
  ['open tags', plain('Html', '<'.repeat(65_536))],
  ['open strings', encoded('Pdf', `%PDF-${'('.repeat(49_000)}`)],
  ['open hexadecimal', encoded('Pdf', `%PDF-${'<0'.repeat(24_000)}`)],
  ['a stream that unpacks to very much', encoded('Pdf', pdf(`(${' '.repeat(30_000_000)})`))],
  ['very many streams', encoded('Pdf', `%PDF-${'stream endstream '.repeat(2_800)}`)],
]

describe('A receipt is read within bounds when it is made of', () => {
  for (const [form, receipt] of heavy) {
    it(form, () => {
      assert.doesNotThrow(() => refuseCardNumbers({ customerReceipt: receipt, merchantReceipt: receipt }))
    })
  }
})
