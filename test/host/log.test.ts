import assert from 'node:assert/strict'
import { fstatSync } from 'node:fs'
import { describe, it } from 'node:test'
import { newToken } from '../../src/auth/secrets/token-format.ts'
import { isJournal } from '../../src/host/journal.ts'
import { createLog, type Log } from '../../src/host/log.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'

describe('the log', () => {
  it('writes one JSON object a line', () => {
    const { log, lines } = logging()
    log.info({ device: 'lobby' }, 'online')
    log.child({ room: 'access' }).warn('slow')
    assert.deepEqual(lines(), [
      { level: 'info', time: '2026-03-29T01:00:00.000Z', device: 'lobby', msg: 'online' },
      { level: 'warn', time: '2026-03-29T01:00:00.000Z', room: 'access', msg: 'slow' },
    ])
  })

  it('leaves out what is below its level', () => {
    const { log, lines } = logging()
    log.debug('unheard')
    assert.deepEqual(lines(), [])
  })

  it('writes an error with its stack and its cause', () => {
    const { log, lines } = logging()
    log.error(new Error('no card', { cause: new Error('EIO') }), 'failed')
    const [{ err }] = lines() as [{ err: { type: string; message: string; stack: string } }]
    assert.equal(err.type, 'Error')
    assert.match(err.message, /no card.*EIO/)
    assert.match(err.stack, /log\.test\.ts/)
  })

  const secrets: [where: string, fields: Record<string, unknown>][] = [
    ['a header', { headers: { authorization: 'hush' } }],
    ['a header in a request in a list', { tried: [{ req: { headers: { Authorization: 'hush' } } }] }],
    ['a cookie', { cookie: 'hush' }],
    ['a PIN', { key: { pin: 'hush' } }],
    ['a PIN of two words', { newPin: 'hush', old_pin: 'hush' }],
    ['a token', { token: 'hush', accessToken: 'hush' }],
    ['credentials, whatever they are', { provider: { credentials: { master: { keys: ['hush'] } } } }],
    ['a secret', { webhookSecret: 'hush', password: 'hush' }],
    ['bytes, which may hold anything', { packet: Buffer.from('hush'), pin: 'hush' }],
    [
      'the bytes of an error',
      { err: Object.assign(new Error('no'), { rawPacket: Buffer.from('x') }), pin: 1 },
    ],
    ['an error', { err: Object.assign(new Error('refused'), { token: 'hush', request: { pin: 'hush' } }) }],
    [
      'something too deep to look at',
      { a: { b: { c: { d: { e: { f: { g: { h: { pin: 'hush' } } } } } } } } },
    ],
  ]
  for (const [where, fields] of secrets)
    it(`hides ${where}`, () => {
      const { log, text } = logging()
      log.info(fields, 'said')
      log.child(fields).info('said')
      assert.equal(text().match(/"msg":"said"/g)?.length, 2)
      assert.doesNotMatch(text(), /hush/)
      assert.match(text(), /\[hidden\]/)
    })

  it('hides a token or a bearer credential anywhere in a text', () => {
    const { log, text } = logging()
    const token = newToken('live')
    log.info({ url: `/x?t=${token}` }, `asked with Bearer abc.def and ${token}`)
    assert.ok(!text().includes(token))
    assert.ok(!text().includes('abc.def'))
    assert.match(text(), /lk_live_\[hidden\]/)
  })

  it('shows a value whose name only resembles that of a secret', () => {
    const { log, lines } = logging()
    const fields = { spin: 1, tokenId: '7', pins: 2, opening: true, at: new Date(0) }
    log.info(fields)
    assert.deepEqual(lines(), [
      { level: 'info', time: '2026-03-29T01:00:00.000Z', ...fields, at: '1970-01-01T00:00:00.000Z' },
    ])
  })
})

describe('the journal', () => {
  it('takes the priority of each line from its prefix, and one object after it', () => {
    let text = ''
    const destination = {
      write(line: string) {
        text += line
      },
    }
    const log = createLog({ destination, journal: true, level: 'debug', clock: virtualClock(0) })
    const err = Object.assign(new Error('no line'), { code: 'dispenser-offline' })
    log.debug('a')
    log.info({ request: 'r-1' }, 'b')
    log.warn({ device: 'Lobby' }, 'c')
    log.error({ err }, 'd\ne')
    log.fatal('f')
    const lines = text.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => line.slice(0, 3)),
      ['<7>', '<6>', '<4>', '<3>', '<2>'],
    )
    const shown = lines.map((line) => JSON.parse(line.slice(3)))
    assert.deepEqual(
      [shown[1].request, shown[2].device, shown[3].code, shown[3].msg],
      ['r-1', 'Lobby', 'dispenser-offline', 'd\ne'],
    )
  })

  it('is where the environment names this very file, and nowhere else', () => {
    const { dev, ino } = fstatSync(2, { bigint: true })
    assert.equal(isJournal({ JOURNAL_STREAM: `${dev}:${ino}` }), true)
    for (const JOURNAL_STREAM of ['', `${dev}:1`, 'x']) assert.equal(isJournal({ JOURNAL_STREAM }), false)
    assert.equal(isJournal({}), false)
  })
})

function logging(): { log: Log; text: () => string; lines: () => unknown[] } {
  let text = ''
  const destination = {
    write(line: string) {
      text += line
    },
  }
  const log = createLog({ destination, clock: virtualClock(Date.UTC(2026, 2, 29, 1)) })
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line): unknown => JSON.parse(line))
  return { log, text: () => text, lines }
}
