import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { WriteRequest } from '../../../src/store/messages.ts'
import { WriteQueue } from '../../../src/store/writer/group-commit.ts'

const request = (number: number, lowPriority = false): WriteRequest => ({
  number,
  change: 'any',
  input: null,
  now: 0,
  options: { actor: { by: 'test', requestId: null }, lowPriority },
})
const numbers = (requests: WriteRequest[]) => requests.map(({ number }) => number)

it('gives normal commands in order, and one of low priority after them', () => {
  const queue = new WriteQueue()
  queue.push([request(1, true), request(2), request(3), request(4, true)])
  assert.deepEqual(numbers(queue.next(256)), [2, 3, 1])
  assert.deepEqual([numbers(queue.next(256)), queue.isEmpty()], [[4], true])
})

it('lets a command of low priority through, however many others wait', () => {
  const queue = new WriteQueue()
  queue.push([request(1, true), ...[2, 3, 4, 5].map((number) => request(number))])
  assert.deepEqual(numbers(queue.next(3)), [2, 3, 1])
  assert.deepEqual([numbers(queue.next(3)), queue.hasNormal()], [[4, 5], false])
})
