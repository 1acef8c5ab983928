import { type LockPc, lockPc } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { simulateLockPc } from '../../drivers/industry-standard/simulator/simulator.ts'
import type { TestAppliance } from '../appliance.ts'
import { creator } from './faults-online.ts'
import type { sockets } from './sockets.ts'

interface LockPcDeskOptions {
  rooms: readonly string[]
  encoders?: number[]
  options?: Parameters<typeof lockPc>[0]['options']
  /** The time in which the encoder must answer, in ms. */
  timeoutMs?: number
  /** What the provider has besides, or instead. */
  provider?: object
}

export interface LockPcDesk {
  pc: LockPc
  desk: string
  providerId: string
  create: ReturnType<typeof creator>
}

let cards = 0

export const blankCard = () => ({ uid: `04${String(++cards).padStart(12, '0')}`, holds: null })

/** A lock PC with the rooms of a sample property, and its first encoder at the desk, on which a fresh card always lies. */
export async function lockPcDesk(
  { ask, clock }: Pick<TestAppliance, 'ask' | 'clock'>,
  plugs: Pick<ReturnType<typeof sockets>, 'plugIn'>,
  {
    rooms,
    encoders = [1],
    options = { nextCard: blankCard },
    timeoutMs = 4_000,
    provider,
  }: LockPcDeskOptions,
): Promise<LockPcDesk> {
  const pc = lockPc({
    clock,
    rooms,
    encoders,
    shown: () => new Date(clock.now() + 3_600_000).toISOString().replaceAll(/[-T:]/g, '').slice(0, 12),
    options,
  })
  const path = await plugs.plugIn((wire) => simulateLockPc(wire, pc))
  const create = creator(ask)
  const providerId = await create('access-providers', {
    name: 'Lock PC',
    driver: 'industry-standard',
    connection: { path, patience: 1 },
    unitMapping: rooms.map((name) => ({ unitName: name, externalCode: name })),
    ...provider,
  })
  const desk = await create('access-controllers', {
    name: 'Desk',
    providerId,
    kind: 'encoder',
    keyType: 'keyCard',
    timeoutMs,
    externalCode: '1',
  })
  return { pc, desk, providerId, create }
}
