import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CallState, personHelp, telephoneAddress } from '../../src/console/pages/kiosk/call.ts'
import { ApiError, badAnswer, noLine } from '../../src/console/pages/lib/server/answer.ts'
import fc from '../seed.ts'

const refusal = (status: number, code: string) =>
  new ApiError(status, [{ code, title: code, detail: code }], null)
const lost: Readonly<Record<string, ApiError>> = {
  'no line': noLine(),
  'an unreadable answer': badAnswer(),
  'a box that starts': refusal(503, 'starting'),
  'a fault of the box': refusal(500, 'internal'),
  'a session that has ended': refusal(401, 'unauthenticated'),
  'the first request at work': refusal(409, 'idempotency-in-progress'),
}

interface Sent {
  method: string
  path: string
  idempotencyKey: string | undefined
}

/** A box that answers each request with the next answer; the last one is repeated. The guest leaves after 20 requests. */
function boxWith(answers: readonly (ApiError | object)[]) {
  const sent: Sent[] = []
  const leaving = new AbortController()
  const ask = async (method: string, path: string, options: { idempotencyKey?: string } = {}) => {
    sent.push({ method, path, idempotencyKey: options.idempotencyKey })
    const answer = answers[Math.min(sent.length, answers.length) - 1]!
    if (answer instanceof ApiError) throw answer
    return { data: { type: 'x', id: 'call-1', attributes: answer }, etag: null }
  }
  const help = personHelp<{ tag: string; children: object[] }>({
    sendOne: ask as never,
    getOne: ((path: string, options: object) => ask('GET', path, options)) as never,
    getList: (async (path: string, options: object) => {
      const { data } = await ask('GET', path, options)
      return { data: 'keyId' in data.attributes ? [data] : [] }
    }) as never,
    h: (tag, attributes, ...children) => ({ tag, ...attributes, children }),
    refusalOf: (error) => (error instanceof ApiError ? error : null),
  })
  const waiting = {
    signal: leaving.signal,
    async pause() {
      if (sent.length >= 20) throw new Error('the guest has left')
    },
  }
  return { help, sent, waiting }
}

const why = { failure: 'guest-asks', step: 'number', language: 'fr' }
const open = { takenAt: null }
const taken = { takenAt: '2026-06-01T10:00:00Z' }

async function call(answers: readonly (ApiError | object)[]) {
  const box = boxWith(answers)
  const states: CallState[] = []
  await box.help
    .callDesk({ ...why, stayId: null }, box.waiting, (state) => states.push(state))
    .catch((error: Error) => assert.equal(error.message, 'the guest has left'))
  return { states: states.filter((state, at) => state !== states[at - 1]), sent: box.sent }
}

describe('a call of a person from a kiosk', () => {
  it('is made once, and ends when a person is on the way', async () => {
    const { states, sent } = await call([open, open, open, taken])
    assert.deepEqual(states, ['called', 'coming'])
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['POST', 'GET', 'GET', 'GET'],
    )
  })

  for (const [name, error] of Object.entries(lost))
    it(`says that no call was made, and goes on trying with one key: ${name}`, async () => {
      const { states, sent } = await call([error, error, open, error, taken])
      assert.deepEqual(states, ['failed', 'called', 'coming'])
      const keys = sent.filter(({ method }) => method === 'POST').map(({ idempotencyKey }) => idempotencyKey)
      assert.deepEqual([keys.length, new Set(keys).size], [3, 1])
      assert.ok(keys[0])
    })

  it('ends with the guest, whatever the box answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<ApiError | object>(open, ...Object.values(lost)), {
          minLength: 1,
          maxLength: 12,
        }),
        async (answers) => {
          const { states, sent } = await call(answers)
          assert.equal(states.at(-1), answers.includes(open) ? 'called' : 'failed')
          assert.ok(sent.length <= 20)
          const posts = sent.filter(({ method }) => method === 'POST')
          assert.equal(new Set(posts.map(({ idempotencyKey }) => idempotencyKey)).size, 1)
        },
      ),
    )
  })

  it('ends when the box has it no more', async () => {
    const { states, sent } = await call([open, refusal(404, 'not-found')])
    assert.deepEqual([states, sent.length], [['called'], 2])
  })
})

describe('the code for the desk', () => {
  const code = (answers: readonly (ApiError | object)[]) => {
    const box = boxWith(answers)
    return box.help.codeForDesk('stay', why, box.waiting).then((code) => ({ code, sent: box.sent }))
  }

  for (const [name, error] of Object.entries(lost))
    it(`is asked for again with one key: ${name}`, async () => {
      const { code: found, sent } = await code([error, error, { code: '0417' }])
      assert.equal(found, '0417')
      assert.equal(sent.length, 3)
      assert.equal(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size, 1)
      assert.ok(sent[0]!.idempotencyKey)
    })

  it('is none after four lost answers, and after a refusal at once', async () => {
    for (const [answer, tries] of [
      [noLine(), 4],
      [badAnswer(), 4],
      [refusal(404, 'not-found'), 1],
      [refusal(409, 'busy'), 1],
      [refusal(429, 'rate-limited'), 1],
      [refusal(422, 'validation-failed'), 1],
    ] as const) {
      const { code: found, sent } = await code([answer])
      assert.deepEqual([found, sent.length], ['', tries], answer.code)
    }
  })
})

