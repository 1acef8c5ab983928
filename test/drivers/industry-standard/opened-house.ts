import type { TestContext } from 'node:test'
import { grantFor, type LockUnderTest } from '../lock-system-bench.ts'
import { type House, type HouseOptions, house, tcp } from './house.ts'

/** In the house of every test. */
export const under = {
  clock: tcp.clock,
  locks: ['101', '102'],
  encoders: ['1', '2'],
} as unknown as LockUnderTest
export const grant = (over: Parameters<typeof grantFor>[1] = {}) => grantFor(under, over)
/** Of another room. */
export const there = { lock: '102' }
/** A lock PC and its driver until the test is over. */
export async function opened(test: TestContext, options: HouseOptions = {}): Promise<House> {
  const made = await house(options)
  test.after(() => made.close())
  return made
}

/** The requests that make or take keys. */
export function made({ pc }: House): string[] {
  return pc.requests.filter((each) => /^C/.test(each)).map((each) => each.split('|').slice(0, 4).join('|'))
}
