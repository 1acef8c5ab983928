import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { errorAnswer } from '../../src/jsonapi/errors.ts'
import { Problem, type ProblemCode, problems } from '../../src/resource/problem.ts'

const retryAfter = (code: ProblemCode, meta?: Record<string, unknown>) =>
  errorAnswer(new Problem(code, 'Not now.', meta ? { meta } : {})).headers?.['Retry-After']

describe('Retry-After', () => {
  const passing = Object.entries(problems).filter(([, [status]]) => status === 429 || status === 503)

  for (const [code] of passing) {
    it(`is present with ${code}, with and without a given time`, () => {
      assert.match(String(retryAfter(code as ProblemCode)), /^[1-9]\d*$/)
      assert.equal(retryAfter(code as ProblemCode, { retryAfterSeconds: 30 }), '30')
    })
  }

  it('is present with any problem that gives a time, and with no other', () => {
    assert.equal(retryAfter('idempotency-in-progress', { retryAfterSeconds: 1 }), '1')
    assert.equal(retryAfter('not-found'), undefined)
  })

  it('is present with a device fault that gives a time, also with zero', () => {
    const meta = { errorCode: 'no-card', outcomeUnknown: false, retryAfterSeconds: 0 }
    const answer = errorAnswer(Problem.upstream('no-card', 'No card', 'Lay a card down.', { meta }))
    assert.deepEqual([answer.status, answer.headers?.['Retry-After']], [502, '0'])
    assert.deepEqual(JSON.parse(answer.text ?? '').meta, { errorCode: 'no-card', outcomeUnknown: false })
  })
})