describe('the address of a telephone number', () => {
  for (const [written, address] of [
    ['+351 22 555 0142', 'tel:+351225550142'],
    ['(0351) 22-555.0142', 'tel:0351225550142'],
    ['+44 (0)20 7946 0958', 'tel:+442079460958'],
    ['030/1234567', 'tel:0301234567'],
    ['(+351) 22 555', 'tel:+35122555'],
    ['Reception: +49 30 901820', 'tel:+4930901820'],
    ['22 555 0142 ext. 7', 'tel:225550142'],
    ['22 555 0142, 22 555 0143', 'tel:225550142'],
    ['9 (room) or +351 22 555 0142', 'tel:+351225550142'],
    ['100; 22 555 0142', 'tel:225550142'],
    ['225 550 142 / 225 550 143', null],
    ['+351 22 555 0142 - 22 555 0143', null],
    ['030/1234567/030/1234568', null],
    ['+ - 9', null],
    ['+351\u00a022\u2011555\u20110142', 'tel:+351225550142'],
    ['9', null],
    ['100', null],
    ['ask the porter', null],
    ['', null],
  ] as const)
    it(`is ${address}: ${JSON.stringify(written)}`, () => assert.equal(telephoneAddress(written), address))

  it('has the digits as they are written, in whatever groups', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^\d{2,3}$/), { minLength: 3, maxLength: 5 }),
        fc.constantFrom(' ', '-', '.', '/', ' - ', '\u00a0'),
        fc.boolean(),
        (groups, between, isWhole) => {
          const plus = isWhole ? '+' : ''
          assert.equal(telephoneAddress(plus + groups.join(between)), `tel:${plus}${groups.join('')}`)
        },
      ),
    )
  })

  it('is drawn for a telephone to scan, and not where none can call it', () => {
    const { help } = boxWith([open])
    const picture = help.telephonePicture('+351 22 555 0142')
    assert.match(JSON.stringify(picture), /"viewBox":"0 0 (2[1-9]|3\d) \d+".*"d":"M/)
    assert.notDeepEqual(picture, help.telephonePicture('+351 22 555 0143'))
    assert.equal(help.telephonePicture('9'), null)
  })
})

describe('a card whose order had no readable answer', () => {
  const since = Date.parse('2026-06-01T10:00:00Z')
  const run = (step: string, ending: string | null = null, seconds = 1, keyId = 'k1') => ({
    keyId,
    step,
    ending,
    createdAt: new Date(since + seconds * 1_000).toISOString(),
  })
  const controllerId = 'this machine'
  const stay = { id: 'stay', units: [{ unitName: '201' }, { unitName: '202' }], plannedEndsAt: 'later' }
  const look = async (answers: readonly (ApiError | object)[], given: string[] = []) => {
    const box = boxWith(answers)
    const found = await box.help
      .cardUnheard({ stay, controllerId, unit: 1, since, given }, box.waiting)
      .catch(() => null)
    return found && { id: found.id, ...found.attributes }
  }
  const shown = { id: 'k1', unitName: '202', validFrom: new Date(since).toISOString(), validUntil: 'later' }

  for (const [what, answers] of Object.entries<(ApiError | object)[]>({
    'lies at the gate': [run('presented')],
    'is proven, and not yet at the gate': [run('verified')],
    'is written after the first look': [run('asked'), run('writing'), run('writing'), run('presented')],
    'was taken': [run('ended', 'taken')],
    'was handed over at an encoder': [run('ended', 'handed')],
    'lies at the gate, by a clock that is off': [run('presented', null, -3_600)],
    'is found after lost answers': [noLine(), badAnswer(), run('presented')],
  }))
    it(`is shown: it ${what}`, async () => assert.deepEqual(await look(answers), shown))

  for (const [what, answers, given] of [
    ['none was made', [{}], []],
    ['it failed', [run('ended', 'failed')], []],
    ['it was captured', [run('ended', 'captured')], []],
    ['it was left at the gate', [run('ended', 'left')], []],
    ['it was taken an hour before', [run('ended', 'taken', -3_600)], []],
    ['it is that of the first room', [run('ended', 'taken')], ['k1']],
    ['the box refuses', [refusal(403, 'kiosk-scope')], []],
    ['the box never answers', [noLine()], []],
    ['three answers were lost', [noLine(), badAnswer(), noLine(), run('presented')], []],
    ['the box never ends', [run('writing')], []],
  ] as const)
    it(`is not shown: ${what}`, async () => assert.equal(await look(answers, [...given]), null))

  it('is looked for at the machine of this kiosk alone', async () => {
    const box = boxWith([{}])
    await box.help.cardUnheard({ stay, controllerId, unit: 1, since, given: [] }, box.waiting)
    assert.equal(
      new URL(box.sent[0]!.path, 'http://box').searchParams.get('filter[controllerId]'),
      controllerId,
    )
  })

  it('is shown by its last step alone, whatever came before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(fc.constantFrom<ApiError | object>(run('asked'), run('writing'), ...Object.values(lost)), {
            maxLength: 15,
          })
          .filter((all) => all.filter((each) => each instanceof ApiError).length <= 2),
        fc.constantFrom(
          [run('presented'), true] as const,
          [run('ended', 'taken'), true] as const,
          [run('ended', 'failed'), false] as const,
          [run('ended', 'unknown'), false] as const,
        ),
        async (before, [last, isShown]) =>
          assert.deepEqual(await look([...before, last]), isShown ? shown : null),
      ),
    )
  })
})
