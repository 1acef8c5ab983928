import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { differenceOfJson, differenceOfText } from './matching.ts'
import { stepsOf } from './steps.ts'

const id = '01a206c0-9fad-7038-93e4-2a41233f9617'
const other = '01a206cc-cd36-7038-897e-599cb6b56c0c'
const third = '01a206cc-cd36-7039-8f8d-6177c467fdd2'

describe('what a page shows is what is answered', () => {
  const differs = (shown: string, actual: unknown, known = new Map<string, string>()) =>
    differenceOfJson(shown, JSON.stringify(actual), known)

  it('but for what it leaves out', () => {
    assert.equal(differs('{"a": 1, ...}', { a: 1, b: 2 }), null)
    assert.equal(differs('{"a": ..., "b": [..., 3]}', { a: { c: 1 }, b: [1, 2, 3] }), null)
    assert.equal(differs('[{"a": 1}, ...]', [{ a: 1 }, 2]), null)
    assert.equal(differs('{"a": "The room ... is taken."}', { a: 'The room 201 is taken.' }), null)
    assert.match(differs('{"a": 1}', { a: 1, b: 2 })!, /also has b/)
    assert.match(differs('{"a": 1, ...}', { a: 2 })!, /\/a is 2, not 1/)
    assert.match(differs('[..., 4]', [1, 2, 3])!, /fewer/)
    assert.match(differs('{"a": null}', { b: null })!, /\/a is not there/)
  })

  it('and for what differs each time, by its kind', () => {
    const known = new Map<string, string>()
    assert.equal(
      differs(
        `{"id": "${id}", "at": "2026-01-01T10:00:00Z"}`,
        { id: other, at: '2027-02-03T11:12:13.014Z' },
        known,
      ),
      null,
    )
    assert.equal(known.get(id), other)
    assert.match(differs(`"/units/${id}"`, `/units/${third}`, known)!, /not/)
    assert.match(differs('{"at": "2026-01-01"}', { at: 'tomorrow' })!, /not/)
  })

  it('as text too, in which lines and parts of lines are left out', () => {
    const known = new Map<string, string>()
    assert.equal(differenceOfText('one\n...\nfour at 12:30', 'one\ntwo\nthree\nfour at 17:01\n', known), null)
    assert.equal(differenceOfText('one\n...', 'one\n', known), null)
    assert.equal(differenceOfText('a ... d', 'a b c d', known), null)
    assert.equal(differenceOfText('a   b', 'a      b', known), null)
    assert.notEqual(differenceOfText('a ... d', 'a b c', known), null)
    assert.notEqual(differenceOfText('one', 'one\ntwo', known), null)
    assert.equal(differenceOfText('two', 'one\ntwo\nthree', known, true), null)
  })
})

describe('a page is read', () => {
  const does = (markdown: string) => stepsOf(markdown).map((step) => step.does)

  it('by what stands before each block', () => {
    const page = [
      'Save this as `kiosk.ts`:\n\n```ts\n1\n```\n',
      '```sh\nnpm start\n```\n\n```text\nnightporter listens\n```\n',
      '*Not run by the tests: it needs a printer.*\n\n```sh\nlp\n```\n\n```text\nprinted\n```\n',
      'From `src/main.ts`:\n\n```ts\nexport\n```\n',
      'The first terminal shows:\n\n```text\nx\n```\n\nStop it with Ctrl-C.\n',
    ].join('\n')
    assert.deepEqual(does(page), ['save', 'run', 'leave out', 'find', 'look', 'stop'])
  })

  it('and has no block that nobody can do anything with', () => {
    assert.throws(() => stepsOf('```json\n{}\n```\n'), /line 1: there is no command before it/)
    assert.throws(() => stepsOf('```sh\nls\n```\n\n```yaml\na: 1\n```\n'), /line 5: say what/)
    assert.throws(() => stepsOf('```\ncurl http://127.0.0.1:8080\n```\n'), /line 1/)
    assert.throws(() => stepsOf('```sh\nls\n'), /has no end/)
  })
})
